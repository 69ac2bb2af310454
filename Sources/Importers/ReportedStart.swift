// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities

/// The state of a phone in a report, from which a scenario or a run can begin.
public struct ReportedStart: Sendable {
    /// Process with a unique name.
    public struct Named: Sendable {
        /// Name of the process; processes of one name have a number after the name.
        public let name: String
        /// Row of the process in the report, or in the list.
        public let row: Int
        /// State of the process at the start.
        public let process: StartingProcess
        /// Limit at which the process died; nil for a process that did not die at a limit.
        public let limit: MemoryLimit?
    }

    /// Processes in the order of the report, without those that cannot be killed.
    public let processes: [Named]
    /// Machine: all memory except processes, free pages and file pages is wired or belongs to the system.
    public let memory: MemoryParameters
    /// Values that the report lacks and how they were estimated, in sentences.
    public let notes: [String]
}

extension ReportedStart {
    /// Text of a report in a form for YAML, without characters that control a terminal.
    static func quoted(_ text: String) -> String { JSONText.quoted(text.visible) }

    /// Scenario that begins in the state, up to the heading of its steps.
    func lines(name: String, generation: String) -> [String] {
        ["schema: 1", "name: " + Self.quoted(name), "device:", "  os: " + generation]
            + memoryLines + ["processes:"] + processes.map(line) + ["steps:"]
    }

    /// Least available memory at the beginning; kills at a limit follow at once and can only increase it.
    func expectation(available: ByteCount) -> String {
        let available = available / memory.ram
        let share = UnitText.format(((available - 0.0001) * 1e6).rounded(.down) / 1e6, as: .fraction)
        return "  - {at: 0 s, expect: {available: {at_least: \(share)}}}"
    }

    private var memoryLines: [String] {
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

    private func line(_ named: Named) -> String {
        let process = named.process
        let traits = process.traits
        func size(_ value: ByteCount) -> String { UnitText.format(Double(value.bytes), as: .bytes) }
        var parts = [
            "name: " + Self.quoted(named.name), "kind: " + (traits.isManaged ? "app" : "daemon"),
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
}
