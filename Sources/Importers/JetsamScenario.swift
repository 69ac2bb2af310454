// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Vocabulary

extension JetsamReport {
    /// A scenario that begins in the state of the report and expects the numbers of the report.
    ///
    /// - Parameters:
    ///   - start: State of the report.
    ///   - name: Name of the scenario.
    ///   - generation: Rules of the system, such as `ios-14`.
    public func scenario(_ start: ReportedStart, name: String, generation: String) -> String {
        var lines = ["# A phone at the time of a JetsamEvent report\(origin)."]
        lines += start.notes.map { "# " + $0 }
        lines += killLines(start)
        lines += start.lines(name: name, generation: generation)
        lines += expectations(start)
        return lines.joined(separator: "\n") + "\n"
    }

    private func quoted(_ text: String) -> String { ReportedStart.quoted(text) }

    private var origin: String {
        let parts = [product, system, date].compactMap { $0 }.map { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value < 127 }))
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    private func killLines(_ start: ReportedStart) -> [String] {
        kills.enumerated().map { index, row in
            let name = start.processes.first { $0.row == row }?.name ?? processes[row].name
            return "# Kill \(index + 1) of the report: \(quoted(name)), "
                + quoted(processes[row].reason ?? "")
        }
    }

    /// Expectations about the available memory, and about the largest process that was not killed and has no limit.
    private func expectations(_ start: ReportedStart) -> [String] {
        let available = size(pages.free + (pages.fileBacked ?? 0))
        var lines = [start.expectation(available: available)]
        let survivors = start.processes.filter { $0.limit == nil && processes[$0.row].reason == nil }
        if let largest = survivors.max(by: { $0.process.footprint < $1.process.footprint }) {
            let name = quoted(largest.name)
            let footprint = UnitText.format(Double(largest.process.footprint.bytes), as: .bytes)
            let compressed = UnitText.format(Double(largest.process.compressed.bytes), as: .bytes)
            lines.append(
                "  - {at: 0 s, expect: {process: \(name), footprint: \(footprint), compressed: \(compressed)}}")
        }
        return lines
    }
}
