// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The methods of Android's `AlarmManager` with which an app sets an alarm.
public enum AlarmKind: String, Sendable, CaseIterable, BitwiseCopyable {
    /// `setInexactRepeating`: set once, late by at most three quarters of its interval.
    case repeating
    /// `set`: late by at most three quarters of the time until it is due, and by at most one hour.
    case inexact
    /// `setWindow`: within a window that the app states.
    case window
    /// `setAndAllowWhileIdle`: like `set`, and allowed a few times an hour in Doze.
    case whileIdle = "while-idle"
    /// `setExact`.
    case exact
    /// `setExactAndAllowWhileIdle`: like `setExact`, and allowed many times an hour in Doze.
    case exactWhileIdle = "exact-while-idle"
    /// `setAlarmClock`: exact and shown to the user, independent of Doze, the battery saver and buckets.
    case clock

    /// Whether an alarm of this kind needs the permission for exact alarms.
    public var isExact: Bool { self == .exact || self == .exactWhileIdle }

    /// Whether some alarms of this kind go off in Doze and under the battery saver.
    public var isWhileIdle: Bool { self == .whileIdle || self == .exactWhileIdle }

    /// The kind that replaces this one when the app lacks the permission for exact alarms.
    public var withoutPermission: AlarmKind {
        switch self {
        case .exact: .inexact
        case .exactWhileIdle: .whileIdle
        // Alarm clocks and calendars get a permission at installation (`USE_EXACT_ALARM`).
        case .repeating, .inexact, .window, .whileIdle, .clock: self
        }
    }
}

/// The repeating alarm of an app on Android.
///
/// Other systems have no alarms, only notifications, which run no process.
public struct AlarmTraits: Sendable, BitwiseCopyable {
    /// Time from one alarm to the next; zero for an app without an alarm.
    ///
    /// No published source states how many apps of a phone have an alarm, or of which kind.
    public var every = SimDuration.zero
    /// The method with which the app sets the alarm.
    public var kind = AlarmKind.repeating
    /// Length of the window that the app states, for alarms of kind `window`.
    public var window = SimDuration.minutes(10)
    /// Whether the alarm wakes the phone (`RTC_WAKEUP`) or waits until the phone is awake for another reason (`RTC`).
    public var wakesPhone = true

    /// Creates the traits of an app without an alarm.
    public init() {}

    /// The keys in `alarms` of an app, with their allowed values.
    ///
    /// No alarm is due sooner than in 5 s (AOSP `AlarmManagerService.java`, `MIN_FUTURITY`).
    public static let keys: [FileKey<AlarmTraits>] = [
        .time(\.every, "every", 5...9e6),
        .choice(\.kind, "kind", "kind of alarm"),
        .time(\.window, "window", 0...9e6),
        .flag(\.wakesPhone, "wakes"),
    ]
}
