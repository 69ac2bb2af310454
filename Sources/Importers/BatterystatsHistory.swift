// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Workload

/// The entries of a battery history, whichever of its three forms holds them.
///
/// `dumpsys batterystats --history` of Android up to 13 prints offsets, `+1m02s110ms (2) 100 +screen`; that of
/// Android 14 on (`[Format: 2]`) local times, `02-10 18:58:16.453 100 +screen`; `-c` prints steps in short words,
/// `9,h,809,-S`. (Android: `frameworks/base`, `core/java/android/os/BatteryStats.java`, `HistoryPrinter`.)
struct BatterystatsHistory {
    /// One entry: what changed, and when.
    struct Line {
        /// Nanoseconds of local time since 1970, or since the reset when no line tells the time.
        var time: Int64
        /// Percent; -1 where the entry does not tell it.
        var level: Int
        /// What changed, by positions in `changes`.
        var changes: Range<Int>
        /// Whether the phone was switched on again here, so that nothing that was on is known to be.
        var isRestart = false
        /// Whether it was off for sure, and not only its clock set; since when, where that was logged.
        var wasOff = false
        var offSince: Int64?
    }

    /// Whether a line told the day.
    private(set) var knowsDay = false
    /// The entries by time.
    private(set) var lines: [Line] = []
    /// What changed in all of them.
    private(set) var changes = BatterystatsChanges()
    /// Entries that could not be read.
    private(set) var broken = BrokenRows()
    /// What had to be assumed.
    private(set) var notes: [String] = []

    private let name: String
    private let clock: LocalClock?
    private var form: BatterystatsForm?
    private var timeline = BatterystatsTimeline()
    private var checkin = BatterystatsCheckin()
    private var isOver = false
    /// The state after a restart is not told.
    private var mayRestart = false
    private var wasOff = false
    private var offSince: Int64?

    /// Reads a history, or finds it in a bug report; `clock` is needed by the form that `-c` prints.
    init(name: String, bytes: [UInt8], clock: LocalClock?) throws(Diagnostics) {
        self.name = name
        self.clock = clock
        let table = try ForeignTable(name: name, bytes: bytes, separator: 0)
        form = Self.form(of: table)
        var row = ForeignTable.Row()
        while !isOver, table.next(&row) { try read(table, row) }
        if lines.isEmpty, broken.broken == 0 {
            throw Diagnostics(
                "\(name) holds no battery history",
                hint: "it is what adb shell dumpsys batterystats --history prints; adb bugreport holds it, too")
        }
        knowsDay = timeline.knowsDay
        notes = timeline.notes
    }

    /// The form of the first entry; a long form goes before the short one that bug reports hold as well.
    private static func form(of table: ForeignTable) -> BatterystatsForm? {
        var row = ForeignTable.Row()
        var short: BatterystatsForm?
        while table.next(&row) {
            guard let form = BatterystatsForm(of: row.line, in: table.bytes) else { continue }
            if form != .checkin { return form }
            short = form
        }
        return short
    }

    private mutating func read(_ table: ForeignTable, _ row: ForeignTable.Row) throws(Diagnostics) {
        let line = row.line
        if form == .checkin, table.bytes.begins(line, "9,hsp,") {
            return checkin.addName(line, in: table, into: &changes)
        }
        guard let form, BatterystatsForm(of: line, in: table.bytes) == form else {
            // The per-process part of a dump begins like this; a second history would repeat the first.
            let isEnd = table.bytes.begins(line, "Battery History") || table.bytes.begins(line, "Per-PID")
            if isEnd, !lines.isEmpty { isOver = true }
            return
        }
        broken.countRow()
        let before = changes.list.count
        let entry =
            form == .checkin
            ? checkin.entry(line, in: table, into: &changes) : form.entry(line, in: table, into: &changes)
        guard let entry else { return broken.add(table.problem(form.expectation, in: row)) }
        if entry.isEpoch, clock == nil {
            throw Diagnostics(
                "\(name): this form of the history counts time from 1970, and does not say where the phone was",
                hint: "--zone tells it, for instance --zone Europe/Helsinki")
        }
        add(entry, before..<changes.list.count, in: table, row)
    }

    private mutating func add(
        _ entry: BatterystatsEntry, _ changes: Range<Int>, in table: ForeignTable, _ row: ForeignTable.Row
    ) {
        if let stamp = entry.stamp {
            let local = entry.isEpoch ? clock?.local(stamp) ?? stamp : stamp
            let knewDay = timeline.knowsDay
            if timeline.set(local, at: entry.when) { mayRestart = true }
            if !knewDay { for index in lines.indices { lines[index].time += timeline.correction } }
            return
        }
        if entry.isRestart { (mayRestart, wasOff) = (true, !lines.isEmpty) }
        if entry.isShutdown { offSince = timeline.time(of: entry.when) }
        guard let time = timeline.time(of: entry.when) else {
            return broken.add(table.problem("there is no such day", in: row))
        }
        guard !changes.isEmpty || entry.level >= 0 else { return }
        var line = Line(time: time, level: entry.level, changes: changes)
        (line.isRestart, line.wasOff, line.offSince) = (mayRestart, wasOff, offSince)
        (mayRestart, wasOff, offSince) = (false, false, nil)
        lines.append(line)
    }
}
