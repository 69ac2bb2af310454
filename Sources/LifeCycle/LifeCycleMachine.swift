// SPDX-License-Identifier: GPL-3.0-or-later
// LifeCycle owns the life cycle of one app: states of its process and its windows, legal moves, and callbacks for each
// move. It also owns the clocks of the system for a process: grace, task assertions, watchdogs, and the limit of
// processor time.
// In: moves and events of a process, each with its instant. Out: states, callbacks, deadlines and verdicts.
// It depends on no process table, no memory and no engine; the phone and the scenario scripts use the same values.
// Read first: this file, then `LifeCycleClock.swift`.

import Vocabulary

/// A move of the life-cycle machine; windows are numbered.
public enum LifeCycleMove: Sendable, Equatable {
    /// The system starts a process up to `main`, before the user opens the app.
    case prewarm
    /// The user opens an app that has no process or a prewarmed one.
    case launch(window: Int)
    /// The system starts the app for an event; no window connects.
    case launchInBackground
    /// A window comes to the screen in a living process.
    case enterForeground(window: Int)
    /// A window on screen receives events.
    case becomeActive(window: Int)
    /// A window on screen receives no events for some time: an interruption, or a move to the background.
    case resignActive(window: Int)
    /// A window leaves the screen.
    case enterBackground(window: Int)
    /// A process without a visible window stops executing.
    case suspend
    /// A suspended process executes for an event, without a window.
    case resumeInBackground
    /// A window in the background is disconnected: its memory is reclaimed, or the user closed it for good.
    case disconnect(window: Int, isDiscarded: Bool)
    /// The process ends, either in an orderly way or by a kill or crash.
    case end(isOrderly: Bool)
}

/// The life cycle of one app: its process and its windows (scenes) together.
///
/// While a window is on screen, the process has no state of its own: its state is that of its foremost window.
/// Contradictory pairs of states therefore cannot be represented (UIKit, "Managing your app's life cycle"). Closing a
/// window never ends the process. Kills and crashes lead from every state to not running. An illegal move traps; use
/// `allows` to check.
public struct LifeCycleMachine: Sendable, BitwiseCopyable, Equatable {
    /// Largest number of windows of an app.
    public static let mostWindows = AppModel.mostWindows

    /// State of the process while no window is on screen.
    private var rest = ProcessState.notRunning
    /// Windows by state, one bit per window.
    private var active: UInt8 = 0
    private var inactive: UInt8 = 0
    private var background: UInt8 = 0
    private var disconnected: UInt8 = 0

    /// Creates an app without a process.
    public init() {}

    /// The state of the process.
    @inline(__always)
    public var state: ProcessState {
        if active != 0 { return .active }
        return inactive != 0 ? .inactive : rest
    }

    /// The state of a window.
    public func state(ofWindow window: Int) -> SceneState {
        let bit = Self.bit(window)
        if active & bit != 0 { return .foregroundActive }
        if inactive & bit != 0 { return .foregroundInactive }
        if background & bit != 0 { return .background }
        return disconnected & bit != 0 ? .disconnected : .unattached
    }

    /// Number of connected windows.
    public var connectedWindows: Int { (active | inactive | background).nonzeroBitCount }

    /// The connected window in the background with the highest number.
    public var lastBackgroundWindow: Int? {
        background == 0 ? nil : 7 - background.leadingZeroBitCount
    }

    /// The connected windows, one bit each.
    var connected: UInt8 { active | inactive | background }

    static func bit(_ window: Int) -> UInt8 {
        guard window >= 0 && window < mostWindows else { fatalError("the app has no window \(window)") }
        return 1 << UInt8(window)
    }
}

extension LifeCycleMachine {
    /// Whether a move is legal now.
    public func allows(_ move: LifeCycleMove) -> Bool {
        switch move {
        case .prewarm: return state == .notRunning
        case .launch, .launchInBackground: return state == .notRunning || state == .prewarmed
        case .enterForeground(let window):
            return state != .notRunning && state != .prewarmed && (active | inactive) & Self.bit(window) == 0
        case .becomeActive(let window): return inactive & Self.bit(window) != 0
        case .resignActive(let window): return active & Self.bit(window) != 0
        case .enterBackground(let window): return inactive & Self.bit(window) != 0
        case .suspend: return state == .background
        case .resumeInBackground: return state == .suspended
        case .disconnect(let window, _): return background & Self.bit(window) != 0
        case .end: return state != .notRunning
        }
    }

    /// Makes a move; an illegal move traps.
    public mutating func apply(_ move: LifeCycleMove) {
        guard allows(move) else { fatalError("the move \(move) is not allowed for an app that is \(state)") }
        switch move {
        case .prewarm: rest = .prewarmed
        case .launch(let window), .enterForeground(let window):
            // A suspended process passes through the background for no time.
            rest = .background
            remove(Self.bit(window))
            inactive |= Self.bit(window)
        case .launchInBackground, .resumeInBackground: rest = .background
        case .becomeActive(let window):
            remove(Self.bit(window))
            active |= Self.bit(window)
        case .resignActive(let window):
            remove(Self.bit(window))
            inactive |= Self.bit(window)
        case .enterBackground(let window):
            remove(Self.bit(window))
            background |= Self.bit(window)
        case .suspend: rest = .suspended
        case .disconnect(let window, let isDiscarded):
            remove(Self.bit(window))
            if !isDiscarded { disconnected |= Self.bit(window) }
        case .end: self = LifeCycleMachine()
        }
    }

    /// Removes a window from every set of windows.
    @inline(__always)
    private mutating func remove(_ bit: UInt8) {
        active &= ~bit
        inactive &= ~bit
        background &= ~bit
        disconnected &= ~bit
    }
}
