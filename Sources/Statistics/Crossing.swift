// SPDX-License-Identifier: GPL-3.0-or-later

/// The point on an axis where the mean difference between two policies changes its sign, with an interval.
///
/// Between two points of the axis, each replication's difference is assumed to be linear. At any x, the differences of
/// the replications then have a mean and an interval. The interval of the crossing is the range of x around the
/// crossing in which the interval of the mean includes zero. This inverts a test: E. C. Fieller, Some problems in
/// interval estimation, Journal of the Royal Statistical Society B 16(2), 1954, 175-185.
public struct Crossing: Equatable, Sendable {
    /// Value of the axis at which the mean difference is zero, in the unit of the axis.
    public let at: Double
    /// Lower end of the interval; minus infinity if the interval extends beyond the first point.
    public let low: Double
    /// Upper end of the interval; infinity if the interval extends beyond the last point.
    public let high: Double
    /// Whether the difference is negative below the crossing and positive above it.
    public let rises: Bool

    /// Finds every change of sign.
    ///
    /// - Parameters:
    ///   - axis: at least one value, ascending.
    ///   - differences: for each value of the axis, one difference per replication, always in the same order.
    ///   - level: strictly between 0 and 1.
    ///   - spread: the metric's spread over replications; with too few replications, the interval is infinite.
    public static func all(
        axis: [Double], differences: [[Double]], level: Double, spread: Spread = .even
    ) -> [Crossing] {
        let line = DifferenceLine(axis: axis, differences: differences, level: level, spread: spread)
        let means = differences.map { values in
            PairedComparison(ofDifferences: values).difference == 0 ? 0 : values.reduce(0, +) / Double(values.count)
        }
        return axis.indices.dropLast().compactMap { index in
            let (left, right) = (means[index], means[index + 1])
            // If the two policies are equal at a point, the next points show whether the sign changes there.
            let next = means[(index + 1)...].first { $0 != 0 } ?? 0
            guard left != 0, next != 0, (left < 0) != (next < 0) else { return nil }
            let at = axis[index] + (axis[index + 1] - axis[index]) * (left / (left - right))
            return Crossing(
                at: at, low: line.end(from: at, through: axis[...index].reversed()) ?? -.infinity,
                high: line.end(from: at, through: Array(axis[(index + 1)...])) ?? .infinity, rises: left < 0)
        }
    }
}

/// Differences of the replications along an axis, linear from point to point.
private struct DifferenceLine {
    let axis: [Double]
    let differences: [[Double]]
    let level: Double
    let spread: Spread

    /// The end of the interval around a crossing, on the side of the given points; nil if it is beyond the last point.
    func end(from crossing: Double, through points: [Double]) -> Double? {
        var inside = crossing
        for point in points {
            guard excludesZero(at: point) else {
                inside = point
                continue
            }
            var outside = point
            for _ in 0..<100 {
                let middle = (inside + outside) / 2
                if excludesZero(at: middle) { outside = middle } else { inside = middle }
            }
            return (inside + outside) / 2
        }
        return nil
    }

    private func excludesZero(at x: Double) -> Bool {
        let index = max(0, min(axis.count - 2, (axis.firstIndex { $0 >= x } ?? axis.count - 1) - 1))
        let share = (x - axis[index]) / (axis[index + 1] - axis[index])
        let values = zip(differences[index], differences[index + 1]).map { $0 + share * ($1 - $0) }
        let mean = PairedComparison(ofDifferences: values, level: level, spread: spread)
        return mean.low > 0 || mean.high < 0
    }
}
