import Glibc

/// Counts positive values in bins of 1 %, so that a quantile costs no memory per value.
///
/// Bins are geometric with ratio 1.01 from 1 ms to about 4 months (in seconds); zero has a bin of its own. A quantile is
/// the geometric middle of its bin: within 0.5 % of the value, and the same whatever the order of the values.
package struct LogHistogram {
    private static let bins = 2400
    private static let smallest = 1e-3
    private static let inverseLogRatio = 1 / log(1.01)

    package private(set) var count = 0
    package private(set) var sum = 0.0
    private var zeros = 0
    private var counts = [Int32](repeating: 0, count: bins)

    /// Adds a value, in seconds; negative values count as zero.
    package mutating func add(_ value: Double) {
        count += 1
        guard value >= Self.smallest else {
            zeros += 1
            return
        }
        sum += value
        let place = Int(log(value / Self.smallest) * Self.inverseLogRatio)
        counts[min(place, Self.bins - 1)] += 1
    }

    /// The mean; NaN when empty.
    package var mean: Double { count == 0 ? .nan : sum / Double(count) }

    /// The value that a share of the values does not exceed; NaN when empty.
    package func quantile(_ share: Double) -> Double {
        guard count > 0 else { return .nan }
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = zeros
        if rank <= seen { return 0 }
        for bin in 0..<Self.bins {
            seen += Int(counts[bin])
            if rank <= seen { return Self.smallest * exp((Double(bin) + 0.5) / Self.inverseLogRatio) }
        }
        return Self.smallest * exp(Double(Self.bins) / Self.inverseLogRatio)
    }
}
