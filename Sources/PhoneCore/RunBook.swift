// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// State of a run's tables.
package struct RunBook {
    package let tables: TableSet
    /// Whether each table is written, for tables that every decision checks.
    package let recordsEvents, recordsRequests, recordsDecisions: Bool
    /// Whether the table of radios or of the battery is written.
    let recordsPower: Bool
    /// Receiver of the rows; a copy has its own.
    package internal(set) var sink: (any RowSink)?
    package var hour = DeviceHourRow()
    package var hourShares = HourShares()
    var hourEnergy: EnergySnapshot
    /// Totals of the process table when the hour began.
    var hourTotals = ProcessStatistics()
    package var screenSince = SimTime.zero
    var dayRows: [AppDayRow] = []
    /// When each app entered its present state, or when the day began if that is later; only for the table of app days.
    var dayStates: [SimTime] = []
    var dayEnergy: [(foreground: Double, background: Double)] = []
    /// When each app entered its present state; only for the table of events.
    var stateSince: [SimTime] = []
    /// Last values in the tables of radios, of the battery, and of apps by the hour.
    var trace = PowerTrace()
    /// Energy of the watched app at the end of the warm-up.
    var energyBefore = WatchedEnergy()
    /// Cause of the last restart of the phone.
    package var restartCause = RestartCause.user
    /// Largest relative difference so far between the ledger and the energy at the terminals.
    package var ledgerError = 0.0

    init(apps: Int, tables: TableSet, sink: (any RowSink)?, power: borrowing PowerSystem) {
        self.tables = tables
        recordsEvents = tables.contains(.events)
        recordsRequests = tables.contains(.requests)
        recordsDecisions = tables.contains(.decisions)
        recordsPower = !tables.isDisjoint(with: [.radio, .battery])
        self.sink = sink
        hourEnergy = EnergySnapshot(power)
        if recordsEvents { stateSince = Array(repeating: .zero, count: apps) }
        if tables.contains(.appDays) {
            dayRows = Array(repeating: AppDayRow(), count: apps)
            dayStates = Array(repeating: .zero, count: apps)
            dayEnergy = Array(repeating: (0, 0), count: apps)
        }
        if tables.contains(.appHours) { trace.apps = Array(repeating: AppEnergy(), count: apps + 1) }
    }

    /// Changes the present day's row of an app, if the table of app days is written.
    @inline(__always)
    package mutating func day(_ app: AppID, _ change: (inout AppDayRow) -> Void) {
        if !dayRows.isEmpty { change(&dayRows[Int(app.index)]) }
    }

    /// Counts bytes moved, for the hour and for the app's day.
    mutating func count(_ bytes: ByteCount, _ interface: Interface, of app: AppID) {
        hour.bytes[interface] += bytes.bytes
        if app != .system { day(app) { $0.bytes[interface] += bytes.bytes } }
    }

    /// Counts a heartbeat of a connection.
    package mutating func countHeartbeat(of app: AppID) {
        hour.heartbeats += 1
        if app != .system { day(app) { $0.heartbeats += 1 } }
    }

    /// Counts the outcome of a run of background work, for the app's day.
    package mutating func countEnd(of app: AppID, _ outcome: RequestOutcome) {
        if outcome == .expired { day(app) { $0.expirations += 1 } }
        if outcome == .failed { day(app) { $0.failures += 1 } }
    }

    /// Counts the end of a process.
    mutating func countDayExit(_ app: AppID, _ category: ExitCategory, inForeground: Bool) {
        day(app) { row in
            let categories = ExitCategory.allCases.count
            if row.exits.isEmpty { row.exits = Array(repeating: 0, count: 2 * categories) }
            row.exits[Int(category.rawValue) + (inForeground ? categories : 0)] += 1
        }
    }

    /// Counts the time in a state that an app leaves; only for the table of app days.
    mutating func countState(_ app: AppID, leaving state: ProcessState, footprint: ByteCount, at now: SimTime) {
        let index = Int(app.index)
        guard dayStates.indices.contains(index) else { return }
        let seconds = (now - dayStates[index]).seconds
        dayStates[index] = now
        if state == .background { dayRows[index].backgroundSeconds += seconds }
        if state == .suspended { dayRows[index].suspendedSeconds += seconds }
        dayRows[index].peakFootprintMiB = max(dayRows[index].peakFootprintMiB, footprint.mebibytes)
    }

    /// Counts the time for which the screen was on until now.
    package mutating func countScreen(until now: SimTime) {
        hour.screenSeconds += (now - screenSince).seconds
        screenSince = now
    }

    /// Counts the time in the hotter thermal states, for the run and for the hour.
    mutating func noteThermalLevel(_ level: UInt8, at now: SimTime) {
        hourShares.fair.set(level >= ThermalState.fair.rawValue ? 1 : 0, at: now)
        hourShares.hot.set(level >= ThermalState.serious.rawValue ? 1 : 0, at: now)
    }

    /// Time for which an app has been in the state that it leaves; nil for the system's own processes.
    mutating func timeInState(_ app: AppID, at now: SimTime) -> SimDuration? {
        let index = Int(app.index)
        guard stateSince.indices.contains(index) else { return nil }
        defer { stateSince[index] = now }
        return now - stateSince[index]
    }
}

/// Shares of time in the present hour.
package struct HourShares {
    var fair = TimeIntegral(0)
    var hot = TimeIntegral(0)
    var pressure = TimeIntegral(0)
    package var lowPower = TimeIntegral(0)
    package var plugged = TimeIntegral(0)
    /// Integral of the time for which the phone is locked; phones start locked.
    package var locked = TimeIntegral(1)
}

extension TimeIntegral {
    /// The integral since the last restart; this call restarts it.
    mutating func restarted(at now: SimTime) -> Double {
        let value = integral(until: now)
        restart(at: now)
        return value
    }
}
