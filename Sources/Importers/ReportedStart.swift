// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities

/// State of a phone according to a report.
///
/// A scenario or a run can begin in this state.
public struct ReportedStart: Sendable {
    /// A process with a unique name.
    public struct Named: Sendable {
        /// Name of the process.
        ///
        /// Processes with equal names have a number after the name.
        public let name: String
        /// Row of the process in the report or list.
        public let row: Int
        /// State of the process at the start.
        public let process: StartingProcess
        /// Limit at which the process died; nil if it did not die at a limit.
        public let limit: MemoryLimit?
    }

    /// Processes in the order of the report, except those that cannot be killed.
    public let processes: [Named]
    /// Memory of the machine.
    ///
    /// All memory other than processes, free pages and file pages is wired or belongs to the system.
    public let memory: MemoryParameters
    /// Sentences about values that the report lacks and how they were estimated.
    public let notes: [String]
}

extension ReportedStart {
    /// Text of a report, quoted for YAML, with control characters made visible.
    static func quoted(_ text: String) -> String { JSONText.quoted(text.visible) }

    /// Lines of a scenario that begins in this state, up to the heading of its steps.
    func lines(name: String, generation: String) -> [String] {
        ["schema: 1", "name: " + Self.quoted(name), "device:", "  os: " + generation]
            + memoryLines + ["processes:"] + processes.map(line) + ["steps:"]
    }

    /// Expectation of the least available memory at the beginning.
    ///
    /// Kills at a limit follow immediately and can only increase the available memory.
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
