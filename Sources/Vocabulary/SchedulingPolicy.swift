// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// When background work runs.
///
/// The phone checks what no policy may override (earliest begin, stated requirements, the app in the foreground, force
/// quit, switches) and then asks the policy. A policy that waits must name an instant or a change; it is asked again at
/// the first of them, and at no other time.
///
/// A policy is a value, as a phone is copied in mid-run with what its policies remember: a structure without references
/// to anything that changes. Copying a phone whose policy is a class traps.
public protocol SchedulingPolicy: Sendable {
    /// Whether requests come up at their earliest begin to the instant, as alarms do, and not when the OS looks next.
    var ringsAtFloor: Bool { get }
    /// Whether the policy spends the day's budgets, so that silent pushes spend them as well and wait when they are
    /// used up.
    var keepsBudgets: Bool { get }
    /// Decides whether a request that may run now does run now.
    mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision
    /// Tells the policy that work ended, and whether it brought anything new.
    mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime)
    /// Tells the policy of a request that was accepted and may not run before its earliest begin yet.
    mutating func didSubmit(_ request: RequestView, at now: SimTime)
    /// Tells the policy that a pending request is gone without having started: replaced, given up or force-quit.
    mutating func didWithdraw(_ request: RequestView, at now: SimTime)
    /// When the policy opens the network of all apps again that it holds now (Doze); nil while it holds it from nobody.
    func nextWindow(_ device: DeviceConditions) -> SimTime?
    /// When the policy lets alarms of all apps go off again that it holds now (deep Doze); nil while it holds none.
    func idleUntil(_ device: DeviceConditions) -> SimTime?
    /// Whether the policy has to be told when the phone is moved.
    var followsMotion: Bool { get }
    /// Tells the policy that the phone is moved; true when that ends what `nextWindow` answered before.
    mutating func didMove(_ device: DeviceConditions) -> Bool
    /// Tells the policy that the user has left an app which was on screen for so long.
    mutating func didUse(_ app: AppID, from start: SimTime, to end: SimTime)
    /// Says what each part of the policy answers to the question that `decide` gets next, for tables and explanations.
    func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse]
}

extension SchedulingPolicy {
    /// Most policies know no budgets.
    public var keepsBudgets: Bool { false }
    /// Most policies are asked a little later (`BackgroundParameters.notice`).
    public var ringsAtFloor: Bool { false }
    /// Most policies need not know.
    public mutating func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {}
    /// Most policies look at a request when it may run.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {}
    /// Most policies keep no list of what is pending.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) {}
    /// Most policies hold the network from nobody.
    public func nextWindow(_ device: DeviceConditions) -> SimTime? { nil }
    /// Most policies hold no alarms.
    public func idleUntil(_ device: DeviceConditions) -> SimTime? { nil }
    /// Most policies do not look at motion.
    public var followsMotion: Bool { false }
    /// Most policies do not look at motion.
    public mutating func didMove(_ device: DeviceConditions) -> Bool { false }
    /// Most policies know how long ago an app was opened, and ask for no more.
    public mutating func didUse(_ app: AppID, from start: SimTime, to end: SimTime) {}
    /// Most policies are one rule, which `decide` names.
    public func responses(to request: RequestView, _ device: DeviceConditions) -> [PolicyResponse] { [] }
}
