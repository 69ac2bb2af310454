// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Processes
import Quantities
import Vocabulary

/// Steps about blocks of memory, zones and lists for the freezer.
extension ScenarioScriptReader {
    /// Reads `{block: b, process: a, do: create, kind: purgeable, size: 100 MiB}`, or
    /// `{block: b, do: touch 50 MiB}` for a block that exists.
    func readBlockAct(_ map: MapReader) -> ScriptStep.Content? {
        let name = map.required("block", .text)
        let error = map.optional("error", Self.error)
        let text = map.required("do", .text)
        guard let name, let text else { return nil }
        if text == "create" { return readCreation(map, name, error) }
        let number = map.required("block", ValueReader<String>.word(of: blocks, what: "block"))
            .flatMap { blocks.firstIndex(of: $0) }
        guard let number, let action = readBlockAction(text, map) else { return nil }
        return .block(number, action, error: error)
    }

    private func readCreation(_ map: MapReader, _ name: String, _ error: ScriptError?) -> ScriptStep.Content? {
        if blocks.contains(name) { map.cursor.fail("the block \"\(name)\" exists already") }
        blocks.append(name)
        let process = map.required("process", process)
        let kinds = ["file", "purgeable", "tagged", "surface"]
        let kind = map.required("kind", .word(of: kinds, what: "kind of memory"))
        let tags = MemoryTag.allCases.map(\.rawValue)
        let tag = map.value("tag", .word(of: tags, what: "tag"), default: "default")
        let counts = map.value("counts", .flag, default: true)
        let purgeable = map.value("purgeable", .flag, default: true)
        let size = map.required("size", .bytes())
        guard let process, let kind, let size else { return nil }
        let made: MemoryBlockKind =
            switch kind {
            case "file": .file
            case "purgeable": .purgeable
            case "surface": .surface(isPurgeable: purgeable)
            default: .tagged(MemoryTag(rawValue: tag) ?? .plain, countsToFootprint: counts)
            }
        return .make(process: process, ScriptBlock(kind: made, size: size), error: error)
    }

    private func readBlockAction(_ text: String, _ map: MapReader) -> MemoryBlockAction? {
        let plain: [(String, MemoryBlockAction)] = [
            ("map", .map), ("unmap", .unmap), ("release", .release), ("volatile", .makeVolatile),
            ("non-volatile", .makeNonvolatile), ("unmap-again", .unmapAgain),
        ]
        if let found = plain.first(where: { $0.0 == text }) { return found.1 }
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let cursor = map.cursor("do"), parts.count == 2, ["touch", "touch-again"].contains(parts[0]) else {
            map.cursor.fail(
                "unknown action \"\(text)\" of a block",
                hint: "actions: create, touch SIZE, touch-again SIZE, " + plain.map(\.0).joined(separator: ", "))
            return nil
        }
        let value = Cursor(
            Node(.scalar(parts[1], quoted: false), at: cursor.node.location), path: cursor.path, report: cursor.report)
        let size = ValueReader<ByteCount>.bytes().read(value)
        return size.map { parts[0] == "touch" ? .touch($0) : .touchAgain($0) }
    }

    func readZones(_ map: MapReader) -> ScriptMachineAction? {
        defer { map.finish() }
        guard let key = map.exactlyOne(of: ["limit", "others", "snapshot_band"]) else { return nil }
        switch key {
        case "limit": return map.required(key, .share).map { .zoneLimit($0) }
        case "others": return map.required(key, .bytes()).map { .otherZones($0) }
        default: return map.required(key, Self.band).map { .zoneSnapshotBand($0) }
        }
    }

    /// Reads an entry `{name: a, process: b}`: the process that provides the name, and the process that provides the
    /// identifier.
    ///
    /// Without `process`, the named process provides both.
    var listEntry: ValueReader<FreezerListEntry> {
        ValueReader(example: "{name: a}") { [process] cursor in
            let map = MapReader(cursor, expected: "an entry such as {name: a}")
            let name = map.required("name", process)
            let other = map.optional("process", process)
            map.finish()
            return name.map { FreezerListEntry(name: AppID($0), process: AppID(other ?? $0)) }
        }
    }

    /// `{process: a, frozen: true, thaws: 1}`.
    var snapshot: ValueReader<ScriptSnapshot> {
        ValueReader(example: "{process: a}") { [process] cursor in
            let map = MapReader(cursor, expected: "a process such as {process: a}")
            let who = map.required("process", process)
            let isFrozen = map.optional("frozen", .flag)
            let thaws = map.optional("thaws", .integer(0...1_000_000, example: "1"))
            let reason = map.optional("reason", .reason)
            map.finish()
            return who.map { ScriptSnapshot(process: $0, isFrozen: isFrozen, thaws: thaws, reason: reason) }
        }
    }
}
