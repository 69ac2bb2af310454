import Background
import EventKernel
import Power
import Quantities
import Vocabulary
import Workload

extension PhoneModel {
    /// Share of the highest clocks that heat, battery and Low Power Mode leave to the processors, 0 to 1.
    var performanceCap: Double {
        let heat = device.power.heat?.performance(in: power.thermalState) ?? 1
        return min(heat, batteryCap, conditions.lowPowerMode ? device.habits.lowPowerPerformance : 1)
    }

    /// Brightness now: the user's setting, dimmed in Low Power Mode and by a hot phone.
    var brightness: Double {
        let own = device.habits.brightness * (conditions.lowPowerMode ? device.habits.lowPowerBrightness : 1)
        return own * (device.power.heat?.brightness(in: power.thermalState) ?? 1)
    }

    /// The phone became warmer or cooler by a state: display and processors follow, and work held back may run.
    mutating func thermalStateChanged(in engine: inout PhoneEngine) {
        let before = conditions.thermalLevel
        conditions.thermalLevel = power.thermalState.rawValue
        noteThermalState(at: engine.now)
        followBattery(at: engine.now)
        followLimits(at: engine.now)
        if conditions.thermalLevel < before { raised.insert(.cooled) }
        if conditions.thermalLevel >= BackgroundParameters.stoppingThermalLevel { shedContinued(in: &engine) }
    }

    /// Keeps the processors from a peak that the battery could not carry.
    ///
    /// Apple Support HT208387 ("iPhone battery and performance"): peaks are managed where a cold, old or nearly empty
    /// battery would let the voltage fall; by how much is not said, so the clocks are cut to where the peak fits.
    mutating func followBattery(at now: SimTime) {
        guard device.habits.performanceManagement else { return }
        let processor = device.power.processor.performance
        let fits = power.peakPower(at: now) - device.habits.otherPeak
        let cores = Double(processor.cores)
        let highest = processor.points.last { processor.power(busyCores: cores, at: $0) <= fits } ?? processor.points[0]
        let cap = highest.frequency / (processor.points.last ?? highest).frequency
        guard cap != batteryCap else { return }
        batteryCap = cap
        followLimits(at: now)
    }

    /// Brings processors, brightness and the running app to what heat and Low Power Mode leave them.
    mutating func followLimits(at now: SimTime) {
        power.setPerformanceCap(performanceCap)
        power.displayFactor = conditions.lowPowerMode ? device.habits.lowPowerDisplay : 1
        guard !power.isDead else { return }
        if conditions.screenOn { showDisplay(for: foreground, at: now) }
        guard foreground != .system, !runtime[Int(foreground.index)].isComingUp else { return }
        power.setLoad(runtime[Int(foreground.index)].load, to: foregroundPower(of: foreground), at: now)
    }

    /// Power of the cores that the app on screen keeps busy.
    func foregroundPower(of app: AppID) -> Power {
        power.processor.interactivePower(load: apps[Int(app.index)].foregroundLoad)
    }

    /// The air around the phone at an hour of the day.
    mutating func followAmbient(at now: SimTime) {
        power.setAmbient(specification.persona.ambient(hour: now.hour % 24), at: now)
    }

    /// Counts the time in the hotter states, for the run and for the hour.
    mutating func noteThermalState(at now: SimTime) {
        counts.hot.set(conditions.thermalLevel >= ThermalState.serious.rawValue ? 1 : 0, at: now)
        hourHeat.fair.set(conditions.thermalLevel >= ThermalState.fair.rawValue ? 1 : 0, at: now)
        hourHeat.hot.set(conditions.thermalLevel >= ThermalState.serious.rawValue ? 1 : 0, at: now)
    }

    /// Fills what an hour's row says about heat, charging and Low Power Mode, and begins the next hour.
    mutating func fillHeat(at now: SimTime) {
        hourRow.batteryCelsius = power.bodyTemperature(at: now).celsius
        hourRow.fairSeconds = hourHeat.fair.take(at: now)
        hourRow.hotSeconds = hourHeat.hot.take(at: now)
        hourRow.lowPowerSeconds = hourHeat.lowPower.take(at: now)
        hourRow.pluggedSeconds = hourHeat.plugged.take(at: now)
        hourRow.lockedSeconds = hourHeat.locked.take(at: now)
    }
}

/// Time shares of the present hour.
struct HourHeat {
    var fair = TimeIntegral(0)
    var hot = TimeIntegral(0)
    var lowPower = TimeIntegral(0)
    var plugged = TimeIntegral(0)
    /// Phones start locked.
    var locked = TimeIntegral(1)
}

extension TimeIntegral {
    /// The integral since the last restart, which this is.
    mutating func take(at now: SimTime) -> Double {
        let value = integral(until: now)
        restart(at: now)
        return value
    }
}
