// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import Vocabulary
import Workload

/// Power of the foreground app, and its limits by heat, battery and Low Power Mode.
extension PhoneCore {
    /// Shows an app on the display, with the usual picture level of its activity.
    package mutating func showDisplay(for app: AppID) {
        let activity = app == .system ? ActivityClass.general : apps[Int(app.index)].activity
        let parameters = device.power.activities[activity]
        let dark = device.habits.darkMode ? 1 : specification.persona.screen.dark
        let level = parameters.pictureLevel + dark * (parameters.darkPictureLevel - parameters.pictureLevel)
        let rate = device.power.display.rate(of: parameters, inLowPowerMode: conditions.lowPowerMode)
        power.setDisplay(on: true, brightness: brightness, pictureLevel: level, rate: rate, app: app, at: now)
    }

    /// Starts the parts that the active foreground app needs.
    package mutating func startFrontParts(of app: AppID) {
        let activity = apps[Int(app.index)].activity
        power.stopActivity(front.parts, at: now)
        conditions.cameraOn = device.power.activities[activity].camera > 0
        front.parts = power.startActivity(activity, app: app, cause: .foreground, at: now)
    }

    /// Stops the parts of a foreground app that the user left or that ended.
    package mutating func stopFrontParts() {
        power.stopActivity(front.parts, at: now)
        front.parts = .none
        guard conditions.cameraOn else { return }
        conditions.cameraOn = false
        wireCamera()
        raise(.cameraStopped)
    }

    /// Wires the memory of the camera and its image processor while they are on; this can cause kills.
    package mutating func wireCamera() {
        guard device.memory.cameraWired > .zero else { return }
        processes.setBallast(conditions.cameraOn ? device.memory.cameraWired : .zero, at: now)
    }

    /// Ends the processor load of the foreground app.
    package mutating func stopFrontLoad() {
        power.stopLoad(front.load, at: now)
        front.load = .none
    }

    /// Power of the cores that the app on screen keeps busy.
    package func foregroundPower(of app: AppID) -> Power {
        power.processor.interactivePower(load: apps[Int(app.index)].foregroundLoad * effort(of: app))
    }

    /// Share of an app's usual work that the app does now; below 1 if the app saves power and power is short.
    @inline(__always)
    package func effort(of app: AppID) -> Double { isPowerShort ? apps[Int(app.index)].lowPowerWork : 1 }

    /// Updates whether power is short.
    ///
    /// Power is short in Low Power Mode, or off the charger at or below the level at which that mode is offered. An app
    /// on screen that saves power then works less, and saves its state when the shortage begins.
    package mutating func notePower(level: Double) {
        let isLow = !conditions.pluggedIn && level < device.habits.lowPowerBelow + 1e-9
        let isShort = conditions.lowPowerMode || isLow
        guard isShort != isPowerShort else { return }
        isPowerShort = isShort
        let app = front.app
        guard app != .system, apps[Int(app.index)].lowPowerWork < 1, processes.state(of: app) == .active else { return }
        applyLimits()
        guard isShort, !lives[Int(app.index)].saveFails else { return }
        lives[Int(app.index)].lastSave = now
        measures.add(handles.lowPowerSaves, of: app)
        record(.lowPowerSave, app, from: .active, to: .active)
    }

    /// Share of the processors' highest clocks under the limits of heat, battery and Low Power Mode, 0 to 1.
    private var performanceCap: Double {
        let heat = device.power.heat?.performance(in: power.thermalState) ?? 1
        return min(heat, batteryCap, conditions.lowPowerMode ? device.habits.lowPowerPerformance : 1)
    }

    /// Present brightness: the user's setting, dimmed in Low Power Mode and on a hot phone.
    private var brightness: Double {
        let set = device.habits.brightness * specification.persona.screen.brightness
        let own = min(1, set) * (conditions.lowPowerMode ? device.habits.lowPowerBrightness : 1)
        return own * (device.power.heat?.brightness(in: power.thermalState) ?? 1)
    }

    /// Limits the processors, so that the battery can supply their peaks.
    ///
    /// Apple Support HT208387 ("iPhone battery and performance"): peaks are limited if the voltage of a cold, old or
    /// nearly empty battery would fall. The page states no figures, so the clocks are reduced until the peak fits.
    package mutating func limitPeaks() {
        guard device.habits.performanceManagement else { return }
        let processor = device.power.processor.performance
        let fits = power.peakPower(at: now) - device.habits.otherPeak
        let cores = Double(processor.cores)
        let highest = processor.points.last { processor.power(busyCores: cores, at: $0) <= fits } ?? processor.points[0]
        let cap = highest.frequency / (processor.points.last ?? highest).frequency
        guard cap != batteryCap else { return }
        batteryCap = cap
        applyLimits()
    }

    /// Applies the limits of heat and Low Power Mode to processors, brightness and the foreground app.
    package mutating func applyLimits() {
        power.setPerformanceCap(performanceCap)
        power.displayFactor = conditions.lowPowerMode ? device.habits.lowPowerDisplay : 1
        guard !power.isDead else { return }
        if conditions.screenOn { showDisplay(for: front.app) }
        guard front.app != .system, !front.isComingUp else { return }
        power.setLoad(front.load, to: foregroundPower(of: front.app), at: now)
    }

    /// Handles a change of the thermal state: adapts display and processors, and lets deferred work run.
    package mutating func thermalStateChanged() {
        let before = conditions.thermalLevel
        conditions.thermalLevel = power.thermalState.rawValue
        book.noteThermalLevel(conditions.thermalLevel, at: now)
        let isHot = conditions.thermalLevel >= ThermalState.serious.rawValue
        measures.set(handles.energy.hot, isHot ? 1 : 0, at: now)
        limitPeaks()
        applyLimits()
        if conditions.thermalLevel < before { raise(.cooled) }
        if conditions.thermalLevel >= BackgroundParameters.stoppingThermalLevel { post(.shed) }
    }

    /// Sets the air temperature by the hour of the day, unless the device has surroundings.
    package mutating func followAmbient() {
        guard device.surroundings == nil else { return }
        power.setAmbient(specification.persona.ambient(hour: now.hour % 24), at: now)
    }
}
