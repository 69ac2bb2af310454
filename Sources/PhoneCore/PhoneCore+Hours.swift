// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// The end of the warm-up, the hourly and daily rows, and the hourly check of balances.
extension PhoneCore {
    package mutating func endWarmup() {
        // Energy of writes in the last hour of the warm-up belongs to the warm-up.
        bookWrites(at: now)
        power.flush(at: now)
        power.restartHighestTemperature()
        processes.resetLowestAvailable()
        readMeters(at: now)
        if specification.watchedApp != nil { book.energyBefore = WatchedEnergy(power) }
        measures.restart(at: now)
        content.endWarmup()
        bound.endWarmup()
    }

    /// Energy of the watched app since the warm-up; nil if no app is watched.
    package mutating func watchedEnergy(at now: SimTime) -> WatchedEnergy? {
        guard specification.watchedApp != nil else { return nil }
        power.flush(at: now)
        return WatchedEnergy(power).since(book.energyBefore)
    }

    /// Values of all metrics of the run.
    package mutating func metrics(at now: SimTime) -> [Double] {
        power.flush(at: now)
        readMeters(at: now)
        return measures.values(at: now, and: specification.appMetrics)
    }

    /// Reads the gauges from the parts of the phone.
    private mutating func readMeters(at now: SimTime) {
        handles.read(processes, into: &measures, at: now)
        handles.energy.read(power, ledgerError: book.ledgerError, into: &measures)
    }

    /// Checks that the energy ledger balances and that the memory accounts sum to the RAM; traps otherwise.
    package mutating func checkConservation(at now: SimTime) {
        power.flush(at: now)
        let booked = power.ledgerEnergy.joules
        let given = power.terminalEnergy.joules + power.adapterEnergy.joules
        let error = abs(booked - given) / max(1, abs(given))
        book.ledgerError = max(book.ledgerError, error)
        guard error <= 1e-9 else { fatalError("the ledger has \(booked) J, but cell and adapter delivered \(given) J") }
        guard processes.accounts.total == device.memory.ram else {
            fatalError("the memory accounts do not sum to the RAM")
        }
    }

    /// Charges the energy of the freezer's and app swap's writes since the last call, at compressed size.
    package mutating func bookWrites(at now: SimTime) {
        let written = processes.written
        guard written > bookedWrites else { return }
        let energy = device.power.storage.writing((written - bookedWrites) * (1 / device.memory.compressorRatio))
        bookedWrites = written
        power.addEnergy(.storage, energy, app: .system, cause: .idle, at: now)
    }

    /// Writes the hourly row, and at midnight the daily rows; records the battery level at 22:00.
    package mutating func endHour() {
        let ended = now.hour - 1
        bookWrites(at: now)
        followAmbient()
        if now.hour % 24 == 22 {
            measures.add(handles.energy.levelAt22, 100 * power.level(at: now))
            measures.add(handles.energy.nightsAt22)
        }
        if book.tables.contains(.deviceHours) { writeHour(ended, at: now) }
        if book.tables.contains(.appHours) { writeAppHours(ended, at: now) }
        if book.tables.contains(.appDays), now.hour % 24 == 0 { writeDay(ended / 24, at: now) }
        if now < end { engine.schedule(Slots.device(.hour), after: .hour, class: EventClass.counting) }
    }

    /// Writes the rows of the incomplete hour and day at the end of the run.
    ///
    /// The energy of writes in the incomplete hour is charged even if no row is written.
    package mutating func writeCutRows(at now: SimTime) {
        bookWrites(at: now)
        let isWholeHour = now.nanoseconds % SimDuration.hour.nanoseconds == 0
        if book.tables.contains(.deviceHours), !isWholeHour { writeHour(now.hour, at: now) }
        if book.tables.contains(.appHours), !isWholeHour { writeAppHours(now.hour, at: now) }
        let isWholeDay = now.nanoseconds % SimDuration.day.nanoseconds == 0
        if book.tables.contains(.appDays), !isWholeDay { writeDay(now.day, at: now) }
    }

    private mutating func writeHour(_ hour: Int, at now: SimTime) {
        power.flush(at: now)
        if conditions.screenOn { book.countScreen(until: now) }
        let energy = EnergySnapshot(power)
        fillEnergy(energy)
        fillFreezer(at: now)
        book.hour.hour = hour
        book.hour.batteryPercent = 100 * power.level(at: now)
        book.hour.residentApps = processes.residentApps - liveDaemons
        book.hour.suspendedApps = processes.suspendedApps - suspendedDaemons
        book.hour.availableMinimumMiB = processes.availableMinimum.mebibytes
        fillMemory()
        fillSuspended()
        fillShares(at: now)
        (book.hour.energyBudgetLeft, book.hour.cellularBudgetLeft) = background.budgetsLeft(at: now)
        book.sink?.write(book.hour)
        book.hour = DeviceHourRow()
        // Tasks that run on count for the next hour, too.
        book.hour.concurrentLaunches = Int32(assertions.tasks.count)
        book.hourEnergy = energy
        processes.resetAvailableMinimum()
    }

    /// Sets the sizes of all parts of the memory; together with the compressor's pool, they sum to the RAM.
    private mutating func fillMemory() {
        let accounts = processes.accounts
        book.hour.compressorMiB = accounts.compressorPool.mebibytes
        book.hour.wiredMiB = (accounts.reserved + accounts.wired).mebibytes
        book.hour.cachedMiB = max(.zero, accounts.fileBacked + accounts.free + accounts.purgeable).mebibytes
        for index in apps.indices {
            let resident = processes.resident(of: AppID(index)).mebibytes
            switch processes.state(of: AppID(index)) {
            case .notRunning: break
            case .active, .inactive: book.hour.screenMiB += resident
            case .background: book.hour.backgroundMiB += resident
            case .suspended, .prewarmed: book.hour.suspendedMiB += resident
            }
        }
        let resident = (accounts.systemResident + accounts.appResident).mebibytes
        book.hour.systemMiB = resident - book.hour.screenMiB - book.hour.backgroundMiB - book.hour.suspendedMiB
    }

    /// Sets the sizes of all suspended processes, including processes other than apps, as in a report of a phone.
    private mutating func fillSuspended() {
        var footprints: [Double] = []
        for process in 0..<apps.count + daemons.count where processes.state(of: AppID(process)) == .suspended {
            footprints.append(processes.footprint(of: AppID(process)).mebibytes)
        }
        book.hour.suspendedProcesses = footprints.count
        guard !footprints.isEmpty else { return }
        footprints.sort()
        func quantile(_ tenths: Int) -> Double { footprints[footprints.count * tenths / 10] }
        book.hour.suspendedFootprints = (quantile(1), quantile(5), quantile(9))
    }

    private mutating func fillFreezer(at now: SimTime) {
        let totals = processes.statistics(at: now)
        book.hour.frozen = totals.frozen - book.hourTotals.frozen
        book.hour.thawed = totals.thawed - book.hourTotals.thawed
        book.hour.flashWrittenMiB = (totals.written - book.hourTotals.written).mebibytes
        book.hourTotals = totals
    }

    private mutating func fillEnergy(_ energy: EnergySnapshot) {
        let before = book.hourEnergy
        func difference(_ component: Component) -> Double {
            energy.components[Int(component.rawValue)] - before.components[Int(component.rawValue)]
        }
        book.hour.chargedJoules = energy.charged - before.charged
        book.hour.wallJoules = energy.wall - before.wall
        book.hour.adapterJoules = energy.adapter - before.adapter
        book.hour.batteryJoules = energy.terminals - before.terminals
        book.hour.darkBatteryJoules = energy.screenOff - before.screenOff
        book.hour.darkBatterySeconds = energy.secondsScreenOff - before.secondsScreenOff
        book.hour.wakeups = energy.wakeups - before.wakeups
        book.hour.displayJoules = difference(.display)
        book.hour.processorJoules = difference(.processor)
        for radio in Interface.allCases { book.hour.radioJoules[radio] = difference(radio.component) }
        book.hour.platformJoules = difference(.platform) + difference(.sensors) + difference(.other)
        book.hour.storageJoules = difference(.storage)
        book.hour.graphicsJoules = difference(.graphics)
        book.hour.memoryJoules = difference(.memory)
        book.hour.audioJoules = difference(.audio)
        book.hour.videoJoules = difference(.video)
        book.hour.cameraJoules = difference(.camera)
        book.hour.locationJoules = difference(.location)
        book.hour.bluetoothJoules = difference(.bluetooth)
        for cause in Cause.allCases {
            let index = Int(cause.rawValue)
            book.hour.causeJoules[index] = energy.causes[index] - before.causes[index]
        }
    }

    /// Sets the fields about heat, charging and Low Power Mode, and begins the next hour.
    private mutating func fillShares(at now: SimTime) {
        book.hour.batteryCelsius = power.bodyTemperature(at: now).celsius
        book.hour.batteryCelsiusMaximum = power.recentHighestTemperature.celsius
        power.restartRecentHighestTemperature()
        book.hour.fairSeconds = book.hourShares.fair.restarted(at: now)
        book.hour.hotSeconds = book.hourShares.hot.restarted(at: now)
        book.hour.pressureSeconds = book.hourShares.pressure.restarted(at: now)
        book.hour.lowPowerSeconds = book.hourShares.lowPower.restarted(at: now)
        book.hour.pluggedSeconds = book.hourShares.plugged.restarted(at: now)
        book.hour.lockedSeconds = book.hourShares.locked.restarted(at: now)
    }

    /// Number of suspended processes other than apps.
    private var suspendedDaemons: Int {
        daemons.indices.reduce(0) { $0 + (processes.state(of: AppID(apps.count + $1)) == .suspended ? 1 : 0) }
    }

    private mutating func writeDay(_ day: Int, at now: SimTime) {
        power.flush(at: now)
        for index in apps.indices {
            let app = AppID(index)
            let foreground = power.energy(of: app, .foreground).joules
            let background = power.energy(of: app, .background).joules
            let footprint = processes.isAlive(app) ? processes.footprint(of: app) : .zero
            book.countState(app, leaving: processes.state(of: app), footprint: footprint, at: now)
            var row = book.dayRows[index]
            row.day = day
            row.app = app
            row.foregroundJoules = foreground - book.dayEnergy[index].foreground
            row.backgroundJoules = background - book.dayEnergy[index].background
            book.sink?.write(row)
            book.dayEnergy[index] = (foreground, background)
            book.dayRows[index] = AppDayRow()
        }
    }

    /// Writes the energy of the system and of each app in an hour; there is no row without energy.
    private mutating func writeAppHours(_ hour: Int, at now: SimTime) {
        power.flush(at: now)
        for index in book.trace.apps.indices {
            let app = index == 0 ? AppID.system : AppID(index - 1)
            let energy = AppEnergy(of: app, in: power)
            let before = book.trace.apps[index]
            book.trace.apps[index] = energy
            var row = AppHourRow()
            row.hour = hour
            row.app = app
            row.foregroundJoules = energy.foreground - before.foreground
            row.backgroundJoules = energy.background - before.background
            row.idleJoules = energy.idle - before.idle
            guard row.foregroundJoules + row.backgroundJoules + row.idleJoules > 0 else { continue }
            book.sink?.write(row)
        }
    }
}
