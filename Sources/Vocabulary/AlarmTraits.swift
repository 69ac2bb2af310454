// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How an app asks Android's alarm manager to be run, named after the calls of `AlarmManager`.
public enum AlarmKind: String, Sendable, CaseIterable, BitwiseCopyable {
    /// `setInexactRepeating`: asked for once, late by three quarters of its interval at the most.
    case repeating
    /// `set`: late by three quarters of the time until it is due, an hour at the most.
    case inexact
    /// `setWindow`: within a window that the app states.
    case window
    /// `setAndAllowWhileIdle`: as `set`, and a few an hour in Doze.
    case whileIdle = "while-idle"
    /// `setExact`.
    case exact
    /// `setExactAndAllowWhileIdle`: as `setExact`, and many an hour in Doze.
    case exactWhileIdle = "exact-while-idle"
    /// `setAlarmClock`: exact and shown to the user, whatever Doze, the battery saver and buckets say.
    case clock

    /// Whether the app needs the permission for exact alarms.
    public var isExact: Bool { self == .exact || self == .exactWhileIdle }

    /// Whether some go off in Doze and under the battery saver.
    public var isWhileIdle: Bool { self == .whileIdle || self == .exactWhileIdle }

    /// What is left of it for an app without the permission for exact alarms.
    public var withoutPermission: AlarmKind {
        switch self {
        case .exact: .inexact
        case .exactWhileIdle: .whileIdle
        // Clocks and calendars have a permission that they are installed with (`USE_EXACT_ALARM`).
        case .repeating, .inexact, .window, .whileIdle, .clock: self
        }
    }
}

/// The alarm of an app on a phone that has alarms, which is Android's; other systems have notifications, which run
/// nobody.
public struct AlarmTraits: Sendable, BitwiseCopyable {
    /// Time from one alarm to the next; zero for an app without.
    ///
    /// Nobody has published how many apps of a phone have one, or of which kind.
    public var every = SimDuration.zero
    /// How the app asks for it.
    public var kind = AlarmKind.repeating
    /// The window that the app states, for `window`.
    public var window = SimDuration.minutes(10)
    /// Whether it wakes the phone (`RTC_WAKEUP`), or goes off when the phone is awake anyway (`RTC`).
    public var wakesPhone = true

    /// Creates the traits of an app without an alarm.
    public init() {}

    /// The keys in `alarms` of an app, with what is allowed; nothing is due sooner than in 5 s (AOSP
    /// `AlarmManagerService.java`, `MIN_FUTURITY`).
    public static let keys: [FileKey<AlarmTraits>] = [
        .time(\.every, "every", 5...9e6),
        .choice(\.kind, "kind", "kind of alarm"),
        .time(\.window, "window", 0...9e6),
        .flag(\.wakesPhone, "wakes"),
    ]
}
