// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kind of an action that the user, or the world around the phone, intends.
public enum IntentKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// The screen goes on; `value` is the planned length of the session in seconds.
    case unlock
    /// The screen goes off.
    case lock
    /// The user opens an app; `value` is the planned time on screen in seconds.
    case open
    /// A call or the like covers the foreground app; `value` is the length in seconds.
    case interrupt
    /// The user swipes an app away.
    case forceQuit
    /// A charger is connected until the next `unplug`; `value` is its power in watts.
    case plug
    /// The charger of the last `plug` is disconnected.
    case unplug
    /// A top-up: between `time` and `until`, a charger is connected as soon as the battery shows at most `value` (0 to
    /// 1).
    ///
    /// The charger stays connected for `duration`.
    case topUp
    /// The network in reach changes; `value` is the raw value of `Network`.
    case network
    /// A recorded push for an app, or with `value` 1 a notification that the app itself has scheduled.
    ///
    /// Generated workloads draw pushes from `PushStream` instead.
    case push
    /// The user switches Low Power Mode on (`value` 1) or off (0).
    case lowPowerMode = 11
    /// The signal of the cellular network changes; `value` is the number of a `SignalLevel`.
    case signal
    /// The phone is switched off and on again; `value` is the shortest time that it is off, in seconds.
    case restart
    /// An app is installed, or with `value` 1 a new version of an installed one.
    case install
    /// The user arrives somewhere; `value` is the number of a `Location`.
    case location

    /// Order among intents at one instant.
    ///
    /// An unlock comes before the events of its session, and a lock after them. An unplug comes before a plug.
    var rank: UInt8 {
        switch self {
        case .network: 0
        case .signal: 1
        case .location: 2
        case .unplug: 3
        case .plug: 4
        case .topUp: 5
        case .lowPowerMode: 6
        case .install: 7
        case .push: 8
        case .unlock: 9
        case .open: 10
        case .interrupt: 11
        case .forceQuit: 12
        case .lock: 13
        case .restart: 14
        }
    }
}

/// One intent, drawn in advance and the same for every policy.
public struct Intent: Sendable, BitwiseCopyable, Equatable {
    /// Instant of the intent, or the beginning of its window.
    public var time: SimTime
    /// End of the window; equal to `time` for everything but `topUp`.
    public var until: SimTime
    /// Length of a top-up's charge; zero otherwise.
    public var duration: SimDuration
    /// The number that the kind needs; see `IntentKind`.
    public var value: Double
    /// Power of a top-up's charger in watts; zero otherwise.
    public var watts: Double
    /// The app concerned, or the system.
    public var app: AppID
    /// Kind of the intent.
    public var kind: IntentKind
    /// How an app is opened; `icon` for everything but `open`.
    public var reason: OpenReason

    /// Creates an intent; omitted values are zero.
    public init(
        _ kind: IntentKind, at time: SimTime, app: AppID = .system, value: Double = 0, until: SimTime? = nil,
        duration: SimDuration = .zero, watts: Double = 0, reason: OpenReason = .icon
    ) {
        self.kind = kind
        self.time = time
        self.app = app
        self.value = value
        self.until = until ?? time
        self.duration = duration
        self.watts = watts
        self.reason = reason
    }

    /// The order in which a day's intents are handed out: time, then kind, then app.
    static func precedes(_ left: Intent, _ right: Intent) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.kind != right.kind { return left.kind.rank < right.kind.rank }
        if left.app != right.app { return left.app < right.app }
        return left.value < right.value
    }
}
