// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerSystem {
    /// How far the cell's temperature moves before its resistance is worked out anew, in kelvins.
    private static let temperatureStep = 0.5

    /// How warm the phone says it is.
    public var thermalState: ThermalState { thermostat.state }

    /// Temperature of the phone's body, which is that of its skin and of the battery, at an instant.
    public func bodyTemperature(at now: SimTime) -> Temperature {
        hasHeat ? .celsius(temperatures(at: now).body) : .celsius(battery.celsius)
    }

    /// Temperature of the logic board at an instant.
    public func boardTemperature(at now: SimTime) -> Temperature {
        hasHeat ? .celsius(temperatures(at: now).board) : .celsius(battery.celsius)
    }

    private func temperatures(at now: SimTime) -> (body: Double, board: Double) {
        thermostat.temperatures(after: (now - battery.time).seconds, of: heat(battery.flow))
    }

    /// Highest temperature of the body since the last `restartHighestTemperature()`, as far as it was moved.
    public var highestTemperature: Temperature { .celsius(hasHeat ? thermostat.highest : battery.celsius) }

    /// Forgets the highest temperature seen.
    public mutating func restartHighestTemperature() {
        thermostat.restart()
        battery.hasChanged = true
    }

    /// The same since the last `restartRecentHighestTemperature()`, for rows that describe an hour.
    public var recentHighestTemperature: Temperature { .celsius(hasHeat ? thermostat.recentHighest : battery.celsius) }

    /// Begins a new span for `recentHighestTemperature`, and changes nothing else: asking for a table moves no number.
    public mutating func restartRecentHighestTemperature() { thermostat.restartRecent() }

    /// The air around the phone has a temperature from now on.
    public mutating func setAmbient(_ temperature: Temperature, at now: SimTime) {
        guard hasHeat, temperature.celsius != thermostat.air else { return }
        advance(to: now)
        thermostat.setAir(temperature.celsius, at: now)
        airChanged()
    }

    /// What cools the phone is another: what is known ahead is worked out anew.
    mutating func airChanged() {
        noteBody()
        findEasyLoad()
        thermalDue = thermostat.deadline
        battery.hasChanged = true
    }

    /// Brings battery and temperatures to an instant.
    @inline(__always)
    mutating func advance(to now: SimTime) {
        if now.nanoseconds != battery.time.nanoseconds { move(to: now) }
        if owed > 0 { payOwed() }
    }

    @inline(never)
    private mutating func move(to now: SimTime) {
        guard now > battery.time else { fatalError("power was asked to go back in time") }
        let seconds = Double((now - battery.time).nanoseconds) * 1e-9
        let heat = battery.advance(to: now, after: seconds)
        guard hasHeat else { return }
        if thermostat.follow(heat, seconds) { noteBody() }
    }

    /// The temperatures were moved, maybe so far that the cell's resistance is another.
    @inline(__always)
    private mutating func noteBody() {
        if abs(thermostat.body - battery.celsius) >= Self.temperatureStep { hasOtherTemperature = true }
    }

    /// Heat made now: everything used, the cell's losses and those of the charger inside the phone.
    func heat(_ flow: Cell.Flow) -> Double {
        let own = battery.load + flow.loss
        guard battery.isPlugged else { return own }
        let converted = min(battery.load, battery.supply) + max(0, -flow.power)
        return own + battery.connectedHeat + battery.conversionHeat * converted
    }

    /// Tells the thermostat what heat is made from now on if that could ever move the thermal state.
    @inline(__always)
    mutating func followHeat() {
        if hasOtherTemperature { refreshTemperature() }
        guard hasHeat else { return }
        // On a charger only what is made once the cell takes nothing any more is known to be little.
        let isEasy =
            battery.isPlugged
            ? battery.load <= easyHeldLoad && battery.load < battery.supply && battery.charge >= battery.ceiling
            : battery.load <= easyLoad
        if !isEasy || !thermostat.isSafe { expectHeat() }
    }

    @inline(never)
    private mutating func expectHeat() {
        thermostat.expect(heat(battery.presentFlow()), at: battery.time)
        noteBody()
        thermalDue = thermostat.deadline
    }

    @inline(never)
    private mutating func refreshTemperature() {
        hasOtherTemperature = false
        battery.setTemperature(thermostat.body)
        limitCharging()
        findEasyLoad()
    }

    /// Finds a load whose heat, at most a quarter of it lost in the cell, moves no thermal state of a cool phone.
    ///
    /// The cell loses I² R, which is P R / V² of the load and the less the higher its voltage V, at least the
    /// cut-off's.
    mutating func findEasyLoad() {
        let lossy = 0.25 * battery.cutoff * battery.cutoff / max(battery.resistance * battery.largestFactor, 1e-9)
        easyLoad = min(thermostat.safeHeat / 1.25, lossy)
        easyHeldLoad = (thermostat.safeHeat - battery.connectedHeat) / (1 + battery.conversionHeat)
    }

    /// Lets the thermal state and the cell's temperature bear on charging.
    mutating func limitCharging() {
        guard let heat = parameters.heat else { return }
        let factor = heat.charging(in: thermostat.state, battery: .celsius(battery.celsius))
        if factor == battery.chargeFactor { return }
        battery.chargeFactor = factor
        battery.revision &+= 1
    }

    /// Moves the thermal state on if its time has come.
    mutating func thermalDeadline(at now: SimTime) {
        guard findsThermalDeadline(at: now) else { return }
        thermostat.deadlineReached(at: now)
        noteBody()
        thermalDue = thermostat.deadline
        limitCharging()
    }

    /// Whether the thermal state may change at an instant; finds the deadline itself where it was only bounded.
    mutating func findsThermalDeadline(at now: SimTime) -> Bool {
        guard hasHeat, thermalDue <= now else { return false }
        let isDue = thermostat.isDue(at: now)
        thermalDue = thermostat.deadline
        return isDue
    }
}
