// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Why a phone is switched off to be on again at once.
public enum RestartCause: String, Sendable, CaseIterable, BitwiseCopyable {
    /// Its user wants it so.
    case user
    /// A new version of the system is installed: everybody saves and ends first.
    case upgrade
    /// The system has crashed: nobody is asked.
    case crash
}

/// How often the phone restarts of itself: to install a new version of its system, and because the system crashes.
///
/// A new version is installed "overnight while charging and connected to Wi-Fi" (Apple, iPhone User Guide, "Update iOS
/// on iPhone"); a phone for which that is not so in one night waits for the next. How often systems crash is published
/// nowhere. The download is not part of it: it is over before, on the charger and over Wi-Fi.
public struct RestartParameters: Sendable {
    /// Versions of the system that come out in 30 days, at instants that nothing moves.
    ///
    /// None unless a device file says so; an assumption, 0.5 to 1.5.
    public var upgradesPerMonth = 0.0
    /// How long the phone is off to install one; an assumption, 5 to 30 min.
    public var upgradeTime = SimDuration.minutes(15)
    /// Hour of the night from which one may be installed; assumption.
    public var firstHour = 2
    /// Hour from which none is; assumption.
    public var lastHour = 4
    /// Crashes of the system in 30 days; none unless a device file says so, an assumption, 0 to 1.
    public var crashesPerMonth = 0.0
    /// How long the phone is off after one, at least the minute that starting takes; an assumption, 1 to 2 min.
    public var crashTime = SimDuration.minutes(1)

    /// Creates the figures of a phone that never restarts of itself.
    public init() {}
}

extension RestartParameters {
    /// The keys in `restarts`, with what is allowed.
    public static let keys: [FileKey<RestartParameters>] = [
        .number(\.upgradesPerMonth, "upgrades_per_month", 0...1e4, example: "1"),
        .time(\.upgradeTime, "upgrade_time", 60...86400),
        .integer(\.firstHour, "first_hour", 0...23, example: "2"),
        .integer(\.lastHour, "last_hour", 1...24, example: "4"),
        .number(\.crashesPerMonth, "crashes_per_month", 0...1e4, example: "0.5"),
        .time(\.crashTime, "crash_time", 60...86400),
    ]
}
