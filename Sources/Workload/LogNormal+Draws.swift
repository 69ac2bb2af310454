import Glibc
import RandomStreams

extension LogNormal {
    /// Draws a value, at most the cap.
    func draw(_ stream: inout RandomStream) -> Double {
        min(stream.logNormal(mu: mu, sigma: sigma), cap)
    }

    /// The mean of what `draw` returns.
    var mean: Double { limitedMean(cap) }

    /// E[min(X, limit)]: exp(mu + sigma²/2) Φ((ln l - mu - sigma²)/sigma) + l (1 - Φ((ln l - mu)/sigma)).
    func limitedMean(_ limit: Double) -> Double {
        let whole = exp(mu + sigma * sigma / 2)
        guard limit.isFinite, sigma > 0 else { return min(whole, limit) }
        let z = (log(limit) - mu) / sigma
        return whole * Self.normalCDF(z - sigma) + limit * (1 - Self.normalCDF(z))
    }

    private static func normalCDF(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }
}
