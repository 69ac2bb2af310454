// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Importers
import Processes
import Quantities
import Recording

/// `flotsam data import jetsam-report`: prints the contents of a report, or writes a scenario that starts in its
/// state.
enum JetsamReportFormat: ImportFormat {
    static let name = "jetsam-report"
    static let options = [ImportOption.made, .ram]
    /// An output is optional: without one, the contents of the report are printed.
    static let needsOutput = false

    /// Prints the checks of the report; with an output, also writes the scenario.
    static func run(_ job: ImportJob) throws -> Int32 {
        let path = try job.onlyFile(of: Self.self)
        let ram = try job.memory()
        let report = try readJetsamReport(path: path)
        let start = try report.start(ram: ram)
        let generation = report.rules.name
        if let output = job.output {
            let title = job.text(.made) ?? "state of " + (report.product ?? "a phone")
            let scenario = report.scenario(start, name: title, generation: generation)
            try output.write(Array((job.mark + "\n" + scenario).utf8), mark: job.mark)
        }
        Console.diagnose("note: ", each: start.notes)
        Console.diagnose("not used: ", each: report.unknown.map { "\($0.path.excerpt) (\($0.count)×)" })
        return Console.out(
            summary(path, report, start, generation) + (job.output.map { "written: \($0.path)\n" } ?? ""))
    }

    private static func summary(
        _ path: String, _ report: JetsamReport, _ start: ReportedStart, _ generation: String
    ) -> String {
        var text = "\(path): \(head(report)), \(generation)\n"
        text += "\(memory(start.memory.ram)) of memory in pages of \(report.pageSize) bytes; "
        let available = report.pages.free + (report.pages.fileBacked ?? 0)
        let share = Double(available) * Double(report.pageSize) / Double(start.memory.ram.bytes)
        text += "\(Figures.short(100 * share, digits: 3)) % of it is free or file-backed\n"
        let suspended = start.processes.count { $0.process.isSuspended }
        let daemons = start.processes.count { !$0.process.traits.isManaged }
        text += "\(count(start.processes.count, "process")): \(count(daemons, "daemon")), "
        text += "\(suspended) suspended\n"
        if let ends = report.endsPerHour {
            text += "ended: \(Figures.short(ends, digits: 3)) processes an hour, estimated from their "
            text += "identifiers and ages\n"
        }
        for (rows, remark) in [(report.kills, ""), (report.laterKills, ", launched after the snapshot had begun")] {
            for row in rows {
                let process = report.processes[row]
                text += "killed: \(process.name.excerpt), \((process.reason ?? "").excerpt), "
                text += "\(memory(report.footprint(of: row))) in band \(report.band(ofRow: row))\(remark)\n"
            }
        }
        for check in report.checks(nominalBytes: Int(start.memory.ram.bytes)) {
            let verdict = check.holds.map { $0 ? "holds" : "FAILS" } ?? "no answer"
            text += "\(verdict): \(check.name): \(check.found.excerpt)\n"
        }
        return text
    }

    /// Device, system and date.
    static func head(_ report: JetsamReport) -> String {
        let parts = [report.product, report.system, report.date].compactMap { $0 }.map(\.excerpt)
        return parts.isEmpty ? "a report" : parts.joined(separator: ", ")
    }

    /// A size in MiB or GiB, rounded for display.
    static func memory(_ size: ByteCount) -> String {
        size >= .gibibytes(1)
            ? Figures.short(size.mebibytes / 1024, digits: 3) + " GiB"
            : Figures.short(size.mebibytes, digits: 3) + " MiB"
    }
}
