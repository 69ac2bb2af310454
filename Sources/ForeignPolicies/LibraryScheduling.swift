// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Quantities
import Vocabulary

/// A scheduling policy of a shared library, with the state of one run.
final class LibraryScheduling: SchedulingPolicy, @unchecked Sendable {
    private typealias Notice =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<flotsam_request>?, flotsam_time
        ) -> Void

    private let policy: UnsafePointer<flotsam_scheduling>
    private let state: UnsafeMutableRawPointer?
    private let watch: CallWatch
    private let path: String
    private let isOracle: Bool
    private let ownRules: Int
    private let decideFunction:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<flotsam_request>?, UnsafePointer<flotsam_device>?
        ) -> flotsam_decision

    init(
        _ policy: UnsafePointer<flotsam_scheduling>, _ path: String, _ about: PolicyDescriptor,
        _ arguments: PolicyArguments
    ) {
        self.policy = policy
        self.path = path
        isOracle = about.isOracle
        ownRules = about.rules.count
        watch = CallWatch(path)
        guard let decide = policy.pointee.decide else { PolicyFailure.end("\(path) has no function \"decide\"") }
        decideFunction = decide
        state = watch.made(policy.pointee.create, arguments)
    }

    /// Creates an independent copy that continues from the current state.
    private init(copying other: LibraryScheduling) {
        policy = other.policy
        path = other.path
        isOracle = other.isOracle
        ownRules = other.ownRules
        watch = CallWatch(other.path)
        decideFunction = other.decideFunction
        state = watch.copied(other.policy.pointee.copy, other.state)
    }

    deinit {
        guard let state, let destroy = policy.pointee.destroy else { return }
        watch.enter()
        destroy(state)
        watch.leave()
    }

    /// Whether the library has no state that must be copied.
    var isShareable: Bool { policy.pointee.create == nil }

    func copied() -> LibraryScheduling { isShareable ? self : LibraryScheduling(copying: self) }

    var ringsAtFloor: Bool { policy.pointee.rings_at_floor }
    var keepsBudgets: Bool { policy.pointee.keeps_budgets }

    @inline(__always)
    func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if !isOracle, request.nextOpen != .distantFuture { return decide(request.blind, device) }
        let answer = withUnsafePointer(to: request) { request in
            withUnsafePointer(to: device) { device in
                let request = UnsafeRawPointer(request).assumingMemoryBound(to: flotsam_request.self)
                let device = UnsafeRawPointer(device).assumingMemoryBound(to: flotsam_device.self)
                watch.enter()
                defer { watch.leave() }
                return decideFunction(state, request, device)
            }
        }
        return decision(answer)
    }

    /// Converts an answer.
    ///
    /// An invalid answer ends the run.
    @inline(__always)
    private func decision(_ answer: flotsam_decision) -> SchedulingDecision {
        var decision = SchedulingDecision.wait(
            SchedulingRule.custom, until: SimTime(nanoseconds: answer.reconsider),
            or: ConditionChanges(rawValue: answer.wake_on), score: answer.score, threshold: answer.threshold)
        decision.proceed = answer.proceed
        let own = Int(answer.rule) - FLOTSAM_OWN_RULE
        if own >= 0 && own < ownRules {
            decision.ownRule = UInt8(own)
        } else if let rule = UInt8(exactly: answer.rule).flatMap(SchedulingRule.init(rawValue:)) {
            decision.rule = rule
        } else {
            PolicyFailure.end("the policy \(path) returned rule \(answer.rule), but it has no such rule")
        }
        if answer.wake_on >> ConditionChanges.count != 0 {
            PolicyFailure.end("the policy \(path) waits for a change that does not exist: \(answer.wake_on)")
        }
        if !answer.score.isFinite || !answer.threshold.isFinite {
            PolicyFailure.end("the policy \(path) returned a score or threshold that is not finite")
        }
        return decision
    }

    func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {
        guard let function = policy.pointee.did_finish else { return }
        notify(request) { function(state, $0, foundNewContent, now.nanoseconds) }
    }

    func didSubmit(_ request: RequestView, at now: SimTime) {
        guard let function = policy.pointee.did_submit else { return }
        notify(request) { function(state, $0, now.nanoseconds) }
    }

    func didWithdraw(_ request: RequestView, at now: SimTime) {
        guard let function = policy.pointee.did_withdraw else { return }
        notify(request) { function(state, $0, now.nanoseconds) }
    }

    @inline(__always)
    private func notify(_ request: RequestView, _ call: (UnsafePointer<flotsam_request>) -> Void) {
        withUnsafePointer(to: isOracle ? request : request.blind) { pointer in
            watch.enter()
            call(UnsafeRawPointer(pointer).assumingMemoryBound(to: flotsam_request.self))
            watch.leave()
        }
    }
}

/// A scheduling policy as a value.
///
/// A copy gets its own state when it or the original is next used.
struct CopiedScheduling: SchedulingPolicy {
    private var policy: LibraryScheduling

    init(_ policy: LibraryScheduling) { self.policy = policy }

    @inline(__always)
    private mutating func own() -> LibraryScheduling {
        if !isKnownUniquelyReferenced(&policy) { policy = policy.copied() }
        return policy
    }

    var ringsAtFloor: Bool { policy.ringsAtFloor }
    var keepsBudgets: Bool { policy.keepsBudgets }
    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        own().decide(request, device)
    }
    mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {
        own().didFinish(request, foundNewContent: foundNewContent, at: now)
    }
    mutating func didSubmit(_ request: RequestView, at now: SimTime) { own().didSubmit(request, at: now) }
    mutating func didWithdraw(_ request: RequestView, at now: SimTime) { own().didWithdraw(request, at: now) }
}

extension RequestView {
    /// The view without the time of the next open, for a policy that may not read the future.
    var blind: RequestView {
        var seen = self
        seen.nextOpen = .distantFuture
        return seen
    }
}
