import Quantities

extension PowerSystem {
    /// How far the cell's temperature moves before its resistance is worked out anew, in kelvins.
    private static let temperatureStep = 0.5

    /// How warm the phone says it is.
    public var thermalState: ThermalState { thermostat.state }

    /// Temperature of the phone's body, which is that of its skin and of the battery, at an instant.
    public func bodyTemperature(at now: SimTime) -> Temperature {
        hasHeat ? .celsius(thermostat.temperatures(at: now).body) : .celsius(battery.celsius)
    }

    /// Temperature of the logic board at an instant.
    public func boardTemperature(at now: SimTime) -> Temperature {
        hasHeat ? .celsius(thermostat.temperatures(at: now).board) : .celsius(battery.celsius)
    }

    /// Highest temperature of the body since the last `restartHighestTemperature(at:)`, as far as it was moved.
    public var highestTemperature: Temperature { .celsius(hasHeat ? thermostat.highest : battery.celsius) }

    /// Forgets the highest temperature seen.
    public mutating func restartHighestTemperature(at now: SimTime) { thermostat.restart(at: now) }

    /// The air around the phone has a temperature from now on.
    public mutating func setAmbient(_ temperature: Temperature, at now: SimTime) {
        guard hasHeat, temperature.celsius != thermostat.air else { return }
        battery.advance(to: now)
        thermostat.setAir(temperature.celsius, at: now)
        thermalDue = thermostat.deadline
    }

    /// Heat made now: everything used, the cell's losses and those of the charger inside the phone.
    @inline(__always)
    private func heat(_ flow: Cell.Flow) -> Double {
        let own = battery.load + flow.loss
        guard battery.isPlugged else { return own }
        return own + battery.conversionHeat * (min(battery.load, battery.supply) + max(0, -flow.power))
    }

    /// Carries a change of the heat to the temperatures, and theirs to the cell; returns what the cell does then.
    @inline(__always)
    mutating func followHeat() -> Cell.Flow {
        let flow = battery.presentFlow()
        guard hasHeat else { return flow }
        let heat = heat(flow)
        guard heat != madeHeat else { return flow }
        madeHeat = heat
        let after = thermostat.setHeat(heat, at: battery.time)
        thermalDue = after.deadline
        if abs(after.body - battery.celsius) < Self.temperatureStep { return flow }
        refreshTemperature()
        return battery.presentFlow()
    }

    @inline(never)
    private mutating func refreshTemperature() {
        battery.setTemperature(thermostat.body)
        limitCharging()
    }

    /// Lets the thermal state and the cell's temperature bear on charging.
    mutating func limitCharging() {
        guard let heat = parameters.heat else { return }
        battery.chargeFactor = heat.charging(in: thermostat.state, battery: .celsius(battery.celsius))
    }

    /// Moves the thermal state on if its time has come.
    mutating func thermalDeadline(at now: SimTime) {
        guard hasHeat, thermalDue <= now else { return }
        thermostat.deadlineReached(at: now)
        thermalDue = thermostat.deadline
        limitCharging()
    }
}
