// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Workload

/// Writes the tables of a directory from its finished runs, piece by piece, in the order of the plan.
struct TableExport {
    let plan: Plan
    let store: RunStore
    private let failed: Set<Int>

    init(plan: Plan, store: RunStore, failures: [FailedRun]) {
        self.plan = plan
        self.store = store
        failed = Set(failures.map(\.run.number))
    }

    /// Header of `runs.csv`.
    var header: [UInt8] { Array(TableCatalog.runs(axes: plan.axisColumns, metrics: plan.metrics).header) }

    /// Lines of `runs.csv` for a range of runs.
    func rows(of numbers: Range<Int>) -> [UInt8] {
        var out = ByteBuffer()
        for run in plan.runs[numbers] {
            if let finished = store[run.number] {
                append(run, finished.outcome, to: &out)
            } else if failed.contains(run.number) {
                append(run, nil, to: &out)
            }
        }
        return out.bytes
    }

    private func append(_ run: PlannedRun, _ outcome: RunOutcome?, to out: inout ByteBuffer) {
        let policy = plan.policies[run.policy]
        out.append(run.number)
        for text in [policy.name, policy.eviction, policy.scheduling] + plan.fields(of: run.point) {
            out.comma()
            out.append(field: text)
        }
        out.comma()
        out.append(run.replication)
        out.append(text: outcome == nil ? ",failed," : ",done,")
        if let outcome { out.append(outcome.events) }
        out.comma()
        if let outcome { out.append(hexadecimal: outcome.workloadFingerprint) }
        out.comma()
        if let outcome { out.append(hexadecimal: outcome.fingerprint) }
        out.comma()
        out.append(field: run.token(modelVersion: modelVersion))
        out.comma()
        out.append(field: modelVersion)
        for index in plan.metrics.entries.indices {
            out.comma()
            if let outcome, outcome.metrics.indices.contains(index) { out.append(outcome.metrics[index]) }
        }
        out.newline()
    }

    /// Writes one table with the rows of all runs into a file, in the format that the experiment sets.
    func write(_ table: TableDescription, to file: borrowing OutputFile) throws {
        let schema = TableCatalog.schema(of: table, axes: plan.axisColumns)
        switch plan.output.form {
        case .csv:
            try file.write(schema.header)
            try copy(table) { try file.write($0) }
        case .gzip:
            var packed = try GzipFile(file)
            try packed.write(schema.header, to: file)
            try copy(table) { try packed.write($0, to: file) }
            try packed.finish(file)
        case .parquet:
            var parquet = try ParquetFile(schema, about: DataPackage.metadata(of: schema), to: file)
            try copy(table) { lines in
                for line in lines.split(separator: 10) { try parquet.add(line, to: file) }
            }
            try parquet.finish(file)
        }
    }

    /// Copies the rows of all runs for one table.
    ///
    /// The columns of the run and of the date precede each row.
    private func copy(_ table: TableDescription, to write: ([UInt8]) throws -> Void) throws {
        var out = ByteBuffer()
        var dates = RowDates(from: plan.definition.start)
        for run in plan.runs {
            guard let finished = store[run.number] else { continue }
            let lead = leading(run)
            var row = 0
            for chunk in finished.chunks where chunk.table == table.set {
                let text = try chunk.text()
                for line in text.split(separator: 10) {
                    out.append(contentsOf: lead)
                    if table.key.isEmpty {
                        out.append(row)
                        out.comma()
                    }
                    if let time = table.time {
                        dates.append(line, time, to: &out)
                        out.comma()
                    }
                    row += 1
                    out.append(contentsOf: line)
                    out.newline()
                }
                try write(out.bytes)
                out.removeAll()
            }
        }
    }

    /// Name of the file of a row table.
    func fileName(_ table: TableDescription) -> String {
        table.name + plan.output.form.ending
    }

    private func leading(_ run: PlannedRun) -> [UInt8] {
        var out = ByteBuffer()
        out.append(run.number)
        out.comma()
        out.append(field: plan.policies[run.policy].name)
        for value in plan.fields(of: run.point) {
            out.comma()
            out.append(field: value)
        }
        out.comma()
        out.append(run.replication)
        out.comma()
        return out.bytes
    }

    /// Schemas of all tables that are written.
    var schemas: [TableSchema] {
        [
            TableCatalog.runs(axes: plan.axisColumns, metrics: plan.metrics),
            TableCatalog.summary(axes: plan.axisColumns), TableCatalog.comparisons(axes: plan.axisColumns),
        ]
            + plan.optionalTables.filter(\.isWritten).map(\.table)
            + PhoneTables.list.tables(in: plan.tables).map { TableCatalog.schema(of: $0, axes: plan.axisColumns) }
            + [TableCatalog.columns]
    }
}

/// Converts times since a run's first midnight to dates.
private struct RowDates {
    private static let secondsOfDay = 86400
    /// Largest plausible time in seconds, some thousand years; a larger time means that the row is damaged.
    private static let latest = 1e11
    private let start: CalendarDate
    private var day = Int.min
    private var text: [UInt8] = []

    init(from start: CalendarDate) { self.start = start }

    /// Appends a date such as `2026-03-02T08:15:00`; appends nothing if the time of the row is not plausible.
    mutating func append(_ line: ArraySlice<UInt8>, _ column: TableDescription.Time, to out: inout ByteBuffer) {
        guard let time = Double(String(decoding: Self.field(column.index, of: line), as: UTF8.self)),
            (0..<Self.latest).contains(time * column.unit)
        else { return }
        let seconds = Int((time * column.unit).rounded(.down))
        let ofDay = seconds % Self.secondsOfDay
        if day != seconds / Self.secondsOfDay {
            day = seconds / Self.secondsOfDay
            text = Array((CalendarDate(daysSince1970: start.daysSince1970 + day).text + "T").utf8)
        }
        out.append(contentsOf: text)
        for (index, part) in [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].enumerated() {
            if index > 0 { out.append(byte: UInt8(ascii: ":")) }
            out.append(byte: UInt8(48 + part / 10))
            out.append(byte: UInt8(48 + part % 10))
        }
    }
    /// Field of a CSV line, by index.
    private static func field(_ index: Int, of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var (begin, left, isQuoted) = (line.startIndex, index, false)
        for at in line.indices {
            if line[at] == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard line[at] == UInt8(ascii: ","), !isQuoted else { continue }
            if left == 0 { return line[begin..<at] }
            left -= 1
            begin = at + 1
        }
        return left == 0 ? line[begin...] : []
    }
}
