// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Platform
import Statistics

/// A paired difference in words, such as "53 % fewer", with an interval in the same direction.
public struct Change: Sendable, Equatable {
    /// Size and direction: "53 % fewer", "1.6 points lower", "3.2 more", "no change".
    public let amount: String
    /// Interval such as "[44, 62]", in the unit and direction of the amount; empty if too few pairs differ.
    ///
    /// A negative end means a change in the opposite direction.
    public let interval: String
    /// Whether the difference rounds to zero.
    public let isNone: Bool
    private let title: String

    /// Largest difference that is printed as a share, in multiples of the baseline.
    ///
    /// Larger shares, and shares of a baseline of zero, are not informative.
    private static let largestShare = 10.0
    private static let rounding = 1e-6

    /// Describes a comparison in a metric.
    public init(_ paired: PairedComparison, _ metric: MetricList.Entry) {
        let isLess = paired.difference < 0
        let word = metric.isCount ? (isLess ? "fewer" : "more") : (isLess ? "lower" : "higher")
        let isShare = metric.unit != "%" && abs(paired.relative) <= Self.largestShare && paired.baselineMean != 0
        let scale = isShare ? 100 / abs(paired.baselineMean) : 1
        func inDirection(_ value: Double) -> Double { (isLess ? -value : value) * scale }
        let size = Figures.rough(inDirection(paired.difference))
        let unit = isShare ? "% " : metric.unit == "%" ? "points " : metric.isCount ? "" : Self.unit(metric)
        isNone = size == "0"
        amount = isNone ? "no change" : "\(size) \(unit)\(word)"
        title = metric.title
        // A count can fall by at most 100 %, although the interval of its mean may extend further.
        let most = isShare && isLess && metric.isCount ? 100 : Double.infinity
        // An end that is tiny compared with the other end is printed as zero.
        let far = max(abs(inDirection(paired.low)), abs(inDirection(paired.high)))
        let ends = [paired.low, paired.high].map { end in
            let end = min(inDirection(end), most)
            return abs(end) < Self.rounding * far ? 0 : end
        }.sorted().map(Figures.rough)
        let bracket = "[" + ends.joined(separator: ", ") + "]"
        // If there is no change, the amount has no unit, so the interval gets the unit.
        interval = !paired.halfWidth.isFinite ? "" : isNone ? "\(bracket) \(unit)".trimmed : bracket
    }

    private static func unit(_ metric: MetricList.Entry) -> String { metric.unit == "1" ? "" : metric.unit + " " }

    /// The amount, followed by the interval.
    public var text: String { interval.isEmpty ? amount : amount + " " + interval }

    /// The amount, the interval and the metric: "53 % fewer [44, 62] relaunches per day".
    public var of: String { isNone ? "\(amount) in \(title) \(interval)".trimmed : "\(text) \(title)" }
}

extension String {
    /// The text without a space at its end.
    fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
