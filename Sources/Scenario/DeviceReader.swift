// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import Diagnostics
import LifeCycle
import Phone
import PhoneCore
import Power
import Processes
import Quantities
import Scripts

/// Reads a phone from a whole tree; the keys are the names of the Swift properties in `snake_case`.
struct DeviceReader {
    let trees: ModelTrees

    /// The phone; nil when something is wrong with it.
    func read(_ cursor: Cursor) -> DeviceModel? {
        let before = cursor.report.problems.list.count
        let map = MapReader(cursor)
        _ = map.optional("schema", .integer(1...1, example: "1"))
        _ = map.optional("summary", .text)
        let name = map.value("name", .text, default: "phone")
        var memory = SystemReader.readMemory(map)
        var os = SystemReader.readOS(map, ram: memory?.ram)
        let power = readPower(map)
        var background = BackgroundParameters()
        background.assertionLimit = os?.assertionLength ?? background.assertionLimit
        var grace = os?.lifeCycle.backgroundGrace ?? .zero
        map.section("background") {
            readBackground($0, into: &background)
            $0.set(&grace, "background_grace", .duration())
        }
        os?.lifeCycle.backgroundGrace = grace
        var habits = DeviceHabits()
        map.section("habits") { readHabits($0, into: &habits) }
        var daemons = SystemPopulation()
        map.section("daemons") { readDaemons($0, into: &daemons) }
        var charging = ChargingSettings()
        map.section("charging") { readCharging($0, into: &charging) }
        var modes = ModeParameters()
        map.section("modes") { readModes($0, into: &modes) }
        readStartState(map, into: &memory, &daemons)
        checkAssumptions(map)
        map.finish()
        guard let memory, let os, let power, cursor.report.problems.list.count == before else { return nil }
        var device = DeviceModel(
            name: name, memory: memory, os: os, power: power, background: background, habits: habits)
        device.daemons = daemons
        device.charging = charging
        device.modes = modes
        return device
    }

    private func readDaemons(_ map: MapReader, into daemons: inout SystemPopulation) {
        map.set(&daemons.isPopulated, "populated", .flag)
        map.set(&daemons.workGap, "work_gap", .duration(60...1e6))
        map.set(&daemons.workGapSpread, "work_gap_spread", .number(1...1000, example: "4"))
        map.set(&daemons.workTime, "work_time", .duration(0.1...1e5))
        map.set(&daemons.relaunchTime, "relaunch_time", .duration(0...60))
        map.set(&daemons.leakPerDay, "leak_per_day", .bytes(0...1e12))
    }

    private func readBackground(_ map: MapReader, into rules: inout BackgroundParameters) {
        let time = ValueReader<SimDuration>.duration()
        map.set(&rules.refreshLimit, "refresh_limit", time)
        map.set(&rules.processingLimit, "processing_limit", time)
        map.set(&rules.pendingRefreshLimit, "pending_refresh_limit", .integer(0...1000, example: "1"))
        map.set(&rules.pendingProcessingLimit, "pending_processing_limit", .integer(0...1000, example: "10"))
        map.set(&rules.refreshLife, "refresh_life", time)
        map.set(&rules.processingLife, "processing_life", time)
        map.set(&rules.processingNeedsIdleDevice, "processing_needs_idle_device", .flag)
        map.set(&rules.refreshSwitch, "refresh_switch", .flag)
        map.set(&rules.lowPowerModeStopsWork, "low_power_mode_stops_work", .flag)
        map.set(&rules.foregroundRecheck, "foreground_recheck", .duration(1...9e9))
        map.set(&rules.throttle, "throttle", time)
        map.set(&rules.longestThrottle, "longest_throttle", time)
        map.set(&rules.uncompletedKillShare, "uncompleted_kill_share", .share)
        map.set(&rules.shortGrantShare, "short_grant_share", .share)
        map.set(&rules.notice, "notice", time)
        map.set(&rules.criticalLevel, "critical_level", .share)
        map.set(&rules.processorCores, "processor_cores", .number(0.5...64, example: "6"))
        map.set(&rules.herdWindow, "herd_window", time)
        map.set(&rules.herdWindowInUse, "herd_window_in_use", time)
        map.set(&rules.longAbsence, "long_absence", time)
        map.set(&rules.assertionLimit, "assertion_limit", time)
        map.set(&rules.energyBudget, "energy_budget", .number(0...1e9, example: "200"))
        map.set(&rules.cellularBudget, "cellular_budget", .bytes())
        readEvents(map, into: &rules)
    }

    private func readHabits(_ map: MapReader, into habits: inout DeviceHabits) {
        map.set(&habits.brightness, "brightness", .share)
        map.set(&habits.darkMode, "dark_mode", .flag)
        map.set(&habits.lowPowerBrightness, "low_power_brightness", .share)
        map.set(&habits.lowPowerDisplay, "low_power_display", .share)
        map.set(&habits.performanceManagement, "performance_management", .flag)
        map.set(&habits.otherPeak, "other_peak", .amount(.power))
        map.set(&habits.lowPowerPerformance, "low_power_performance", .quantity(.fraction, 0.05...1))
        map.set(&habits.initialLevel, "initial_level", .share)
        map.set(&habits.lowPowerBelow, "low_power_below", .share)
        map.set(&habits.lowPowerUntil, "low_power_until", .share)
        map.set(&habits.streamPiece, "stream_piece", .duration(0.1...3600))
        map.set(&habits.hasWindows, "has_windows", .flag)
        map.set(&habits.pushBytes, "push_bytes", .bytes())
        map.set(&habits.rateSigma, "rate_sigma", .number(0...3, example: "0.7"))
        map.set(&habits.workSigma, "work_sigma", .number(0...3, example: "0.3"))
    }
}
