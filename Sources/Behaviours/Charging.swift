// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import PhoneCore
import Power
import Quantities
import RandomStreams
import Vocabulary
import Workload

extension DeviceTimer {
    /// A top-up ends.
    @inlinable public static var topUpEnds: DeviceTimer { DeviceTimer(7) }
    /// A charge that waited at its hold level continues.
    @inlinable public static var chargeResumes: DeviceTimer { DeviceTimer(8) }
}

/// The battery's level and the charger: connecting and disconnecting, offers to charge, Low Power Mode, the hold level.
package struct Charging {
    /// Level at or below which a charge counts as a charge from empty.
    private static let nearlyEmpty = 0.05

    /// Measures of battery and charger.
    package struct Measures: Sendable {
        let below20: TimeShare
        let above80: TimeShare
        let lowPower: TimeShare
        let firstDeath: FirstTime
        let toHalf: Count
        let halves: Count
        let toFull: Count
        let fulls: Count
        let restarts: Count
        let unplugLevel: Count
        let unplugs: Count

        package init(_ builder: inout MeasureBuilder) {
            below20 = builder.hoursPerDay(
                "hours_below_20_pct_per_day", .lower, "time with less than 20 % of battery")
            above80 = builder.hoursPerDay(
                "hours_above_80_pct_per_day", .lower,
                "time with more than 80 % of battery, which ages the cell")
            lowPower = builder.hoursPerDay("low_power_hours_per_day", .neutral, "time in Low Power Mode")
            let firstDeath = builder.firstTime()
            self.firstDeath = firstDeath
            builder.metric(
                "battery_life_h", "h", .higher,
                "time from the end of the warm-up until the battery first dies; no value if it never does"
            ) { $0.duration(to: firstDeath).map { $0 / .hour } ?? .nan }
            (unplugLevel, unplugs) = (builder.count(), builder.count())
            builder.mean(
                "unplug_pct_mean", "%", .higher,
                "mean battery level at the end of charges that last at least device.charging.long_charge", unplugLevel,
                over: unplugs)
            (toHalf, halves) = (builder.count(), builder.count())
            builder.mean(
                "charge_min_to_50", "min", .lower,
                "mean time on the charger until the battery is at 50 %; only charges that began at 5 % or less", toHalf,
                over: halves)
            (toFull, fulls) = (builder.count(), builder.count())
            builder.mean(
                "charge_min_to_100", "min", .lower,
                "mean time on the charger until the battery is full; only charges that began at 5 % or less", toFull,
                over: fulls)
            restarts = builder.perDay(
                "restarts_per_day", .neutral, "times the phone was restarted; an empty battery does not count")
        }
    }

    private let measures: Measures
    /// An open offer to charge: its end, and the highest level at which the user accepts it.
    private var offer: Intent?
    private var lastLevel: Double
    private var stream: RandomStream
    /// The present charge: its start, whether the battery was nearly empty then, and whether it has passed half.
    private var since = SimTime.zero
    private var fromEmpty = false
    private var passedHalf = false
    private var memory = ChargingMemory()

    package init(_ core: inout PhoneCore, _ measures: Measures) {
        self.measures = measures
        stream = core.stream("device", "habits")
        lastLevel = core.device.habits.initialLevel
        countLevel(lastLevel, &core)
        core.notePower(level: lastLevel)
    }

    // MARK: Level

    /// Handles the step or threshold that the battery reached.
    package mutating func batteryReached(_ event: BatteryEvent, _ core: inout PhoneCore) {
        switch event {
        case .died:
            core.measures.set(core.handles.energy.dead, 1, at: core.now)
            core.measures.mark(measures.firstDeath, at: core.now)
            core.post(.powerLost)
        case .revived:
            core.measures.set(core.handles.energy.dead, 0, at: core.now)
            core.post(.powerBack)
        default: levelChanged(event, &core)
        }
    }

    /// Handles a step of 1 %, which may affect Low Power Mode, an open offer to charge, or thresholds.
    private mutating func levelChanged(_ event: BatteryEvent, _ core: inout PhoneCore) {
        let level = core.power.level(at: core.now)
        let before = lastLevel
        lastLevel = level
        core.conditions.batteryLevel = level
        countLevel(level, &core)
        countCharge(event, &core)
        core.limitPeaks()
        // Low Power Mode is offered at 20 % and, if declined, again at 10 %.
        let habits = core.device.habits
        let offer = habits.lowPowerBelow
        let crossed = before > offer && level <= offer || before > offer / 2 && level <= offer / 2
        core.notePower(level: level)
        if crossed, !core.conditions.pluggedIn, !core.conditions.lowPowerMode {
            let accepts = core.specification.persona.charging.acceptsLowPowerMode
            setLowPowerMode(stream.bernoulli(accepts), &core)
        }
        let enough = habits.lowPowerUntil - 1e-9
        if core.conditions.lowPowerMode, core.conditions.pluggedIn, before < enough, level >= enough {
            setLowPowerMode(false, &core)
        }
        let critical = core.device.background.criticalLevel
        if before < critical, level >= critical { core.raise(.batteryRecovered) }
        acceptOffer(&core)
    }

    /// Switches Low Power Mode on or off, for the user or because the battery has enough charge.
    package func setLowPowerMode(_ on: Bool, _ core: inout PhoneCore) {
        guard on != core.conditions.lowPowerMode else { return }
        core.conditions.lowPowerMode = on
        core.measures.set(measures.lowPower, on ? 1 : 0, at: core.now)
        core.book.hourShares.lowPower.set(on ? 1 : 0, at: core.now)
        core.notePower(level: lastLevel)
        core.power.setSparesRadio(on, at: core.now)
        core.applyLimits()
        core.post(.lowPowerMode)
        if !on { core.raise(.lowPowerModeEnded) }
    }

    /// Counts the time near full and near empty.
    ///
    /// A charging battery counts as above 80 % from the instant at which it reaches that level. A battery that is held
    /// at 80 % or discharges does not.
    private func countLevel(_ level: Double, _ core: inout PhoneCore) {
        let (low, high, near) = (0.20, 0.80, 1e-6)
        var isAbove = level > high + near
        var isBelow = level < low - near
        if abs(level - high) <= near { isAbove = core.power.batteryStatus.charging > .zero }
        if abs(level - low) <= near {
            isBelow = !core.power.isPluggedIn || core.power.batteryStatus.charging < .zero
        }
        core.measures.set(measures.above80, isAbove ? 1 : 0, at: core.now)
        core.measures.set(measures.below20, isBelow ? 1 : 0, at: core.now)
    }

    /// Counts the time of a charge from empty.
    private mutating func countCharge(_ event: BatteryEvent, _ core: inout PhoneCore) {
        guard core.conditions.pluggedIn, fromEmpty else { return }
        if !passedHalf, lastLevel >= 0.5 - 1e-9 {
            passedHalf = true
            core.measures.add(measures.toHalf, (core.now - since).seconds / 60)
            core.measures.add(measures.halves)
        }
        if event == .full {
            fromEmpty = false
            core.measures.add(measures.toFull, (core.now - since).seconds / 60)
            core.measures.add(measures.fulls)
        }
    }

    /// Switches the phone off and on again after a length of time.
    package mutating func restart(for length: SimDuration, _ cause: RestartCause, _ core: inout PhoneCore) {
        core.measures.add(measures.restarts)
        core.book.restartCause = cause
        core.power.restart(after: length, at: core.now)
    }

    // MARK: Charger

    /// Connects the charger until the user unplugs it; a top-up in progress becomes part of this charge.
    package mutating func plugIn(watts: Double, _ core: inout PhoneCore) {
        core.engine.cancel(Slots.device(.topUpEnds))
        guard !core.conditions.pluggedIn else { return }
        beginCharge(watts: watts, &core)
        core.conditions.pluggedIn = true
        core.notePower(level: lastLevel)
        countLevel(core.power.level(at: core.now), &core)
        core.book.hourShares.plugged.set(1, at: core.now)
        core.followSurroundings()
        core.raise(.pluggedIn)
    }

    package mutating func unplug(_ core: inout PhoneCore) {
        offer = nil
        core.engine.cancel(Slots.device(.topUpEnds))
        guard core.conditions.pluggedIn else { return }
        endCharge(&core)
        core.power.unplug(at: core.now)
        core.conditions.pluggedIn = false
        core.notePower(level: lastLevel)
        countLevel(core.power.level(at: core.now), &core)
        core.book.hourShares.plugged.set(0, at: core.now)
        core.conditions.unpluggedSince = core.now
        core.followSurroundings()
    }

    /// Opens an offer: until its end, the user connects the charger if the battery is at or below the offer's level.
    package mutating func offerCharge(_ intent: Intent, _ core: inout PhoneCore) {
        offer = intent
        acceptOffer(&core)
    }

    private mutating func acceptOffer(_ core: inout PhoneCore) {
        guard let open = offer else { return }
        if core.now > open.until {
            offer = nil
            return
        }
        guard !core.conditions.pluggedIn, core.power.level(at: core.now) <= open.value else { return }
        plugIn(watts: open.watts, &core)
        let length = open.duration > .zero ? open.duration : open.until - core.now
        core.engine.schedule(Slots.device(.topUpEnds), after: length, class: EventClass.intent)
        offer = nil
    }

    /// The charger with this power: the user's own one if it matches, otherwise one with a cable.
    private static func charger(watts: Double, _ core: borrowing PhoneCore) -> Charger {
        if let own = core.specification.charger, own.power.watts == watts { return own }
        return Charger(power: .watts(watts))
    }

    /// Charging mode at the hold level: the phone's own setting, or the user's.
    private static func mode(_ core: borrowing PhoneCore) -> ChargingMode {
        let mode = core.device.charging.mode
        if mode != .asUser { return mode }
        return core.specification.persona.charging.optimizedCharging ? .optimized : .plain
    }

    /// Begins a charge, which stops at the hold level, waits there, or continues to the end.
    private mutating func beginCharge(watts: Double, _ core: inout PhoneCore) {
        let now = core.now
        core.power.plugIn(Self.charger(watts: watts, core), at: now)
        since = now
        fromEmpty = lastLevel <= Self.nearlyEmpty
        passedHalf = false
        let settings = core.device.charging
        let full = core.device.power.charger.holdLevel
        switch Self.mode(core) {
        case .asUser, .plain: core.power.setHoldLevel(full, at: now)
        case .hold: core.power.setHoldLevel(min(full, settings.holdLevel), at: now)
        case .optimized:
            guard let unplug = memory.expectedUnplug(from: now, settings), unplug - settings.lead > now else {
                return core.power.setHoldLevel(full, at: now)
            }
            core.power.setHoldLevel(min(full, settings.holdLevel), at: now)
            core.engine.schedule(
                Slots.device(.chargeResumes), at: unplug - settings.lead, class: EventClass.battery)
        }
    }

    /// Continues a charge that waited, shortly before the expected unplugging.
    package func resumeTimer(_ core: inout PhoneCore) {
        guard core.conditions.pluggedIn else { return }
        core.power.setHoldLevel(core.device.power.charger.holdLevel, at: core.now)
        countLevel(core.power.level(at: core.now), &core)
    }

    /// Ends a charge.
    ///
    /// The phone stores long charges in its memory of charges.
    private mutating func endCharge(_ core: inout PhoneCore) {
        core.engine.cancel(Slots.device(.chargeResumes))
        guard core.now - since >= core.device.charging.longCharge else { return }
        memory.record(plug: since, unplug: core.now)
        core.measures.add(measures.unplugLevel, 100 * core.power.level(at: core.now))
        core.measures.add(measures.unplugs)
    }
}
