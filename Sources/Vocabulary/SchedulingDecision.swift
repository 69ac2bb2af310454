// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A scheduling policy's answer for one request at one instant.
public struct SchedulingDecision: Sendable, BitwiseCopyable {
    /// Whether the work starts now.
    public var proceed: Bool
    /// The rule that decided; `custom` where it is one that the policy declares itself.
    public var rule: SchedulingRule
    /// Index in `PolicyDescriptor.rules` of the policy's own rule that decided; nil where a common one did.
    public var ownRule: UInt8?
    /// The weighted score, where the policy has one; otherwise 1 or 0.
    ///
    /// Of several requests that wait for running work to end, the one with the highest score is asked first.
    public var score: Double
    /// The score that was needed.
    public var threshold: Double
    /// When to ask again at the latest; `distantFuture` when only a change can help.
    public var reconsider: SimTime
    /// The changes of the device that make asking again worth while; `flotsam why` names them.
    public var wakeOn: ConditionChanges
    /// How long the work may run at the most; nil where the phone says.
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

    /// The work starts now, by a rule of the policy's own.
    public static func proceed(
        _ rule: some PolicyRule, score: Double = 1, threshold: Double = 0
    ) -> SchedulingDecision {
        var decision = proceed(SchedulingRule.custom, score: score, threshold: threshold)
        decision.ownRule = rule.rawValue
        return decision
    }

    /// The work waits, by a rule of the policy's own, until an instant or until one of the changes.
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
