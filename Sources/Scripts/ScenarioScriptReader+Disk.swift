// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Disk
import Quantities
import Vocabulary

/// Reads storage: `device: {disk: …}`, `files` of a process, and actions and conditions on both.
extension ScenarioScriptReader {
    /// Keys of a phone's storage that scenarios support: keys of rules that need neither a day nor a network.
    private static let diskKeys: Set<String> = [
        "capacity", "system", "free", "reserve", "purge_below", "purge_until", "order", "purges_running",
        "freezer_below", "offloads", "offload_after",
    ]
    private static let fileKeys: Set<String> = ["bundle", "documents", "caches", "caches_limit"]
    private static let writes: [(word: String, folder: ScriptFolder)] = ScriptFolder.allCases.map {
        ("write-" + $0.rawValue, $0)
    }

    /// Storage of the phone, which apps can use completely; nil if the script has no storage.
    func readDisk(_ device: MapReader) -> DiskParameters? {
        guard let map = device.map("disk") else { return nil }
        var disk = DiskParameters()
        disk.reserveSigma = 0
        map.set(&disk, DiskParameters.keys.filter { Self.diskKeys.contains($0.name) })
        map.finish()
        hasDisk = true
        return disk
    }

    /// The files of a process at the beginning; none by default.
    func readFiles(_ map: MapReader) -> AppFiles {
        var files = AppFiles()
        (files.bundle, files.documents, files.caches, files.cachesLimit) = (.zero, .zero, .zero, .zero)
        guard let part = map.map("files") else { return files }
        needsDisk(part)
        part.set(&files, AppFiles.keys.filter { Self.fileKeys.contains($0.name) })
        part.finish()
        return files
    }

    private func needsDisk(_ map: MapReader) {
        guard !hasDisk else { return }
        map.cursor.fail("the phone of this scenario has no storage", hint: "give its device a \"disk\"")
    }

    /// Reads an action such as `write-caches 100 MB`; for any other word, returns nil and reads nothing.
    func readWrite(_ word: String, _ argument: Cursor, _ map: MapReader) -> ScriptBackgroundAction?? {
        guard let write = Self.writes.first(where: { $0.word == word }) else { return .none }
        needsDisk(map)
        return .some(ValueReader<ByteCount>.bytes().read(argument).map { .write($0, write.folder) })
    }

    /// Reads `{disk: {photos: 2 GB}}` or `{disk: {night: true}}`.
    func readDiskAction(_ map: MapReader) -> ScriptMachineAction? {
        defer { map.finish() }
        needsDisk(map)
        guard let key = map.exactlyOne(of: ["photos", "night"]) else { return nil }
        if key == "photos" { return map.required(key, .bytes()).map { .disk(.photos($0)) } }
        return map.required(key, .flag).map { _ in .disk(.night) }
    }

    /// Reads `files: {caches: 100 MB, tmp: 0 B, missing: 20 MB, rebuilds: true, installed: true}`.
    func readFileChecks(_ map: MapReader, into checks: inout [ScriptCheck]) {
        guard let part = map.map("files") else { return }
        needsDisk(part)
        let sizes: [(String, (ByteCount) -> ScriptDiskCheck)] = [
            ("caches", { .caches($0) }), ("tmp", { .temporary($0) }), ("missing", { .missing($0) }),
        ]
        for (key, make) in sizes {
            if let value = part.optional(key, .bytes()) { checks.append(.disk(make(value))) }
        }
        if let flag = part.optional("rebuilds", .flag) { checks.append(.disk(.rebuilds(flag))) }
        if let flag = part.optional("installed", .flag) { checks.append(.disk(.isInstalled(flag))) }
        part.finish()
    }

    /// Reads `disk: {free: 600 MB, purged: [{process: a, part: caches, size: 100 MB}]}`.
    func readDiskChecks(_ map: MapReader, into checks: inout [ScriptCheck]) {
        guard let part = map.map("disk") else { return }
        needsDisk(part)
        if let size = part.optional("free", .bytes()) { checks.append(.disk(.free(size))) }
        if let purged = part.optional("purged", .list(of: purge)) { checks.append(.disk(.purged(purged))) }
        part.finish()
    }

    private var purge: ValueReader<ScriptPurge> {
        ValueReader(example: "{process: a, part: caches, size: 100 MB}") { [process] cursor in
            let map = MapReader(cursor, expected: "a purge such as {process: a, part: caches, size: 100 MB}")
            let who = map.required("process", process)
            let part = map.required("part", ValueReader<ScriptPurge.Part>.choice("part"))
            let size = map.required("size", .bytes())
            map.finish()
            guard let who, let part, let size else { return nil }
            return ScriptPurge(process: who, part: part, size: size)
        }
    }
}
