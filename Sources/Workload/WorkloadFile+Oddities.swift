// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension WorkloadFile {
    /// Sentences about rows that no phone in use would produce; a run of such rows compares policies on an impossible
    /// day.
    public var oddities: [String] {
        var found: [String] = []
        let charges = rawCharges
        let short = charges.count { $0 < 60 }
        if short > 2, short * 2 > charges.count {
            found.append("\(short) of \(charges.count) charges last less than a minute")
        }
        if openHoursPerDay > 24 {
            found.append("apps are open for \(Int(openHoursPerDay.rounded())) hours a day")
        }
        if !events.contains(where: { $0.kind == .unlock || $0.kind == .open }) {
            found.append("no session and no app was recorded, so without a persona the phone is not used")
        }
        return found
    }

    /// Hours a day with an app on screen, by the rows; the divisor is at least one day.
    public var openHoursPerDay: Double {
        let seconds = events.reduce(0) { $1.kind == .open && !$1.seconds.isNaN ? $0 + $1.seconds : $0 }
        return seconds / 3600 / max(1, covered.days)
    }

    /// Seconds of each charge, whatever its length.
    private var rawCharges: [Double] {
        var start: SimTime?
        return events.compactMap { event in
            if event.kind == .plug { start = event.time }
            guard event.kind == .unplug, let began = start else { return nil }
            start = nil
            return (event.time - began).seconds
        }
    }
}
