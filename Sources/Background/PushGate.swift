// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Silent pushes on their way to apps: the newest of each app that waits, and how many its window still allows.
///
/// The gate knows the clock and the allowance; whether the phone is in a state to launch apps the phone itself looks
/// at. Every call costs the same however many apps there are.
public struct PushGate: Sendable {
    private struct State: BitwiseCopyable {
        /// When the push that waits was sent; the distant future when none does.
        var held = SimTime.distantFuture
        /// When the present window began, and what it has let through.
        var windowStart = SimTime(nanoseconds: .min / 2)
        var used: Int32 = 0
        var lastDelivery = SimTime(nanoseconds: .min / 2)
    }

    private let parameters: PushParameters
    private var states: [State]

    /// Creates a gate without any push.
    public init(apps: Int, parameters: PushParameters) {
        self.parameters = parameters
        states = Array(repeating: State(), count: apps)
    }

    /// Holds a push; true when it replaces an older one that waited.
    public mutating func hold(_ app: AppID, sent: SimTime) -> Bool {
        let replaced = states[Int(app.index)].held != .distantFuture
        states[Int(app.index)].held = sent
        return replaced
    }

    /// When the push that waits was sent; nil when none does.
    public func held(for app: AppID) -> SimTime? {
        let held = states[Int(app.index)].held
        return held == .distantFuture ? nil : held
    }

    /// How many more pushes the app's window lets through at an instant.
    public func allowance(of app: AppID, at now: SimTime) -> Int {
        let state = states[Int(app.index)]
        let isOver = now - state.windowStart >= parameters.window
        return max(0, parameters.perWindow - (isOver ? 0 : Int(state.used)))
    }

    /// The first instant from now on at which the allowance lets a push through; the distant future when it never does.
    public func opens(for app: AppID, from now: SimTime) -> SimTime {
        guard parameters.perWindow > 0 else { return .distantFuture }
        let state = states[Int(app.index)]
        let spaced = max(now, state.lastDelivery + parameters.spacing)
        let end = state.windowStart + parameters.window
        if spaced >= end || state.used < parameters.perWindow { return spaced }
        return end
    }

    /// Takes the push that waits out of the gate, and counts it against the allowance unless the app is in the
    /// foreground.
    ///
    /// - Returns: When it was sent; nil when none waits.
    public mutating func release(_ app: AppID, inForeground: Bool, at now: SimTime) -> SimTime? {
        guard let sent = drop(app) else { return nil }
        guard !inForeground else { return sent }
        let index = Int(app.index)
        if now - states[index].windowStart >= parameters.window {
            states[index].windowStart = now
            states[index].used = 0
        }
        states[index].used += 1
        states[index].lastDelivery = now
        return sent
    }

    /// Forgets the push that waits, as a force quit or a kill does; nil when none did.
    @discardableResult
    public mutating func drop(_ app: AppID) -> SimTime? {
        guard let sent = held(for: app) else { return nil }
        states[Int(app.index)].held = .distantFuture
        return sent
    }
}
