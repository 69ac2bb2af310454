// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Counts positive values in bins of 1 %, so that a quantile needs no memory per value.
///
/// Bins are geometric with ratio 1.01, from 1 ms to about 9 months (values are in seconds). Values below 1 ms share one
/// bin, as zeros. A quantile is the geometric middle of a bin. It is within 0.5 % of the value and does not depend on
/// the order of the values.
public struct LogHistogram: Sendable {
    private static let bins = 2400
    private static let smallest = 1e-3
    private static let inverseLogRatio = 1 / log(1.01)

    /// Number of values.
    public private(set) var count = 0
    /// Exact sum of the values, in seconds, including values below 1 ms.
    public private(set) var sum = 0.0
    private var zeros = 0
    private var counts = [Int32](repeating: 0, count: bins)

    /// Creates an empty histogram.
    public init() {}

    /// Adds a value, in seconds; negative values count as zero.
    public mutating func add(_ value: Double) {
        count += 1
        sum += max(0, value)
        guard value >= Self.smallest else {
            zeros += 1
            return
        }
        let bin = Int(log(value / Self.smallest) * Self.inverseLogRatio)
        counts[min(bin, Self.bins - 1)] += 1
    }

    /// Removes all values and keeps the memory.
    mutating func removeAll() {
        (count, sum, zeros) = (0, 0, 0)
        for bin in counts.indices { counts[bin] = 0 }
    }

    /// The mean; NaN when empty.
    public var mean: Double { count == 0 ? .nan : sum / Double(count) }

    /// The smallest value for which at least this share of the values is equal or smaller; NaN when empty.
    public func quantile(_ share: Double) -> Double {
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
