// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension PowerSystem {
    /// The instant at which battery and heat must be checked next if nothing changes before; `distantFuture` if never.
    ///
    /// Call this method after every batch of changes, because it updates the heat of the phone.
    /// - Complexity: constant. Parts that have not changed are not evaluated. The cell is not evaluated while the load
    ///   is at most that of the last answer.
    public mutating func nextBatteryEvent() -> SimTime {
        if battery.hasChanged || hasOtherTemperature { lookAgain() }
        return min(answer, min(chargerDeadline, thermalDue))
    }

    @inline(never)
    private mutating func lookAgain() {
        battery.hasChanged = false
        followHeat()
        if !battery.stillExpects() { lookAhead() }
    }

    @inline(never)
    private mutating func lookAhead() {
        if !isDead, battery.isBehind() {
            answer = battery.time
            return
        }
        answer = battery.nextEvent(battery.presentFlow())
        if isDead { answer = min(answer, restart) }
        // A charger's power follows the temperature even when nothing else happens.
        if hasHeat, battery.isPlugged, answer != .distantFuture {
            answer = min(answer, battery.time + Self.longestWait)
        }
    }

    /// Longest time between two updates of the temperature of a charging cell.
    private static var longestWait: SimDuration { .minutes(1) }

    /// When a dead phone with enough charge starts: at the end of a restart, or on a charger after too large a load.
    private var restart: SimTime {
        if isRestarting { return restartsAt }
        guard battery.isPlugged, battery.level >= battery.revivalLevel else { return .distantFuture }
        return max(diedAt + Self.restartTime, battery.time + SimDuration(nanoseconds: 1))
    }

    /// Time between shutting down and starting again; assumption.
    private static var restartTime: SimDuration { .minutes(1) }

    /// Whether battery or heat need an update at an instant that `nextBatteryEvent` returned.
    ///
    /// If not, the instant was only a lower bound on the next change of the thermal state. In that case only call
    /// `nextBatteryEvent` again.
    public mutating func isBatteryEventDue(at now: SimTime) -> Bool {
        findsThermalDeadline(at: now) || min(answer, chargerDeadline) <= now
    }

    /// Updates battery and heat at an instant that `nextBatteryEvent` returned; `thermalState` may differ afterwards.
    ///
    /// On `.died` everything has been switched off and booked; on `.revived` the platform and the radios are on again.
    public mutating func batteryEventReached(at now: SimTime) -> BatteryEvent {
        advance(to: now)
        thermalDeadline(at: now)
        chargerDeadline(at: now)
        holdTemperature()
        if isDead, now < diedAt + Self.restartTime { return .none }
        var event = battery.reached(isDead: isDead)
        if isRestarting {
            // Connecting a charger does not switch on a phone that was switched off.
            event = now >= restartsAt ? .revived : .none
        }
        if event == .died { shutDown(at: now) }
        if event == .revived { start(at: now) }
        return event
    }

    /// Level shown to the user at an instant, from 0 to 1.
    public mutating func level(at now: SimTime) -> Double {
        advance(to: now)
        return battery.level
    }

    /// Level of the last announcement, in whole per cent.
    public var percent: Int { battery.announced }

    /// Voltage at the terminals under the present load.
    public var terminalVoltage: Voltage { .volts(battery.flow.volts) }

    /// Whether a charger is connected.
    public var isPluggedIn: Bool { battery.isPlugged }

    /// Sets the level at which charging holds; 1 switches the option off.
    public mutating func setHoldLevel(_ level: Double, at now: SimTime) {
        advance(to: now)
        battery.holdLevel = min(max(level, 0), 1)
        battery.revision &+= 1
    }

    /// Sets the temperature of the cell, and so its resistance, in a phone without a thermal model.
    public mutating func setBatteryTemperature(_ temperature: Temperature, at now: SimTime) {
        advance(to: now)
        battery.setTemperature(temperature.celsius)
    }

    /// Whether the phone was switched off and will be on again, whatever its charge.
    public var isRestarting: Bool { restartsAt != .distantFuture }

    /// Switches the phone off for a length of time, or for the time of a start if that is longer.
    ///
    /// The phone draws nothing until then (assumption: in a minute, starting draws less than a thousandth of a day's
    /// energy).
    public mutating func restart(after length: SimDuration, at now: SimTime) {
        guard !isDead else { return }
        advance(to: now)
        shutDown(at: now)
        restartsAt = now + max(length, Self.restartTime)
        battery.revision &+= 1
    }

    /// Books everything and switches everything off.
    private mutating func shutDown(at now: SimTime) {
        flush(at: now)
        diedAt = now
        loads.removeAll(at: now, into: ledger)
        for index in 0..<radios.count { radios[index].switchOff(at: now, into: ledger) }
        battery.load = 0
        battery.idleLoad = 0
        battery.screenIsOn = false
        displayIsOn = false
        floor = .none
        display = .none
        awake = .none
        awakeHolders = 0
        isDead = true
    }

    /// Starts a dead phone again; the caller starts its loads again.
    private mutating func start(at now: SimTime) {
        isDead = false
        restartsAt = .distantFuture
        floor = startLoad(.platform, parameters.platform.suspendPower, app: .system, cause: .idle, at: now)
        followNetwork(at: now)
    }
}
