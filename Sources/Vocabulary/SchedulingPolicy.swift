// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Decides when background work runs.
///
/// The phone first checks the rules that no policy overrides: earliest begin, stated requirements, the app in the
/// foreground, force quit, switches. Then it asks the policy. A policy that makes work wait must name an instant or a
/// change. The policy is asked again when the first of them occurs, and at no other time.
///
/// A policy must be a value, because a phone is copied in mid-run together with the state of its policies. Use a
/// structure without references to mutable objects. Copying a phone traps if its policy is a class.
public protocol SchedulingPolicy: Sendable {
    /// Whether the policy is asked exactly at a request's earliest begin, as for alarms, not at the system's next
    /// check.
    var ringsAtFloor: Bool { get }
    /// Whether the policy spends the day's budgets.
    ///
    /// Silent pushes then spend them, too, and wait while they are used up.
    var keepsBudgets: Bool { get }
    /// Decides whether a request that may run now starts now.
    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision
    /// Notifies the policy that work ended, and whether the work found new content.
    mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime)
    /// Notifies the policy of an accepted request whose earliest begin is still to come.
    mutating func didSubmit(_ request: RequestView, at now: SimTime)
    /// Notifies the policy that a pending request was removed before it started: replaced, given up or force-quit.
    ///
    /// A request that starts without a decision of the policy, for instance by a debugger, is removed in this way, too.
    mutating func didWithdraw(_ request: RequestView, at now: SimTime)
    /// When the policy restores the network to all apps (Doze); nil while the policy blocks no app.
    func nextWindow(_ device: DeviceConditions) -> SimTime?
    /// When the policy releases the deferred alarms of all apps (deep Doze); nil while the policy defers no alarm.
    func idleUntil(_ device: DeviceConditions) -> SimTime?
    /// Whether the policy needs calls of `didMove`.
    var followsMotion: Bool { get }
    /// Notifies the policy that the phone is moved; returns whether that changes the result of `nextWindow`.
    mutating func didMove(_ device: DeviceConditions) -> Bool
    /// Notifies the policy that the user has left an app, with the start and end of its time on screen.
    mutating func didUse(_ app: AppID, from start: SimTime, to end: SimTime)
    /// The answers that the parts of the policy would give in a call of `decide` now, for tables and explanations.
    func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse]
}

extension SchedulingPolicy {
    /// False, as most policies have no budgets.
    public var keepsBudgets: Bool { false }
    /// False, as most policies are asked a little later than the earliest begin (`BackgroundParameters.notice`).
    public var ringsAtFloor: Bool { false }
    /// Does nothing, as most policies do not use the result of work.
    public mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {}
    /// Does nothing, as most policies look at a request only when it may run.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {}
    /// Does nothing, as most policies keep no list of pending requests.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) {}
    /// Nil, as most policies do not block the network.
    public func nextWindow(_ device: DeviceConditions) -> SimTime? { nil }
    /// Nil, as most policies do not defer alarms.
    public func idleUntil(_ device: DeviceConditions) -> SimTime? { nil }
    /// False, as most policies ignore motion.
    public var followsMotion: Bool { false }
    /// False, as most policies ignore motion.
    public mutating func didMove(_ device: DeviceConditions) -> Bool { false }
    /// Does nothing, as most policies need only the time since the last open.
    public mutating func didUse(_ app: AppID, from start: SimTime, to end: SimTime) {}
    /// Empty, as most policies are one rule, which `decide` names.
    public func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] { [] }
}
