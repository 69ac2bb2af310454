// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Behaviour on a charger that stays connected longer than the battery needs.
public enum ChargingMode: String, Sendable, CaseIterable {
    /// The user's setting: `optimized` or `plain`.
    case asUser = "as-user"
    /// Charges to the end without a wait.
    case plain
    /// Never charges above the hold level.
    case hold
    /// Waits at the hold level until shortly before the user is expected to unplug.
    case optimized
}

/// The owner's settings for charging, and the rules by which the phone learns when the user unplugs it.
public struct ChargingSettings: Sendable {
    /// Behaviour at the hold level.
    public var mode = ChargingMode.asUser
    /// Level at which charging holds or waits (Apple, iOS 13 and 17: 80 %).
    public var holdLevel = 0.80
    /// Time before the expected unplugging at which charging resumes; assumption: the last fifth takes 70 minutes.
    public var lead = SimDuration.minutes(90)
    /// Shortest charge from which the phone learns (Apple Support 108055: charges of at least 5 hours).
    public var longCharge = SimDuration.hours(5)
    /// Least number of known charges that are similar to the present charge (same source: at least 9 charges).
    public var learningCharges = 9
    /// Least time for which the phone must have been in use (the same source: at least 14 days).
    public var learningTime = SimDuration.days(14)

    /// Creates the settings of a new phone.
    public init() {}
}

extension ChargingSettings {
    /// The keys of these settings in files, with their allowed values.
    public static let keys: [FileKey<ChargingSettings>] = [
        .choice(\.mode, "mode", "charging mode"),
        .share(\.holdLevel, "hold_level"),
        .time(\.lead, "lead", 0...86400),
        .time(\.longCharge, "long_charge", 0...86400),
        .integer(\.learningCharges, "learning_charges", 1...14, example: "9"),
        .time(\.learningTime, "learning_time"),
    ]
}
