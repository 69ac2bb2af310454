// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

extension PhoneLog {
    /// Time without a foreground app after which a session ends, if the log has no screen events.
    ///
    /// This value is an assumption.
    static let pause = SimDuration.seconds(30)
    /// Longest use of an app whose end was not logged.
    ///
    /// This value is an assumption.
    static let longestOpenEnd = SimDuration.minutes(5)

    /// Converts the log to a workload file, in time since the local midnight before its first entry.
    ///
    /// All times have the first entry's offset from UTC, even after a change to or from summer time. Distances between
    /// entries therefore do not change. The conversion frees the entries to save memory, so the log is empty
    /// afterwards.
    mutating func workload(_ options: RecordingOptions, clock: LocalClock) throws(Diagnostics) -> WorkloadFile {
        sort()
        guard let first = entries.first?.time, let last = span(kinds)?.last else {
            throw Diagnostics("the files contain no rows")
        }
        let offset = isLocal ? 0 : clock.offset(at: first)
        let day = SimDuration.day.nanoseconds
        let midnight = (first + offset) / day * day - offset
        var end = last
        if let lastDay = options.lastDay?.daysSince1970 {
            // No row is outside these days, and the nanoseconds of a day in the year 9999 would overflow.
            let known = max(ForeignTime.days.lowerBound - 2, min(Int64(lastDay), ForeignTime.days.upperBound))
            end = min(end, (known + 1) * day - offset - 1)
        }
        guard end > first else {
            throw Diagnostics(
                options.lastDay == nil
                    ? "all rows of the files have the same time"
                    : "the files have no rows up to the last requested day")
        }
        // If there are entries after the last imported day, the recording covers that day to its end.
        let covered = end < last ? end + 1 : last
        var file = WorkloadFile()
        file.zone = options.zone
        file.origin = options.origin
        file.start = CalendarDate(daysSince1970: Int((midnight + offset) / day)).text
        file.covered = SimTime(nanoseconds: first - midnight)..<SimTime(nanoseconds: covered - midnight)
        file.apps = apps.names
        if !isLocal, clock.offset(at: last) != offset {
            file.notes.append("the zone's clocks changed during the recording, but later times keep the earlier offset")
        }
        noteCoverage(in: &file, midnight: midnight, end: covered)
        var writer = PhoneLogWriter(midnight: midnight, knowsScreen: holds(.screenOn, .screenOff))
        writer.knowsUnlocks = holds(.unlocked, .front, .used)
        writer.shells = apps.names.map(Self.isShell)
        let rows = batteryRows(from: midnight, through: end)
        for row in rows { file.response.add(level: row.level, at: row.time) }
        let charges = charges(rows)
        // Most entries become at most one row, and few become more than two. Reserved memory costs nothing until it is
        // written to.
        writer.events.reserveCapacity(entries.count * 2 + charges.count)
        var log = Pieces<Entry>()
        swap(&log, &entries)
        log.drain { if $0.time <= end { writer.add($0, value: Self.withValue.holds($0.kind) ? value($0) : 0) } }
        writer.finish(at: file.covered.upperBound)
        swap(&file.events, &writer.events)
        file.events += charges
        if !writer.knowsScreen, holds(.front, .used) {
            file.notes.append(
                "the log has no rows of the screen, so a session ends after 30 s without an app (assumption)")
        }
        file.finish()
        return file
    }

    /// Records the period of the battery log if it begins or ends more than a day inside the period of uses.
    private func noteCoverage(in file: inout WorkloadFile, midnight: Int64, end: Int64) {
        let day = SimDuration.day.nanoseconds
        guard let charging = span(Self.charging), let uses = span(Self.uses), charging.first < end else { return }
        guard charging.first - uses.first > day || uses.last - charging.last > day else { return }
        let start = SimTime(nanoseconds: charging.first - midnight)
        file.coveredParts[.charging] = start..<SimTime(nanoseconds: min(charging.last, end) - midnight)
    }

    private func batteryRows(from midnight: Int64, through end: Int64) -> [BatteryRow] {
        guard !kinds.isDisjoint(with: Self.charging) else { return [] }
        var rows: [BatteryRow] = []
        entries.forEach { entry in
            guard Self.charging.holds(entry.kind), entry.time <= end else { return }
            let time = SimTime(nanoseconds: entry.time - midnight)
            rows.append(BatteryRow(time: time, isOnCharger: entry.kind == .onCharger, level: value(entry)))
        }
        return rows
    }

    private func charges(_ rows: [BatteryRow]) -> [WorkloadEvent] {
        var charges = ChargeRows(ofChanges: logsPlugs)
        for row in rows { charges.add(row) }
        return charges.events
    }
}

/// Tracks the screen and the foreground app through a sorted log.
private struct PhoneLogWriter {
    let knowsScreen: Bool
    /// Whether the log shows in which sessions the phone was unlocked.
    var knowsUnlocks = false
    /// Whether each app is the home screen or another part of the system.
    var shells: [Bool] = []

    private let midnight: Int64
    var events: [WorkloadEvent] = []
    /// Index of the row that begins the session; nil while the screen is off.
    private var session: Int?
    private var sawApp = false
    /// Index of the row of the foreground app; nil when no app is in the foreground.
    private var visit: Int?
    /// In a log without screen events, the time at which the session ends unless more use follows.
    private var impliedEnd: SimTime?
    private var lastUse = SimTime.zero
    /// Time at which the phone was switched off; nil while it is on.
    private var offSince: SimTime?

    init(midnight: Int64, knowsScreen: Bool) {
        self.midnight = midnight
        self.knowsScreen = knowsScreen
    }

    mutating func add(_ entry: PhoneLog.Entry, value: Double) {
        let now = SimTime(nanoseconds: entry.time - midnight)
        endImpliedSession(before: now)
        if entry.kind != .shutdown { switchOn(isBoot: entry.kind == .boot, at: now) }
        switch entry.kind {
        case .screenOn: screenOn(at: now)
        case .unlocked: if let session { events[session].isLocked = false }
        case .screenOff: screenOff(at: now)
        case .shutdown:
            screenOff(at: now)
            offSince = offSince ?? now
        case .front: front(Int(entry.app), at: now, seconds: nil)
        case .used: front(Int(entry.app), at: now, seconds: value)
        case .back:
            if let visit, events[visit].app == entry.app { endVisit(at: now) }
        case .notification: events.append(WorkloadEvent(.notification, at: now, app: Int(entry.app)))
        case .installed: events.append(WorkloadEvent(.install, at: now, app: Int(entry.app)))
        case .updated: events.append(WorkloadEvent(.update, at: now, app: Int(entry.app)))
        case .onCharger, .offCharger, .boot: break
        }
    }

    /// Records that the phone is on.
    ///
    /// Any entry after the switch-off shows that the phone is on again.
    private mutating func switchOn(isBoot: Bool, at now: SimTime) {
        guard isBoot || offSince != nil else { return }
        screenOff(at: now)
        var event = WorkloadEvent(.restart, at: offSince ?? now)
        if let offSince { event.seconds = (now - offSince).seconds }
        events.append(event)
        offSince = nil
    }

    mutating func finish(at end: SimTime) {
        endImpliedSession(before: .distantFuture)
        if session != nil { screenOff(at: end) }
        endVisit(at: end)
    }

    private mutating func screenOn(at now: SimTime) {
        if let index = session {
            // The screen came on twice, so the end of the previous session was not logged. A session without an app is
            // omitted. Otherwise it ended with its last app.
            if sawApp { screenOff(at: lastUse) } else { events.remove(at: index) }
        }
        var unlock = WorkloadEvent(.unlock, at: now)
        unlock.isLocked = knowsUnlocks
        session = events.count
        sawApp = false
        events.append(unlock)
    }

    private mutating func screenOff(at now: SimTime) {
        endVisit(at: now)
        guard session != nil else { return }
        session = nil
        impliedEnd = nil
        events.append(WorkloadEvent(.lock, at: now))
    }

    private mutating func front(_ app: Int, at now: SimTime, seconds: Double?) {
        if seconds == nil, let visit, Int(events[visit].app) == app { return }
        endVisit(at: now)
        if shells[app] { return events.append(WorkloadEvent(.home, at: now, app: app)) }
        if !knowsScreen, session == nil {
            session = events.count
            events.append(WorkloadEvent(.unlock, at: now))
        }
        if let session { events[session].isLocked = false }
        sawApp = true
        lastUse = now
        var open = WorkloadEvent(.open, at: now, app: app)
        if let seconds {
            open.seconds = seconds
            lastUse = now + .seconds(seconds)
        } else {
            visit = events.count
        }
        events.append(open)
        if !knowsScreen { impliedEnd = max(impliedEnd ?? lastUse, lastUse) }
    }

    private mutating func endVisit(at now: SimTime) {
        guard let index = visit else { return }
        visit = nil
        let limit = knowsScreen ? now : min(now, events[index].time + PhoneLog.longestOpenEnd)
        events[index].seconds = (limit - events[index].time).seconds
        lastUse = max(lastUse, limit)
        if impliedEnd != nil { impliedEnd = lastUse }
    }

    private mutating func endImpliedSession(before now: SimTime) {
        guard !knowsScreen, let end = impliedEnd else { return }
        if let visit {
            guard now - events[visit].time > PhoneLog.longestOpenEnd + PhoneLog.pause else { return }
            endVisit(at: now)
            screenOff(at: lastUse)
        } else if now - end > PhoneLog.pause {
            screenOff(at: end)
        }
    }
}
