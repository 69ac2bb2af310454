// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Workload

/// Reads the entries of a battery history in any of its three forms, and processes each entry immediately.
///
/// `dumpsys batterystats --history` of Android up to 13 prints offsets: `+1m02s110ms (2) 100 +screen`. Android 14 and
/// later (`[Format: 2]`) print local times: `02-10 18:58:16.453 100 +screen`. The option `-c` prints steps in short
/// words: `9,h,809,-S`. (Android: `frameworks/base`, `core/java/android/os/BatteryStats.java`, `HistoryPrinter`.)
struct BatterystatsHistory {
    /// Use of the phone according to the entries so far.
    var sessions: BatterystatsSessions
    /// Entries that could not be read.
    private(set) var broken = BrokenRows()
    /// Assumptions, as sentences.
    var notes: [String] { timeline.notes }

    private let name: String
    private let clock: LocalClock?
    private var form: BatterystatsForm?
    private var timeline = BatterystatsTimeline()
    private var checkin = BatterystatsCheckin()
    /// Changes in the current entry.
    private var changes = BatterystatsChanges()
    private var isOver = false
    /// Whether the current entry is between a restart and the next known state.
    private var mayRestart = false
    private var wasOff = false
    private var offSince: Int64?

    /// Reads a history, or finds it in a bug report.
    ///
    /// Only the form that `-c` prints needs `clock`.
    init(_ table: ForeignTable, clock: LocalClock?, sessions: BatterystatsSessions) throws(Diagnostics) {
        name = table.name
        self.clock = clock
        self.sessions = sessions
        let (form, heading) = Self.form(of: table)
        self.form = form
        var table = table
        var row = ForeignTable.Row()
        while row.number < heading, table.next(&row) {}
        while !isOver, table.next(&row) { try read(table, row) }
        if !self.sessions.hasBegun, broken.broken == 0 {
            throw Diagnostics(
                "\(name) contains no battery history",
                hint: "adb shell dumpsys batterystats --history prints it; adb bugreport contains it, too")
        }
        self.sessions.knowsDay = timeline.knowsDay
    }

    /// Form of the first entry, and the line of the heading before it.
    ///
    /// Lines of a log look like entries, so entries count only after the heading. A bug report contains both forms, so
    /// a long form has precedence over the short form. Without a heading, as in a part of a history, the first entry
    /// counts.
    private static func form(of table: ForeignTable) -> (form: BatterystatsForm?, heading: Int) {
        var table = table
        var row = ForeignTable.Row()
        var (short, long): (BatterystatsForm?, BatterystatsForm?)
        var heading = 0
        while table.next(&row) {
            if table.bytes.begins(row.line, "Battery History") { (long, heading) = (nil, row.number) }
            guard let form = BatterystatsForm(of: row.line, in: table.bytes) else { continue }
            if form == .checkin { short = form } else { long = long ?? form }
            if long != nil, heading > 0 { break }
        }
        return (long ?? short, long == nil ? 0 : heading)
    }

    private mutating func read(_ table: ForeignTable, _ row: ForeignTable.Row) throws(Diagnostics) {
        let line = row.line
        changes.clear()
        guard let form else { return }
        let entry: BatterystatsEntry?
        if form == .checkin {
            if table.bytes.begins(line, "9,hsp,") { return checkin.addName(line, in: table, into: &changes) }
            guard table.bytes.begins(line, "9,h,") else { return pass(line, table) }
            entry = checkin.entry(line, in: table, into: &changes)
        } else {
            guard let head = form.head(of: line, in: table.bytes) else { return pass(line, table) }
            entry = form.entry(head, in: table, into: &changes)
        }
        broken.countRow()
        guard let entry else { return broken.add(table.problem(form.expectation, in: row)) }
        if entry.isEpoch, clock == nil {
            throw Diagnostics(
                "\(name): this form of the history counts time from 1970, without a time zone",
                hint: "add the zone, for instance --zone Europe/Helsinki")
        }
        add(entry, in: table, row)
    }

    /// Stops reading at the per-process part of a dump, because a second history would repeat the first.
    private mutating func pass(_ line: Range<Int>, _ table: ForeignTable) {
        let isEnd =
            table.bytes.begins(line, "Battery History") || table.bytes.begins(line, "Per-PID")
            || table.bytes.begins(line, "DUMP OF SERVICE") || table.bytes.begins(line, "Statistics since")
        if isEnd, sessions.hasBegun { isOver = true }
    }

    private mutating func add(_ entry: BatterystatsEntry, in table: ForeignTable, _ row: ForeignTable.Row) {
        if let stamp = entry.stamp {
            if ForeignTime.isUnset(second: stamp / 1_000_000_000) { return timeline.setNothing(at: entry.when) }
            let local = entry.isEpoch ? clock?.local(stamp) ?? stamp : stamp
            let distance = timeline.set(local, at: entry.when, afterRestart: mayRestart)
            sessions.move(by: distance)
            offSince = offSince.map { $0 + distance }
            return
        }
        if entry.isRestart { (mayRestart, wasOff) = (true, sessions.hasBegun) }
        if entry.isShutdown { offSince = timeline.time(of: entry.when) }
        guard let time = timeline.time(of: entry.when) else {
            return broken.add(table.problem("there is no such day", in: row))
        }
        guard !changes.list.isEmpty || entry.level >= 0 else { return }
        if mayRestart { sessions.restart() }
        if wasOff { sessions.switchOn(offSince: offSince, at: time) }
        (mayRestart, wasOff, offSince) = (false, false, nil)
        sessions.read(changes, level: entry.level, at: time)
    }
}
