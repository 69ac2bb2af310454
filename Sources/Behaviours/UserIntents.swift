// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities
import Workload

/// The intents of the user's days, in order of time.
package struct UserIntents {
    private var source: WorkloadSource
    private var intents: [Intent] = []
    private var next = 0

    package init(_ core: borrowing PhoneCore) { source = core.specification.workload }

    /// A hash of the workload, equal under every policy.
    package var fingerprint: UInt64 { source.fingerprint }

    /// Schedules the next intent; reads the next day from the workload after the last intent of the present day.
    package mutating func schedule(_ core: inout PhoneCore) {
        while next == intents.count {
            intents.removeAll(keepingCapacity: true)
            next = 0
            guard source.nextDay(into: &intents) else { return }
        }
        let time = max(intents[next].time, core.now)
        core.engine.schedule(Slots.device(.intent), at: time, class: EventClass.intent)
    }

    /// Removes and returns the due intent.
    package mutating func popDue() -> Intent {
        defer { next += 1 }
        return intents[next]
    }

    /// Whether the user opens any app before an instant of the present day.
    ///
    /// Mutating, so that the call does not copy the user's days.
    package mutating func opens(before end: SimTime) -> Bool {
        var index = next
        while index < intents.count, intents[index].time <= end {
            if intents[index].kind == .open { return true }
            index += 1
        }
        return false
    }

    /// Planned end of a visit; the distant future if another open or the lock ends the visit.
    ///
    /// Mutating, so that the call does not copy the user's days.
    package mutating func plannedEnd(of visit: Intent) -> SimTime {
        guard visit.value > 0 else { return .distantFuture }
        let planned = visit.time + .seconds(visit.value)
        var index = next
        while index < intents.count, intents[index].time <= planned {
            if intents[index].kind == .open || intents[index].kind == .lock { return .distantFuture }
            index += 1
        }
        return planned
    }
}
