// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Cause of a restart of the phone.
public enum RestartCause: String, Sendable, CaseIterable, BitwiseCopyable {
    /// The user restarts the phone.
    case user
    /// A new version of the system is installed; all apps save and end first.
    case upgrade
    /// The system has crashed; no app can save.
    case crash
}

/// Rates of automatic restarts, to install a new version of the system or after a system crash.
///
/// A new version is installed "overnight while charging and connected to Wi-Fi" (Apple, iPhone User Guide, "Update iOS
/// on iPhone"). A phone without charger or Wi-Fi in one night waits for the next night. No source states how often
/// systems crash. The download is not included, because it happens earlier, on the charger and over Wi-Fi.
public struct RestartParameters: Sendable {
    /// Number of new system versions in 30 days; their times do not depend on policies.
    ///
    /// The rate is zero unless a device file sets it; assumption, 0.5 to 1.5.
    public var upgradesPerMonth = 0.0
    /// Time for which the phone is off to install a version; assumption, 5 to 30 min.
    public var upgradeTime = SimDuration.minutes(15)
    /// Hour of the night from which a version may be installed; assumption.
    public var firstHour = 2
    /// Hour from which no version is installed; assumption.
    public var lastHour = 4
    /// Number of system crashes in 30 days; zero unless a device file sets it; assumption, 0 to 1.
    public var crashesPerMonth = 0.0
    /// Time for which the phone is off after a crash, at least the minute of a start; assumption, 1 to 2 min.
    public var crashTime = SimDuration.minutes(1)

    /// Creates the figures of a phone without automatic restarts.
    public init() {}
}

extension RestartParameters {
    /// The keys in `restarts`, with their allowed values.
    public static let keys: [FileKey<RestartParameters>] = [
        .number(\.upgradesPerMonth, "upgrades_per_month", 0...1e4, example: "1"),
        .time(\.upgradeTime, "upgrade_time", 60...86400),
        .integer(\.firstHour, "first_hour", 0...23, example: "2"),
        .integer(\.lastHour, "last_hour", 1...24, example: "4"),
        .number(\.crashesPerMonth, "crashes_per_month", 0...1e4, example: "0.5"),
        .time(\.crashTime, "crash_time", 60...86400),
    ]
}
