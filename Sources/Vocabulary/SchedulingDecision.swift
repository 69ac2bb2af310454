// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A scheduling policy's answer for one request at one instant.
public struct SchedulingDecision: Sendable, BitwiseCopyable {
    /// Whether the work starts now.
    public var proceed: Bool
    /// The rule that decided; `custom` for a rule that the policy declares itself.
    public var rule: SchedulingRule
    /// Index in `PolicyDescriptor.rules` of the policy's own rule that decided; nil for a common rule.
    public var ownRule: UInt8?
    /// Weighted score, if the policy has one; otherwise 1 or 0.
    ///
    /// If several requests wait for running work to end, the phone asks first about the request with the highest score.
    public var score: Double
    /// Threshold that the score must reach.
    public var threshold: Double
    /// Latest time at which the policy is asked again; `distantFuture` if only a change can help.
    public var reconsider: SimTime
    /// Changes of the device after which the policy is asked again; `flotsam why` names them.
    public var wakeOn: ConditionChanges
    /// Time limit of the work; nil for the phone's own limit.
    public var runtime: SimDuration?

    /// The work starts now.
    public static func proceed(
        _ rule: SchedulingRule, score: Double = 1, threshold: Double = 0
    ) -> SchedulingDecision {
        SchedulingDecision(
            proceed: true, rule: rule, score: score, threshold: threshold, reconsider: .distantFuture, wakeOn: [])
    }

    /// The work waits until an instant or until one of the changes.
    public static func wait(
        _ rule: SchedulingRule, until reconsider: SimTime = .distantFuture, or wakeOn: ConditionChanges = [],
        score: Double = 0, threshold: Double = 0
    ) -> SchedulingDecision {
        SchedulingDecision(
            proceed: false, rule: rule, score: score, threshold: threshold, reconsider: reconsider, wakeOn: wakeOn)
    }

    /// The work starts now, because of one of the policy's own rules.
    public static func proceed(
        _ rule: some PolicyRule, score: Double = 1, threshold: Double = 0
    ) -> SchedulingDecision {
        var decision = proceed(SchedulingRule.custom, score: score, threshold: threshold)
        decision.ownRule = rule.rawValue
        return decision
    }

    /// The work waits until an instant or one of the changes, because of one of the policy's own rules.
    public static func wait(
        _ rule: some PolicyRule, until reconsider: SimTime = .distantFuture, or wakeOn: ConditionChanges = [],
        score: Double = 0, threshold: Double = 0
    ) -> SchedulingDecision {
        var decision = wait(
            SchedulingRule.custom, until: reconsider, or: wakeOn, score: score, threshold: threshold)
        decision.ownRule = rule.rawValue
        return decision
    }
}
