// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Processes
import Quantities

extension ScenarioScriptReader {
    /// State of a process at the beginning, if the file has its `state`; nil for a process that is spawned.
    func readStart(_ map: MapReader, _ traits: ProcessTraits, _ footprint: ByteCount) -> StartingProcess? {
        let state = map.optional("state", .word(of: ["running", "suspended"], what: "state"))
        let compressed = map.optional("compressed", .bytes())
        let age = map.optional("age", .duration(0...3e9))
        let requested = map.optional("requested_band", Self.band)
        guard let state else {
            if compressed != nil || age != nil || requested != nil {
                map.cursor.fail(
                    "\"compressed\", \"age\" and \"requested_band\" need a \"state\"",
                    hint: "write \"state: running\" or \"state: suspended\"")
            }
            return nil
        }
        if map.has("spawned") {
            map.cursor("spawned")?.fail(
                "a process with a \"state\" exists from the beginning, so a step cannot start it")
        }
        if let compressed, compressed > footprint {
            map.cursor("compressed")?.fail("the compressed memory exceeds the footprint")
            return nil
        }
        return StartingProcess(
            traits: traits, isSuspended: state == "suspended", footprint: footprint, compressed: compressed ?? .zero,
            age: age ?? .zero, requestedBand: requested.map { Int16($0) })
    }
}
