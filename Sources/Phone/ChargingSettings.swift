import Quantities

/// How the phone deals with a charger that stays longer than the battery needs.
public enum ChargingMode: String, Sendable, CaseIterable {
    /// As the user has set it: `optimized`, or else `plain`.
    case asUser = "as-user"
    /// Charges to the end at once.
    case plain
    /// Never above the hold level.
    case hold
    /// Waits at the hold level until shortly before the user is expected to unplug.
    case optimized
}

/// The owner's settings for charging, and how the phone learns when the charger goes.
public struct ChargingSettings: Sendable {
    /// What happens at the hold level.
    public var mode = ChargingMode.asUser
    /// Level at which charging holds or waits (Apple, iOS 13 and 17: 80 %).
    public var holdLevel = 0.80
    /// How long before the expected unplugging charging goes on; assumption: the last fifth takes 70 minutes.
    public var lead = SimDuration.minutes(90)
    /// Shortest charge that teaches something (Apple Support 108055: charges of at least 5 hours).
    public var longCharge = SimDuration.hours(5)
    /// Charges like the present one that must be known (the same source: at least 9 charges).
    public var learningCharges = 9
    /// Time that the phone must have been in use (the same source: at least 14 days).
    public var learningTime = SimDuration.days(14)

    /// Creates the settings of a new phone.
    public init() {}
}

/// What the phone remembers of its long charges: when each began and ended; only the past, never the plan.
struct ChargingMemory {
    /// Charges remembered; assumption: two weeks of nights.
    private static let most = 14
    /// Largest distance between the hours of plugging in of like charges; assumption.
    private static let likeness = 3.0

    private var charges: [(plug: SimTime, unplug: SimTime)] = []

    /// A charge ended.
    mutating func note(plug: SimTime, unplug: SimTime) {
        if charges.count == Self.most { charges.removeFirst() }
        charges.append((plug, unplug))
    }

    /// When a charge that begins now will probably end: as early as the earlier ones of those like it; nil if unknown.
    func expectedUnplug(from now: SimTime, _ settings: ChargingSettings) -> SimTime? {
        guard now - .zero >= settings.learningTime else { return nil }
        let hour = now.hourOfDay
        var lengths: [Double] = []
        for charge in charges {
            let apart = abs(charge.plug.hourOfDay - hour)
            guard min(apart, 24 - apart) <= Self.likeness else { continue }
            let length = charge.unplug.hourOfDay - hour
            lengths.append(length > 0 ? length : length + 24)
        }
        guard lengths.count >= max(settings.learningCharges, 1) else { return nil }
        lengths.sort()
        return now + .hours(lengths[lengths.count / 10])
    }
}
