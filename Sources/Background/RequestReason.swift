// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Why a request got its answer: a rule of the OS that no policy overrides, or the policy's own rule.
public enum RequestReason: Sendable, Hashable, BitwiseCopyable {
    /// No request is pending.
    case nothingPending
    /// The deadline passed before the request could start.
    case deadline
    /// Too many requests of this kind are pending (error `tooManyPendingTaskRequests`).
    case tooManyPending
    /// The app does not meet the requirements of this kind of work (error `notPermitted`).
    case notPermitted
    /// A rule of the OS.
    case system(SystemRule)
    /// A rule that scheduling policies share.
    case policy(SchedulingRule)
    /// A rule that the scheduling policy declares itself, by its index in `PolicyDescriptor.rules`.
    case own(UInt8)

    /// The reason of a policy's decision.
    init(_ decision: SchedulingDecision) {
        self = decision.ownRule.map { .own($0) } ?? .policy(decision.rule)
    }

    /// Number of reasons that are counted separately; all rules that a policy declares itself count as one.
    public static let count = firstPolicyIndex + SchedulingRule.allCases.count

    private static var firstPolicyIndex: Int { 5 + SystemRule.count }

    /// Index of the reason in `RequestTable.counts`.
    public var index: Int {
        switch self {
        case .nothingPending: 0
        case .deadline: 1
        case .tooManyPending: 2
        case .notPermitted: 3
        case .own: 4
        case .system(let rule): 5 + Int(rule.rawValue)
        case .policy(let rule): Self.firstPolicyIndex + Int(rule.rawValue)
        }
    }

    /// Name of the reason in tables, and its words in `flotsam why`.
    ///
    /// - Parameter own: Texts of the rules that the policy declares itself.
    public func text(own: [RuleText] = []) -> RuleText {
        switch self {
        case .nothingPending: RuleText("nothing-pending", "no request was pending")
        case .deadline: RuleText("deadline", "the deadline of the request had passed")
        case .tooManyPending: RuleText("too-many-pending", "too many requests of the app were pending")
        case .notPermitted: RuleText("not-permitted", "the app may not ask for this kind of work")
        case .system(let rule): rule.facts.text
        case .policy(let rule): rule.text
        case .own(let index): own.indices.contains(Int(index)) ? own[Int(index)] : SchedulingRule.custom.text
        }
    }

    /// Error that Apple's interface reports for a refusal; nil if it accepts the request and does nothing.
    public var error: RequestError? {
        switch self {
        case .system(.switchedOff): .unavailable
        case .tooManyPending: .tooManyPendingTaskRequests
        case .notPermitted: .notPermitted
        case .system, .nothingPending, .deadline, .policy, .own: nil
        }
    }

    /// Every reason except the policy's own rules, in the order of `index`.
    public static let all: [RequestReason] =
        [.nothingPending, .deadline, .tooManyPending, .notPermitted, .own(0)]
        + SystemRule.allCases.map { .system($0) } + SchedulingRule.allCases.map { .policy($0) }
}
