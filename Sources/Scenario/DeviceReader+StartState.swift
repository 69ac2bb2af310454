// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Phone
import PhoneCore
import Processes
import Quantities
import Scripts

extension DeviceReader {
    /// Reads `start_state: phone.yaml`, a scenario file.
    ///
    /// The file's processes that have a `state` exist when a run begins.
    ///
    /// The file determines the memory outside apps: wired memory, the system and the compressor. The rules for
    /// compression and free memory, and the rules of the system, are those of the device.
    func readStartState(_ map: MapReader, into memory: inout MemoryParameters?, _ daemons: inout SystemPopulation) {
        guard let word = map.optional("start_state", .text), let cursor = map.cursor("start_state") else { return }
        let folder = trees.folder(of: cursor.node)
        let path = FilePath.join(folder, word)
        guard FilePath.exists(path) else { return reportMissingFile(word, cursor, from: folder) }
        do throws(Diagnostics) {
            let script = try loadScenarioScript(path: path)
            use(script, into: &memory, &daemons, cursor)
        } catch {
            map.cursor.report.add(error)
        }
    }

    private func use(
        _ script: ScenarioScript, into memory: inout MemoryParameters?, _ daemons: inout SystemPopulation,
        _ cursor: Cursor
    ) {
        let gap = daemons.workGap
        daemons.listed = script.processes.compactMap { process in
            process.start.map { SystemProcess(standing: $0, named: process.name, gap: gap) }
        }
        guard !daemons.listed.isEmpty else {
            return cursor.fail(
                "no process of the file has a state", hint: "flotsam data import jetsam-report writes such files")
        }
        guard var changed = memory else { return }
        guard script.memory.ram == changed.ram else {
            func size(_ value: ByteCount) -> String { UnitText.format(Double(value.bytes), as: .bytes) }
            return cursor.fail(
                "the state is from a phone with \(size(script.memory.ram)) of memory, but the device has "
                    + "\(size(changed.ram))")
        }
        changed.reserved = script.memory.reserved
        changed.wired = script.memory.wired
        changed.systemFootprint = script.memory.systemFootprint
        changed.systemCompressedShare = script.memory.systemCompressedShare
        changed.compressorRatio = script.memory.compressorRatio
        changed.compressorLimit = script.memory.compressorLimit
        for problem in changed.problems { cursor.fail(problem.spelledAsKeys) }
        memory = changed
    }
}
