// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Vocabulary

extension JetsamReport {
    /// A scenario that begins with the state of the report and expects the numbers of the report.
    ///
    /// - Parameters:
    ///   - start: The state.
    ///   - name: Name of the scenario.
    ///   - generation: The system's rules, such as `ios-14`.
    public func scenario(_ start: JetsamStart, name: String, generation: String) -> String {
        var lines = ["# A phone at the time of a JetsamEvent report\(origin)."]
        lines += start.notes.map { "# " + $0 }
        lines += killLines(start)
        lines += ["schema: 1", "name: " + quoted(name), "device:", "  os: " + generation]
        lines += memoryLines(start.memory)
        lines += ["processes:"] + start.processes.map(line)
        lines += ["steps:"] + expectations(start)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text of the report as YAML, without characters that act on a terminal.
    private func quoted(_ text: String) -> String { JSONText.quoted(text.visible) }

    private var origin: String {
        let parts = [product, system, date].compactMap { $0 }.map { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value < 127 }))
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    private func killLines(_ start: JetsamStart) -> [String] {
        kills.enumerated().map { index, row in
            let name = start.processes.first { $0.row == row }?.name ?? processes[row].name
            return "# Kill \(index + 1) of the report: \(quoted(name)), "
                + quoted(processes[row].reason ?? "")
        }
    }

    private func memoryLines(_ memory: MemoryParameters) -> [String] {
        func size(_ value: ByteCount) -> String { UnitText.format(Double(value.bytes), as: .bytes) }
        return [
            "  memory:", "    ram: \(size(memory.ram))", "    reserved: \(size(memory.reserved))",
            "    wired: \(size(memory.wired))", "    system_footprint: \(size(memory.systemFootprint))",
            "    system_compressed_share: \(UnitText.format(memory.systemCompressedShare, as: .fraction))",
            "    compressor_ratio: \(memory.compressorRatio)",
            "    compressor_limit: \(size(memory.compressorLimit))",
            "    compress_below_share: \(UnitText.format(memory.compressBelowShare, as: .fraction))",
            "    file_cache_minimum: \(size(memory.fileCacheMinimum))", "    free_target: \(size(memory.freeTarget))",
            "    per_process_limit: \(size(memory.perProcessLimit))",
        ]
    }

    private func line(_ named: JetsamStart.Named) -> String {
        let process = named.process
        let traits = process.traits
        func size(_ value: ByteCount) -> String { UnitText.format(Double(value.bytes), as: .bytes) }
        var parts = [
            "name: " + quoted(named.name), "kind: " + (traits.isManaged ? "app" : "daemon"),
            "band: \(traits.band)", "state: " + (process.isSuspended ? "suspended" : "running"),
            "footprint: " + size(process.footprint), "compressed: " + size(process.compressed),
            "age: " + UnitText.format((process.age.seconds * 1000).rounded() / 1000, as: .time),
        ]
        if traits.isTracked { parts.append("tracked: true") }
        if traits.allowsIdleExit { parts.append("idle_exit: true") }
        if traits.relaunch == .high { parts.append("relaunch: high") }
        if let band = process.requestedBand { parts.append("requested_band: \(band)") }
        if traits.coalition >= 0 { parts.append("coalition: \(traits.coalition)") }
        if let limit = named.limit {
            let text = size(limit.size) + (limit.isFatal ? " fatal" : " soft")
            parts.append("limits: {active: \(text), inactive: \(text)}")
        }
        return "  - {" + parts.joined(separator: ", ") + "}"
    }

    /// Expectations at the beginning; kills at a limit follow at once and can only add to the available memory.
    private func expectations(_ start: JetsamStart) -> [String] {
        let available = Double(size(pages.free + (pages.fileBacked ?? 0)).bytes) / Double(start.memory.ram.bytes)
        let share = UnitText.format(((available - 0.0001) * 1e6).rounded(.down) / 1e6, as: .fraction)
        var lines = ["  - {at: 0 s, expect: {available: {at_least: \(share)}}}"]
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
