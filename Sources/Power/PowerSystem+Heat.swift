// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerSystem {
    /// The cell's resistance is calculated again after a change of its temperature by this many kelvins.
    private static let temperatureStep = 0.5

    /// Thermal state that the phone reports.
    public var thermalState: ThermalState { thermostat.state }

    /// Temperature of the phone's body, and so of its skin and battery, at an instant.
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

    /// Highest temperature of the body since the last `restartHighestTemperature()`, as of the last update.
    public var highestTemperature: Temperature { .celsius(hasHeat ? thermostat.highest : battery.celsius) }

    /// Forgets the highest temperature seen.
    public mutating func restartHighestTemperature() {
        thermostat.restart()
        battery.hasChanged = true
    }

    /// Highest temperature of the body since the last `restartRecentHighestTemperature()`, for hourly rows.
    public var recentHighestTemperature: Temperature { .celsius(hasHeat ? thermostat.recentHighest : battery.celsius) }

    /// Begins a new span for `recentHighestTemperature` and changes nothing else, so that tables do not affect results.
    public mutating func restartRecentHighestTemperature() { thermostat.restartRecent() }

    /// Sets the temperature of the air around the phone.
    public mutating func setAmbient(_ temperature: Temperature, at now: SimTime) {
        guard hasHeat, temperature.celsius != thermostat.air else { return }
        advance(to: now)
        thermostat.setAir(temperature.celsius, at: now)
        airChanged()
    }

    /// Discards values calculated ahead, after the cooling of the phone has changed.
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
        guard now > battery.time else { fatalError("the power system cannot go back in time") }
        let seconds = Double((now - battery.time).nanoseconds) * 1e-9
        let heat = battery.advance(to: now, after: seconds)
        guard hasHeat else { return }
        if thermostat.follow(heat, seconds) { noteBody() }
    }

    /// Follows a change of the temperatures, which may change the cell's resistance.
    @inline(__always)
    private mutating func noteBody() {
        if abs(thermostat.body - battery.celsius) >= Self.temperatureStep { hasOtherTemperature = true }
    }

    /// Heat made now, in watts: all power used, and the losses of cell and charger inside the phone.
    func heat(_ flow: Cell.Flow) -> Double {
        let own = battery.load + flow.loss
        guard battery.isPlugged else { return own }
        let converted = min(battery.load, battery.supply) + max(0, -flow.power)
        return own + battery.connectedHeat + battery.conversionHeat * converted
    }

    /// Passes the heat made from now on to the thermostat if that heat could ever change the thermal state.
    @inline(__always)
    mutating func followHeat() {
        if hasOtherTemperature { refreshTemperature() }
        guard hasHeat else { return }
        // On a charger, heat is known to be small only once the cell takes nothing more.
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

    /// Finds the largest load whose heat cannot change the thermal state of a cool phone.
    ///
    /// Under this load P, the cell loses at most a quarter of P. The loss I² R is P² R / V², which is largest at the
    /// lowest voltage V, the cut-off.
    mutating func findEasyLoad() {
        let lossy = 0.25 * battery.cutoff * battery.cutoff / max(battery.resistance * battery.largestFactor, 1e-9)
        easyLoad = min(thermostat.safeHeat / 1.25, lossy)
        easyHeldLoad = (thermostat.safeHeat - battery.connectedHeat) / (1 + battery.conversionHeat)
    }

    /// Applies the thermal state and the cell's temperature to charging.
    mutating func limitCharging() {
        guard let heat = parameters.heat else { return }
        let factor = heat.charging(in: thermostat.state, battery: .celsius(battery.celsius))
        if factor == battery.chargeFactor { return }
        battery.chargeFactor = factor
        battery.revision &+= 1
    }

    /// Changes the thermal state if it is due.
    mutating func thermalDeadline(at now: SimTime) {
        guard findsThermalDeadline(at: now) else { return }
        thermostat.deadlineReached(at: now)
        noteBody()
        thermalDue = thermostat.deadline
        limitCharging()
    }

    /// Whether the thermal state may change at an instant; finds the exact deadline if only a bound was known.
    mutating func findsThermalDeadline(at now: SimTime) -> Bool {
        guard hasHeat, thermalDue <= now else { return false }
        let isDue = thermostat.isDue(at: now)
        thermalDue = thermostat.deadline
        return isDue
    }
}
