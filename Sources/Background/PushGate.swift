// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Silent pushes on their way to apps: the newest waiting push of each app, and the app's remaining allowance.
///
/// The gate tracks only time and allowance. The phone itself checks whether its state permits launches. The cost of a
/// call does not depend on the number of apps.
public struct PushGate: Sendable {
    private struct State: BitwiseCopyable {
        /// When the waiting push was sent; the distant future if none waits.
        var held = SimTime.distantFuture
        /// Start of the present window, and the number of pushes that it has let through.
        var windowStart = SimTime(nanoseconds: .min / 2)
        var used: Int32 = 0
        var lastDelivery = SimTime(nanoseconds: .min / 2)
    }

    private let parameters: PushParameters
    private var states: [State]

    /// Creates a gate without pushes.
    public init(apps: Int, parameters: PushParameters) {
        self.parameters = parameters
        states = Array(repeating: State(), count: apps)
    }

    /// Makes a push wait; returns true if it replaces an older waiting push.
    public mutating func hold(_ app: AppID, sent: SimTime) -> Bool {
        let replaced = states[Int(app.index)].held != .distantFuture
        states[Int(app.index)].held = sent
        return replaced
    }

    /// When the waiting push was sent; nil if none waits.
    public func held(for app: AppID) -> SimTime? {
        let held = states[Int(app.index)].held
        return held == .distantFuture ? nil : held
    }

    /// Number of further pushes that the app's window lets through at an instant.
    public func allowance(of app: AppID, at now: SimTime) -> Int {
        let state = states[Int(app.index)]
        let isOver = now - state.windowStart >= parameters.window
        return max(0, parameters.perWindow - (isOver ? 0 : Int(state.used)))
    }

    /// The next instant at which the allowance lets a push through; the distant future if there is none.
    public func opens(for app: AppID, from now: SimTime) -> SimTime {
        guard parameters.perWindow > 0 else { return .distantFuture }
        let state = states[Int(app.index)]
        let spaced = max(now, state.lastDelivery + parameters.spacing)
        let end = state.windowStart + parameters.window
        if spaced >= end || state.used < parameters.perWindow { return spaced }
        return end
    }

    /// Releases the waiting push, and counts it against the allowance unless the app is in the foreground.
    ///
    /// - Returns: When the push was sent; nil if none waits.
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

    /// Drops the waiting push after a force quit or a kill; returns nil if none waits.
    @discardableResult
    public mutating func drop(_ app: AppID) -> SimTime? {
        guard let sent = held(for: app) else { return nil }
        states[Int(app.index)].held = .distantFuture
        return sent
    }
}
