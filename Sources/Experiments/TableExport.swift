// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

/// Writes the tables of a directory from its finished runs, in the order of the plan, a piece at a time.
struct TableExport {
    let plan: Plan
    let store: RunStore
    private let failed: Set<Int>

    init(plan: Plan, store: RunStore, failures: [FailedRun]) {
        self.plan = plan
        self.store = store
        failed = Set(failures.map(\.run.number))
    }

    /// The first line of `runs.csv`.
    var header: [UInt8] { Array(TableCatalog.runs(axes: plan.axisColumns, metrics: plan.metrics).header) }

    /// The lines of `runs.csv` of some runs.
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

    /// Copies one table of all runs, each row led by the columns that say whose it is.
    func copy(_ table: TableDescription, to write: ([UInt8]) throws -> Void) throws {
        try write(TableCatalog.schema(of: table, axes: plan.axisColumns).header)
        var out = ByteBuffer()
        for run in plan.runs {
            guard let finished = store[run.number] else { continue }
            let lead = leading(run)
            for chunk in finished.chunks where chunk.table == table.set {
                let text = try chunk.text()
                for line in text.split(separator: 10) {
                    out.append(contentsOf: lead)
                    out.append(contentsOf: line)
                    out.newline()
                }
                try write(out.bytes)
                out.removeAll()
            }
        }
    }

    /// The name of the file of a table of rows.
    func fileName(_ table: TableDescription) -> String {
        table.name + Self.ending(isCompressed: plan.output.isCompressed)
    }

    /// How files of tables of rows end.
    static func ending(isCompressed: Bool) -> String { isCompressed ? ".csv.gz" : ".csv" }

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

    /// The schemas of every table that is written.
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
