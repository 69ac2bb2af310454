// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Platform
import Statistics

/// A paired difference in words: "53 % fewer", with the ends of its interval, counted the same way.
public struct Change: Sendable, Equatable {
    /// How much, and which way: "53 % fewer", "1.6 points lower", "3.2 more", "no change".
    public let amount: String
    /// "[44, 62]", in the unit of the amount and counted in its direction, so that a negative end lies on the other
    /// side of zero; empty where the pairs do not tell.
    public let interval: String
    /// Whether the two do not differ, but for rounding.
    public let isNone: Bool
    private let title: String

    /// Beyond ten times the baseline, and from a baseline of zero, a share of it says nothing.
    private static let largestShare = 10.0
    private static let rounding = 1e-6

    /// Describes what a comparison of a metric found.
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
        // No count falls below zero, so no more than all of it can be gone; an interval of means does not know that.
        let most = isShare && isLess && metric.isCount ? 100 : Double.infinity
        // An end that is rounding beside the other is zero.
        let far = max(abs(inDirection(paired.low)), abs(inDirection(paired.high)))
        let ends = [paired.low, paired.high].map { end in
            let end = min(inDirection(end), most)
            return abs(end) < Self.rounding * far ? 0 : end
        }.sorted().map(Figures.rough)
        let bracket = "[" + ends.joined(separator: ", ") + "]"
        // Without an amount before it the interval needs the unit.
        interval = !paired.halfWidth.isFinite ? "" : isNone ? "\(bracket) \(unit)".trimmed : bracket
    }

    private static func unit(_ metric: MetricList.Entry) -> String { metric.unit == "1" ? "" : metric.unit + " " }

    /// The amount with its interval behind it.
    public var text: String { interval.isEmpty ? amount : amount + " " + interval }

    /// The amount with its interval and what changes: "53 % fewer [44, 62] relaunches per day".
    public var of: String { isNone ? "\(amount) in \(title) \(interval)".trimmed : "\(text) \(title)" }
}

extension String {
    /// The text without a space at its end.
    fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
