import EventKernel
import Power
import Processes
import Quantities
import Vocabulary
import Workload

extension PhoneModel {
    /// Level at or below which a charge counts as one from empty.
    private static let nearlyEmpty = 0.05

    /// The charger that a plug of so many watts means: the user's own, or one by cable.
    private func charger(watts: Double) -> Charger {
        if let own = specification.charger, own.power.watts == watts { return own }
        return Charger(power: .watts(watts))
    }

    /// What the phone does at the hold level: its own setting, or the user's.
    private var chargingMode: ChargingMode {
        let mode = device.charging.mode
        if mode != .asUser { return mode }
        return specification.persona.charging.optimizedCharging ? .optimized : .plain
    }

    /// A charger is connected: it holds, waits or charges to the end.
    mutating func beginCharge(watts: Double, in engine: inout PhoneEngine) {
        let now = engine.now
        power.plugIn(charger(watts: watts), at: now)
        charge.since = now
        charge.fromEmpty = lastLevel <= Self.nearlyEmpty
        charge.passedHalf = false
        let settings = device.charging
        let full = device.power.charger.holdLevel
        switch chargingMode {
        case .asUser, .plain: power.setHoldLevel(full, at: now)
        case .hold: power.setHoldLevel(min(full, settings.holdLevel), at: now)
        case .optimized:
            guard let unplug = charge.memory.expectedUnplug(from: now, settings), unplug - settings.lead > now else {
                power.setHoldLevel(full, at: now)
                return
            }
            power.setHoldLevel(min(full, settings.holdLevel), at: now)
            engine.schedule(Slots.device(.chargeResumes), at: unplug - settings.lead, class: EventClass.battery)
        }
    }

    /// The unplugging is near: a charge that waited goes on.
    mutating func resumeCharge(at now: SimTime) {
        guard conditions.pluggedIn else { return }
        power.setHoldLevel(device.power.charger.holdLevel, at: now)
    }

    /// The charger is gone: the phone remembers the charge if it was long.
    mutating func endCharge(in engine: inout PhoneEngine) {
        let now = engine.now
        engine.cancel(Slots.device(.chargeResumes))
        guard now - charge.since >= device.charging.longCharge else { return }
        charge.memory.note(plug: charge.since, unplug: now)
        counts.unplugLevel.add(100 * power.level(at: now))
    }

    /// Notes how long a charge from empty has taken, and the time near full.
    mutating func noteCharge(_ event: BatteryEvent, at now: SimTime) {
        counts.above80.set(lastLevel > 0.80 + 1e-9 ? 1 : 0, at: now)
        guard conditions.pluggedIn, charge.fromEmpty else { return }
        if !charge.passedHalf, lastLevel >= 0.5 - 1e-9 {
            charge.passedHalf = true
            counts.chargeToHalf.add((now - charge.since).seconds / 60)
        }
        if event == .full {
            charge.fromEmpty = false
            counts.chargeToFull.add((now - charge.since).seconds / 60)
        }
    }
}

/// The charge under way, and those before it.
struct ChargeState {
    var since = SimTime.zero
    /// Whether it began with a nearly empty battery.
    var fromEmpty = false
    var passedHalf = false
    var memory = ChargingMemory()
}

/// A mean that has no value without anything counted.
struct RunningMean {
    private var sum = 0.0
    private var count = 0

    mutating func add(_ value: Double) {
        sum += value
        count += 1
    }

    var mean: Double { count == 0 ? .nan : sum / Double(count) }
}
