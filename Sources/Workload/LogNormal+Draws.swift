// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import RandomStreams

extension LogNormal {
    /// The shortest stay on screen, in seconds.
    ///
    /// The distributions come from logs in whole seconds, and their fits omit shorter stays. A session of one second
    /// does not count as a session (models/recordings.md, section 2.0).
    static let shortest = 1.0
    /// Number of draws after which the shortest stay is used instead; a sensible distribution needs far fewer draws.
    private static let patience = 64

    /// Draws a value, at most the cap.
    public func draw(_ stream: inout RandomStream) -> Double {
        min(stream.logNormal(mu: mu, sigma: sigma), cap)
    }

    /// Draws a stay on screen: a value above the shortest, at most the cap.
    func drawStay(_ stream: inout RandomStream) -> Double {
        for _ in 0..<Self.patience {
            let seconds = draw(&stream)
            if seconds > Self.shortest { return seconds }
        }
        return Self.shortest
    }

    /// The mean of the values of `drawStay`.
    var meanStay: Double {
        guard sigma > 0 else { return max(exp(mu), Self.shortest) }
        let below = -mu / sigma
        let share = Self.normalCDF(below)
        guard share < 1 else { return Self.shortest }
        let short = exp(mu + sigma * sigma / 2) * Self.normalCDF(below - sigma)
        return (limitedMean(cap) - short) / (1 - share)
    }

    /// E[min(X, limit)]: exp(mu + sigma²/2) Φ((ln l - mu - sigma²)/sigma) + l (1 - Φ((ln l - mu)/sigma)).
    func limitedMean(_ limit: Double) -> Double {
        let whole = exp(mu + sigma * sigma / 2)
        guard limit.isFinite, sigma > 0 else { return min(whole, limit) }
        let z = (log(limit) - mu) / sigma
        return whole * Self.normalCDF(z - sigma) + limit * (1 - Self.normalCDF(z))
    }

    private static func normalCDF(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }
}
