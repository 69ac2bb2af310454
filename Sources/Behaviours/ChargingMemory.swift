// SPDX-License-Identifier: GPL-3.0-or-later
import PhoneCore
import Quantities

/// Start and end of the phone's past long charges.
///
/// The phone never reads the user's plan.
struct ChargingMemory {
    /// Number of charges stored.
    ///
    /// Assumption: two weeks of nights.
    private static let most = 14
    /// Largest difference, in hours, between the times of day at which similar charges begin; assumption.
    private static let likeness = 3.0

    private var charges: [(plug: SimTime, unplug: SimTime)] = []

    /// Adds a charge that ended.
    mutating func record(plug: SimTime, unplug: SimTime) {
        if charges.count == Self.most { charges.removeFirst() }
        charges.append((plug, unplug))
    }

    /// Probable end of a charge that begins now; nil if it is unknown.
    ///
    /// Similar charges began at about this time of day. Nine in ten of them ended later than the returned time.
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
