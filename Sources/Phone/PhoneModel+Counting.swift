import Background
import EventKernel
import Power
import Processes
import Quantities
import Vocabulary

/// What the ledger said at an instant.
struct EnergySnapshot {
    var used = 0.0
    var wall = 0.0
    var charged = 0.0
    var adapter = 0.0
    var background = 0.0
    var tail = 0.0
    var relaunch = 0.0
    var wakeups = 0
    var causes = [Double](repeating: 0, count: Cause.allCases.count)
    var components = [Double](repeating: 0, count: Component.allCases.count)

    init() {}

    init(_ power: borrowing PowerSystem) {
        used = power.ledgerEnergy.joules
        wall = power.wallEnergy.joules
        charged = power.chargedEnergy.joules
        adapter = power.adapterEnergy.joules
        background = [Cause.backgroundTask, .push, .connection].reduce(0) { $0 + power.energy(for: $1).joules }
        tail = power.energy(for: .tail).joules
        relaunch = power.energy(for: .relaunch).joules
        wakeups = power.wakeups
        for cause in Cause.allCases { causes[Int(cause.rawValue)] = power.energy(for: cause).joules }
        for component in Component.allCases {
            components[Int(component.rawValue)] = power.energy(of: component).joules
        }
    }
}

extension PhoneModel {
    mutating func endWarmup(at now: SimTime) {
        power.flush(at: now)
        power.restartHighestTemperature()
        energyAtWarmup = EnergySnapshot(power)
        marksAtWarmup = EnergyMarks(power)
        outcomesAtWarmup = requests.outcomes
        windowsAtWarmup = processes.statistics(at: now).disconnectedWindows
        counts = counts.afterWarmup(at: now)
    }

    /// Writes the hour's row, the day's rows at midnight, and notes the level at 22:00.
    mutating func endHour(in engine: inout PhoneEngine) {
        let now = engine.now
        let ended = now.hour - 1
        checkConservation(at: now)
        calibration.nextHour(&predictor, into: &counts.calibration, at: now)
        followAmbient(at: now)
        if now.hour % 24 == 22 {
            counts.batteryAt22.sum += 100 * power.level(at: now)
            counts.batteryAt22.days += 1
        }
        if tables.contains(.deviceHours) { writeHour(ended, at: now) }
        if tables.contains(.appHours) { writeAppHours(ended, at: now) }
        if tables.contains(.appDays), now.hour % 24 == 0 { writeDay(ended / 24, at: now) }
        if now < end { engine.schedule(Slots.device(.hour), after: .hour, class: EventClass.counting) }
    }

    /// Writes what has begun of an hour and a day that the end of the run cuts off.
    mutating func writeCutRows(at now: SimTime) {
        let isWholeHour = now.nanoseconds % SimDuration.hour.nanoseconds == 0
        if tables.contains(.deviceHours), !isWholeHour { writeHour(now.hour, at: now) }
        if tables.contains(.appHours), !isWholeHour { writeAppHours(now.hour, at: now) }
        let isWholeDay = now.nanoseconds % SimDuration.day.nanoseconds == 0
        if tables.contains(.appDays), !isWholeDay { writeDay(now.day, at: now) }
    }

    private mutating func writeHour(_ hour: Int, at now: SimTime) {
        power.flush(at: now)
        if conditions.screenOn { countScreen(until: now) }
        let energy = EnergySnapshot(power)
        func difference(_ component: Component) -> Double {
            energy.components[Int(component.rawValue)] - hourEnergy.components[Int(component.rawValue)]
        }
        hourRow.hour = hour
        hourRow.batteryPercent = 100 * power.level(at: now)
        hourRow.chargedJoules = energy.charged - hourEnergy.charged
        hourRow.wallJoules = energy.wall - hourEnergy.wall
        hourRow.residentApps = processes.residentApps - liveSystem
        hourRow.suspendedApps = processes.suspendedApps - suspendedSystem
        hourRow.availableMinimumMiB = processes.availableMinimum.mebibytes
        hourRow.compressorMiB = processes.accounts.compressorPool.mebibytes
        hourRow.displayJoules = difference(.display)
        hourRow.processorJoules = difference(.processor)
        hourRow.wifiJoules = difference(.wifi)
        hourRow.cellularJoules = difference(.cellular)
        hourRow.platformJoules = difference(.platform) + difference(.sensors) + difference(.other)
        hourRow.storageJoules = difference(.storage)
        hourRow.graphicsJoules = difference(.graphics)
        hourRow.memoryJoules = difference(.memory)
        hourRow.audioJoules = difference(.audio)
        hourRow.videoJoules = difference(.video)
        hourRow.cameraJoules = difference(.camera)
        hourRow.locationJoules = difference(.location)
        hourRow.bluetoothJoules = difference(.bluetooth)
        for cause in Cause.allCases {
            let place = Int(cause.rawValue)
            hourRow.causeJoules[place] = energy.causes[place] - hourEnergy.causes[place]
        }
        fillHeat(at: now)
        hourRow.concurrentLaunches = max(hourRow.concurrentLaunches, Int32(running.count))
        (hourRow.energyBudgetLeft, hourRow.cellularBudgetLeft) = requests.budgetsLeft(at: now)
        sink?.write(hourRow)
        hourRow = DeviceHourRow()
        hourEnergy = energy
        processes.resetAvailableMinimum()
    }

    private mutating func writeDay(_ day: Int, at now: SimTime) {
        power.flush(at: now)
        for index in apps.indices {
            let app = AppID(index)
            let foreground = power.energy(of: app, .foreground).joules
            let background = power.energy(of: app, .background).joules
            let footprint = processes.isAlive(app) ? processes.footprint(of: app) : .zero
            countState(app, leaving: processes.state(of: app), footprint: footprint, at: now)
            var row = dayRows[index]
            row.day = day
            row.app = app
            row.foregroundJoules = foreground - dayEnergy[index].foreground
            row.backgroundJoules = background - dayEnergy[index].background
            sink?.write(row)
            dayEnergy[index] = (foreground, background)
            dayRows[index] = AppDayRow()
        }
    }

    /// The screen was on until now.
    mutating func countScreen(until now: SimTime) {
        hourRow.screenSeconds += (now - screenSince).seconds
        screenSince = now
    }

    /// A visit ends: its time on screen is counted.
    mutating func endVisit(_ app: AppID, at now: SimTime) {
        guard tables.contains(.appDays) else { return }
        dayRows[Int(app.index)].foregroundSeconds += (now - runtime[Int(app.index)].visitStart).seconds
    }

    mutating func countDay(_ app: AppID, _ kind: LaunchKind, wait: SimDuration) {
        hourRow.opens += 1
        if kind != .resume { hourRow.relaunches += 1 }
        guard tables.contains(.appDays) else { return }
        let index = Int(app.index)
        dayRows[index].opens += 1
        dayRows[index].waitSeconds += wait.seconds
        switch kind {
        case .resume: dayRows[index].resumes += 1
        case .warm: dayRows[index].warm += 1
        case .cold: dayRows[index].cold += 1
        }
    }

    mutating func countBytes(_ bytes: ByteCount, _ interface: Interface) {
        switch interface {
        case .wifi:
            hourRow.wifiBytes += bytes.bytes
            counts.wifiBytes += bytes.bytes
        case .cellular:
            hourRow.cellularBytes += bytes.bytes
            counts.cellularBytes += bytes.bytes
        }
    }

    // MARK: Event rows

    /// Writes a row of `events`, when asked for.
    ///
    /// It reads what is known without advancing any part, so that asking for a table changes no number.
    mutating func record(
        _ event: EventName, _ app: AppID, from old: ProcessState, to new: ProcessState, kind: LaunchKind? = nil,
        exit: ExitCategory? = nil, at now: SimTime
    ) {
        if old != new { countState(app, leaving: old, footprint: processes.footprint(of: app), at: now) }
        guard tables.contains(.events), let sink else { return }
        var row = EventRow()
        row.time = now
        row.app = app
        row.event = event
        row.from = old
        row.to = new
        row.inState = old == new ? .zero : timeInState(app, at: now)
        row.launchKind = kind
        row.exit = exit
        row.band = processes.band(of: app)
        row.footprintMiB = processes.footprint(of: app).mebibytes
        row.residentMiB = processes.resident(of: app).mebibytes
        row.availableBeforeMiB = processes.available.mebibytes
        row.availableAfterMiB = row.availableBeforeMiB
        row.batteryPercent = Double(power.percent)
        sink.write(row)
    }

    /// How long an app has been in its present state, which it is leaving; nothing for the system's own processes.
    private mutating func timeInState(_ app: AppID, at now: SimTime) -> SimDuration {
        let index = Int(app.index)
        guard stateSince.indices.contains(index) else { return .zero }
        defer { stateSince[index] = now }
        return now - stateSince[index]
    }

    mutating func recordKill(_ kill: KillRecord, _ candidates: [KillCandidate], at now: SimTime) {
        countState(kill.app, leaving: kill.state, footprint: kill.footprint, at: now)
        guard tables.contains(.events), let sink else { return }
        var row = EventRow()
        row.time = now
        row.app = kill.app
        row.event = .exit
        row.from = kill.state
        row.to = .notRunning
        row.inState = timeInState(kill.app, at: now)
        row.exit = kill.category
        row.reason = kill.reason
        row.band = kill.band
        row.footprintMiB = kill.footprint.mebibytes
        row.residentMiB = kill.resident.mebibytes
        row.freedMiB = kill.freed.mebibytes
        row.availableBeforeMiB = kill.availableBefore.mebibytes
        row.availableAfterMiB = kill.availableAfter.mebibytes
        row.thresholdMiB = processes.threshold(of: kill.reason)?.mebibytes ?? .nan
        row.runnerUp = kill.runnerUp
        row.margin = kill.margin
        row.candidates = candidates
        row.batteryPercent = Double(power.percent)
        sink.write(row)
    }

    /// Writes what the system called in apps, when asked for.
    mutating func writeCallbacks() {
        for call in processes.callbacks where Int(call.app.index) < apps.count { sink?.write(call) }
        processes.clearCallbacks()
    }
}
