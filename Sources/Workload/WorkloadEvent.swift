// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kinds of rows of a workload file.
public enum WorkloadEventKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case unlock, lock, open, home, `switch`, interrupt, forceQuit, plug, unplug, topUp, network, push, content
    case notification, lowPowerMode, signal, restart, silentPush, install, update, location

    /// The word for the kind in the file.
    public var name: String {
        switch self {
        case .unlock: "unlock"
        case .lock: "lock"
        case .open: "open"
        case .home: "home"
        case .switch: "switch"
        case .interrupt: "interrupt"
        case .forceQuit: "force_quit"
        case .plug: "plug"
        case .unplug: "unplug"
        case .topUp: "top_up"
        case .network: "network"
        case .push: "push"
        case .content: "content"
        case .notification: "notification"
        case .lowPowerMode: "low_power_mode"
        case .signal: "signal"
        case .restart: "restart"
        case .silentPush: "silent_push"
        case .install: "install"
        case .update: "update"
        case .location: "location"
        }
    }

    /// Whether the row must name an app.
    var needsApp: Bool {
        switch self {
        case .open, .switch, .forceQuit, .push, .content, .notification, .silentPush, .install, .update: true
        case .unlock, .lock, .home, .interrupt, .plug, .unplug, .topUp, .network, .lowPowerMode, .signal, .restart,
            .location:
            false
        }
    }

    /// Whether the row may name an app.
    var mayHaveApp: Bool { needsApp || self == .interrupt || self == .home }

    /// Named parts of the value; a number without a name is the first part.
    var valueKeys: [WorkloadValueKey] {
        switch self {
        case .unlock: [.seconds, .locked]
        case .open, .switch: [.seconds, .by]
        case .interrupt, .restart: [.seconds]
        case .push, .notification: [.local]
        case .plug: [.watts, .level]
        case .unplug: [.level]
        case .topUp: [.level, .until, .seconds, .watts]
        case .network: [.network]
        case .lowPowerMode: [.state]
        case .signal: [.signal]
        case .location: [.location]
        case .lock, .home, .forceQuit, .content, .silentPush, .install, .update: []
        }
    }

    /// Parts that the value must have.
    var requiredKeys: [WorkloadValueKey] {
        switch self {
        case .interrupt: [.seconds]
        case .topUp: [.level]
        case .network: [.network]
        case .lowPowerMode: [.state]
        case .signal: [.signal]
        case .location: [.location]
        default: []
        }
    }
}

/// A named part of a value, as in `level=0.35 until=64800`.
public enum WorkloadValueKey: String, Sendable, CaseIterable {
    case seconds, locked, watts, level, until, network, state, by, local, signal, location
}

/// One row of a workload file; a row takes only 48 bytes, because files hold millions of rows.
public struct WorkloadEvent: Sendable, BitwiseCopyable, Equatable {
    /// Time of the row.
    public var time: SimTime
    /// Kind of the row.
    public var kind: WorkloadEventKind
    /// Number of the network, signal level or location, depending on the kind of the row.
    public var network: UInt8 = 0
    /// How an app is opened.
    public var reason = OpenReason.icon
    private var bits: UInt8 = 0
    /// The app's index in the file's table of names; -1 without an app.
    public var app: Int32
    /// Length in seconds; not a number when the row has none.
    public var seconds = Double.nan
    /// Power of a charger in watts; not a number when the row has none.
    public var watts = Double.nan
    /// Battery level, or the threshold of a top-up, 0 to 1; not a number when the row has none.
    public var level = Double.nan
    /// The end of a top-up's window; the beginning of the window when the row states no end.
    public var until: SimTime

    /// Whether the screen went on without being unlocked, so that no app was opened.
    public var isLocked: Bool {
        get { bits & 1 != 0 }
        set { set(1, newValue) }
    }
    /// Whether Low Power Mode is switched on rather than off.
    public var isOn: Bool {
        get { bits & 2 != 0 }
        set { set(2, newValue) }
    }
    /// Whether the app itself has scheduled the notification, so that nothing was sent to the phone.
    public var isLocal: Bool {
        get { bits & 4 != 0 }
        set { set(4, newValue) }
    }

    /// Creates a row without a value.
    public init(_ kind: WorkloadEventKind, at time: SimTime, app: Int = -1) {
        self.kind = kind
        self.time = time
        self.app = Int32(app)
        until = time
    }

    private mutating func set(_ bit: UInt8, _ value: Bool) { bits = value ? bits | bit : bits & ~bit }

    /// Compares the rows; numbers that are missing on both sides are equal.
    public static func == (left: WorkloadEvent, right: WorkloadEvent) -> Bool {
        func same(_ a: Double, _ b: Double) -> Bool { a == b || (a.isNaN && b.isNaN) }
        return left.time == right.time && left.kind == right.kind && left.app == right.app
            && same(left.seconds, right.seconds) && same(left.watts, right.watts) && same(left.level, right.level)
            && left.until == right.until && left.network == right.network && left.bits == right.bits
            && left.reason == right.reason
    }
}
