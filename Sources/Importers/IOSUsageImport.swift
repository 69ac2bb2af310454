// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts an iPhone's own records of the use of apps to a workload file.
// In: `knowledgeC.db` (before iOS 16), as a database, as a table of ZOBJECT, or as iLEAPP and APOLLO print it.
// Biome streams (`App.InFocus`, from iOS 16 on) are read in their own format, or as iLEAPP prints them.
// Out: apps on screen, sessions (the display), notifications, charges, levels.

import Diagnostics
import Quantities
import Workload

/// Converts an iPhone's own records of use to a workload file.
///
/// - Throws: The first problems with line and column, if more rows are broken than the limit allows.
public func importIOSUsage(paths: [String], _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    var usage = IOSUsage()
    for path in paths { try usage.read(ForeignInput.open(path), from: path) }
    return try usage.workload(options)
}

/// Collects the records of several files.
struct IOSUsage {
    private var log = PhoneLog()
    private var broken = BrokenRows()
    private var knowledge = KnowledgeRows()

    /// Reads one file; its content identifies its kind.
    mutating func read(_ source: any ByteSource, from path: String) throws(Diagnostics) {
        switch ForeignInput.kind(of: try source.head()) {
        case .sqlite:
            let database = try SQLiteTables(name: path, source: source)
            guard let table = try database.table("ZOBJECT", KnowledgeRows.query) else {
                throw Diagnostics(
                    "\(path) is not a knowledgeC.db, because it has no table ZOBJECT", hint: "is it the right file?")
            }
            try knowledge.read(table, &log, &broken)
            try table.check()
        case .biome:
            let records = Biome.records(in: try source.all(of: path, upTo: ForeignInput.largest))
            guard records.contains(where: { $0.bundle != nil }) else {
                throw Diagnostics(
                    "\(path) contains no record of an app in focus", hint: "import the stream App.InFocus")
            }
            for record in records { add(record) }
        case .gzip, .zip, .text: try read(try ForeignTable(name: path, source: source))
        }
    }

    /// Reads a table; its column names identify its kind.
    mutating func read(_ table: ForeignTable) throws(Diagnostics) {
        guard let columns = ForeignColumns(table) else { throw Diagnostics("\(table.name) is empty") }
        if columns.index("zstreamname") != nil {
            try knowledge.read(table, &log, &broken)
        } else {
            try readFocus(table, columns)
        }
        try table.check()
    }

    /// Converts everything that was read to a workload.
    mutating func workload(_ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
        let note = try broken.judge(options.skip)
        let left = knowledge.finish(&log)
        var file = try log.workload(options, clock: try LocalClock(zone: options.zone))
        file.notes += [note, left].compactMap { $0 }
        return try file.checked()
    }

    private mutating func add(_ record: Biome.Record) {
        broken.countRow()
        guard let bundle = record.bundle, let time = record.time else {
            return broken.add(Diagnostic("a record of the stream has no app or no time"))
        }
        guard !KnowledgeRows.isShell(bundle) else { return }
        log.add(record.isStart ? .front : .back, at: time, app: log.apps.index(bundle))
    }

    /// Reads the table that iLEAPP and APOLLO print for knowledgeC, which has one row for each use, in UTC.
    private mutating func readUses(_ columns: ForeignColumns, _ indices: (bundle: Int, start: Int, end: Int)) {
        var log = log
        var broken = broken
        columns.forEachRow { table, row in
            broken.countRow()
            guard let name = broken.field(table, row, indices.bundle),
                let from = broken.field(table, row, indices.start),
                let to = broken.field(table, row, indices.end)
            else { return }
            guard let start = ForeignTime.stamp(table.text(from)), let end = ForeignTime.stamp(table.text(to)),
                (0...86_400_000_000_000).contains(end.nanoseconds - start.nanoseconds)
            else {
                return broken.add(
                    table.problem("expected times such as 2021-06-01 08:00:03, at most a day apart", in: row))
            }
            guard !KnowledgeRows.isShell(table.text(name)) else { return }
            log.add(
                .used, at: start.nanoseconds, app: log.apps.index(name, in: table),
                value: Double(end.nanoseconds - start.nanoseconds) / 1e9)
        }
        (self.log, self.broken) = (log, broken)
    }

    /// Reads the table that iLEAPP prints for App.InFocus.
    private mutating func readFocus(_ table: ForeignTable, _ columns: ForeignColumns) throws(Diagnostics) {
        let bundle = try columns.required("bundleid")
        if let start = columns.index("start"), let end = columns.index("end") {
            return readUses(columns, (bundle, start, end))
        }
        let action = try columns.required("action")
        let time = try columns.required(anyOf: ["starttime", "timestamp"])
        let state = columns.index("segbstate")
        var log = log
        var broken = broken
        columns.forEachRow { table, row in
            if let state, state < row.fields.count, !table.matches(row.fields[state], "Written") { return }
            broken.countRow()
            guard let name = broken.field(table, row, bundle), let what = broken.field(table, row, action),
                let when = broken.field(table, row, time)
            else { return }
            guard let stamp = ForeignTime.stamp(table.text(when)) else {
                return broken.add(table.problem("expected a time such as 2025-01-31 07:06:40+00:00", when, in: row))
            }
            guard !KnowledgeRows.isShell(table.text(name)) else { return }
            let isStart = table.text(what).lowercased().hasPrefix("fore")
            log.add(isStart ? .front : .back, at: stamp.nanoseconds, app: log.apps.index(name, in: table))
        }
        (self.log, self.broken) = (log, broken)
    }
}
