// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import Scenario
import Statistics

/// Rule that ends an experiment as soon as the differences in the primary metric are precise enough.
///
/// The number of replications depends only on results, never on time or the number of jobs. A resumed session therefore
/// stops where an uninterrupted session stops. Repeated looks make intervals slightly too narrow; the smallest number
/// of replications limits this effect.
public struct StoppingRule: Sendable, Equatable {
    /// Smallest number of replications.
    public let minimum: Int
    /// Largest number of replications.
    public let maximum: Int
    /// Goal for the half-width of every difference in the primary metric, relative to the baseline's mean.
    ///
    /// Nil for a fixed number of replications.
    public let halfWidth: Double?

    /// Creates a rule; without a half-width, the smallest number of replications is also the largest.
    public init(minimum: Int, maximum: Int, halfWidth: Double?) {
        self.minimum = minimum
        self.maximum = halfWidth == nil ? minimum : max(minimum, maximum)
        self.halfWidth = halfWidth
    }

    /// Number of replications of the next stage; nil when no more are needed or allowed.
    func next(after judgement: Judgement) -> Int? {
        let now = judgement.plan.replications
        guard let halfWidth, now < maximum else { return nil }
        let widest = Self.widest(judgement)
        guard widest >= halfWidth else { return nil }
        // Half-widths shrink with the square root of the number. A stage at most doubles it, because early estimates
        // are poor.
        let ratio = widest / halfWidth
        let wanted = ratio.isFinite && ratio < 1000 ? (Double(now) * ratio * ratio).rounded(.up) : .infinity
        return min(maximum, max(now + 1, Int(min(wanted, Double(2 * now)))))
    }

    /// Largest half-width of a difference in the primary metric, relative to the baseline's mean.
    ///
    /// The half-width is infinite if too few pairs differ.
    private static func widest(_ judgement: Judgement) -> Double {
        let primary = judgement.comparisons.filter { judgement.isPrimary($0) }
        return primary.compactMap(\.paired).map { $0.halfWidth / abs($0.baselineMean) }.max() ?? 0
    }

    /// Message if the goal was not reached with the largest number of replications; otherwise nil.
    func missed(after judgement: Judgement) -> String? {
        guard let halfWidth else { return nil }
        let widest = Self.widest(judgement)
        guard widest >= halfWidth else { return nil }
        let found = widest.isFinite ? "is \(Self.percent(widest))" : "is unknown, as too few replications differ,"
        return "the goal was not reached: the widest half-width \(found) after \(judgement.plan.replications) "
            + "replications, and the goal is \(Self.percent(halfWidth)) of the baseline's mean"
    }

    private static func percent(_ share: Double) -> String { Figures.short(share * 100, digits: 3) + " %" }
}

extension StoppingRule {
    /// The rule of an experiment.
    public init(_ experiment: Experiment) {
        let rule = experiment.replicationRule
        self.init(minimum: rule.minimum, maximum: rule.maximum, halfWidth: rule.halfWidth)
    }
}
