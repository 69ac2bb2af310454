// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Testing

@testable import Scripts

/// A key that is accepted must act: another value of every key of a script makes a shipped script miss an expectation.
///
/// Where a script writes the key, its value is replaced; where none does, or none of these misses, the key is added
/// beside others of its map.
@Suite struct ScriptKeyTests {
    /// A key, with every spot of the shipped scripts at which its reader asks for it.
    struct Key: Sendable, CustomTestStringConvertible {
        let name: String
        var spots: [Spot] = []
        var testDescription: String { name }
    }

    /// Where a script has the key or could have it.
    struct Spot: Sendable {
        let script: Int
        let path: [String]
        /// What the key takes there: names of processes differ between scripts.
        var shape: ValueShape
        let isWritten: Bool
    }

    /// Keys that change nothing that a script expects.
    private static let reasons: [(key: String, reason: String)] = [
        ("schema", "the version of the format"), ("name", "a name"), ("processes[].name", "a name"),
        ("steps[].block", "a name"), ("scenarios", "for the page of conformance"),
        ("rule", "for the page of conformance"), ("kernel", "for the page of conformance"),
        ("device.memory.foreground_decompressed_share", phones),
        ("device.memory.background_decompressed_share", phones),
        ("device.memory.suspended_compressed_share", phones), ("device.memory.idle_compressed_share", phones),
        ("device.memory.decompressed_per_second", waits), ("device.memory.swap_read_per_second", waits),
        ("device.memory.warm_share", "launches from cached files are a phone's: ActingKeyTests"),
        ("device.memory.camera_wired", "the camera is a phone's: ActingKeyTests"),
        ("device.memory.resume_files_share", "apps of a script have no launch files: ActingKeyTests"),
        ("device.memory.file_cache_minimum", "files of apps are a phone's: ActingKeyTests"),
        ("device.memory.free_target", "files of apps are a phone's: ActingKeyTests"),
        ("steps[].freezer.list[].process", "an entry is found by its name, whatever it carries: freezer-list.yaml"),
        ("steps[].kill_counts", "it takes one word"),
        ("steps[].freezer.run", "true and false both run it"),
        ("steps[].freezer.reset", "true and false both reset it"),
        ("steps[].disk.night", "true and false both are a night"),
    ]
    private static let waits = "how long a resume waits for memory is a phone's: ActingKeyTests"
    private static let phones = "what a phone compresses by itself while apps wait: ActingKeyTests"

    /// Values of keys whose reader alone knows what it takes.
    private static let values: [String: [String]] = [
        "active": ["1 MiB fatal", "2 GiB soft", "default"], "inactive": ["1 MiB fatal", "2 GiB soft", "default"],
        "limit": ["1 MiB fatal", "2 GiB soft", "1 MiB", "1 %", "90 %"], "active_limit": ["1 MiB fatal"],
        "inactive_limit": ["1 MiB fatal"], "relaunch": ["low", "high", "[1 s]"],
        "available": ["1 %", "{at_least: 101 %}"], "saved": ["{at_least: 99 %}", "{at_most: 1 %}"],
        "thaw_share": ["{at_least: 99 %}", "{at_most: 1 %}"], "zone_map": ["{at_least: 99 %}", "{at_most: 1 %}"],
        "do": ["spawn", "exit"], "os": ["ios-6"], "kills": ["[]"], "kill_counts": ["[]"], "freezer_snapshot": ["[]"],
        "list": ["[]"],
    ]

    private static let roots: [Node] =
        scripts.compactMap { path in
            guard let source = try? SourceText.read(path: path).get() else { return nil }
            return try? YAML.parse(source).get()
        } + ownScripts.compactMap { try? YAML.parse(SourceText(name: "a.yaml", text: $0)).get() }

    /// Every key that a reader asks for in one of the scripts.
    private static let found: [Key] = {
        var found: [Key] = []
        var indices: [String: Int] = [:]
        for (number, root) in roots.enumerated() {
            let report = ConfigReport(recordsKeys: true)
            _ = ScenarioScriptReader().read(Cursor(root, report: report))
            var spots: [[String]: Spot] = [:]
            for note in report.keys {
                let path = words(note.path) + [note.key]
                if let known = spots[path], known.shape != .any { continue }
                spots[path] = Spot(
                    script: number, path: path, shape: note.shape, isWritten: value(root, path[...]) != nil)
            }
            for spot in spots.values.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
                let name = String(spot.path.map { Int($0) == nil ? "." + $0 : "[]" }.joined().dropFirst())
                let index = indices[name, default: found.count]
                if index == found.count { found.append(Key(name: name)) }
                indices[name] = index
                found[index].spots.append(spot)
            }
        }
        return found
    }()

    /// Those that must act.
    static let all: [Key] = {
        let maps = Set(found.map { $0.name.split(separator: ".").dropLast().joined(separator: ".") })
        return found.filter { key in
            // What an `os:` map of a script's device holds is the device reader's: ActingKeyTests changes it.
            !key.name.hasPrefix("device.os.") && !maps.contains(key.name) && !maps.contains(key.name + "[]")
                && !reasons.contains { $0.key == key.name }
        }
        .map { key in
            var key = key
            key.spots = key.spots.filter(\.isWritten) + key.spots.filter { !$0.isWritten }
            return key
        }
    }()

    /// `steps[3].expect` as its words, numbers of items among them.
    private static func words(_ path: String) -> [String] {
        path.replacing("[", with: ".").replacing("]", with: "").split(separator: ".").map(String.init)
    }

    private static func value(_ node: Node, _ path: ArraySlice<String>) -> Node? {
        guard let first = path.first else { return node }
        let next = Int(first).flatMap { index in node.items?[index] } ?? node[first]
        return next.flatMap { value($0, path.dropFirst()) }
    }

    /// The tree with a value put in at a path, added if the key is not there.
    private static func setting(_ node: Node, _ path: ArraySlice<String>, to new: Node) -> Node {
        guard let first = path.first else { return Node(new.content, at: node.location) }
        var copy = node
        if let index = Int(first), var items = node.items {
            items[index] = setting(items[index], path.dropFirst(), to: new)
            copy.content = .list(items)
        } else if var entries = node.entries {
            if let index = entries.firstIndex(where: { $0.key == first }) {
                entries[index].value = setting(entries[index].value, path.dropFirst(), to: new)
            } else {
                entries.append(
                    Node.Entry(key: first, location: node.location, value: Node(new.content, at: node.location)))
            }
            copy.content = .map(entries)
        }
        return copy
    }

    private static func values(_ shape: ValueShape) -> [String] {
        switch shape {
        case .any, .text: []
        case .words(let words): words
        case .flag: ["true", "false"]
        case .integer(let range): [0, 1, 2, 3, 7, 40, 100, range.upperBound].filter(range.contains).map(String.init)
        case .number: ["1", "3", "20", "0.3"]
        case .quantity(.time): ["0 s", "1 s", "1 min", "1 h", "2 d"]
        case .quantity(.bytes): ["1 MiB", "64 MiB", "1 GiB", "0 B", "40 GiB"]
        case .share, .quantity(.fraction): ["0 %", "3 %", "50 %", "100 %"]
        case .quantity: []
        case .either(let shapes): shapes.flatMap(values)
        case .list(let shape): values(shape).map { "[\($0)]" } + ["[]"]
        }
    }

    /// Whether a script that passes as it is misses something with the value.
    private static func acts(_ text: String, at spot: Spot) -> Bool {
        guard let new = try? YAML.parse(SourceText(name: "value", text: text)).get() else { return false }
        let report = ConfigReport()
        let root = setting(roots[spot.script], spot.path[...], to: new)
        guard let script = ScenarioScriptReader().read(Cursor(root, report: report)), !report.problems.hasErrors else {
            return false
        }
        return !run(script).missed.isEmpty
    }

    @Test(arguments: all) func `another value of the key makes a script miss what it expects`(_ key: Key) {
        let last = key.name.split(separator: ".").last.map(String.init) ?? ""
        // Of a key that hundreds of steps could have, some are enough.
        let acts = key.spots.prefix(400).contains { spot in
            (Self.values[last] ?? Self.values(spot.shape)).contains { Self.acts($0, at: spot) }
        }
        #expect(acts, "no other value made one of \(key.spots.count) spots miss")
    }

    /// The actions that the tables of the page list, without what they take: `submit refresh`, `assert`.
    static let actions: [String] = {
        guard let text = try? SourceText.read(path: root + "/docs/reference/scenarios.md").get() else { return [] }
        var found: [String] = []
        for row in text.text.split(separator: "\n") where row.hasPrefix("| `") {
            let cell = row.split(separator: "|")[0]
            let names = cell.firstRange(of: " with ").map { cell[..<$0.lowerBound] } ?? cell
            for (index, part) in names.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where !index.isMultiple(of: 2) {
                let words = part.split(separator: " ").filter { word in word.contains { $0.isLowercase } }
                let action = words.joined(separator: " ")
                if !found.contains(action) { found.append(action) }
            }
        }
        return found
    }()

    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test(arguments: actions) func `a script misses something without the action`(_ action: String) throws {
        let matters = try Self.roots.contains { root in
            guard let steps = root["steps"]?.items else { return false }
            return try steps.indices.contains { index in
                let text = steps[index]["do"]?.scalar ?? ""
                guard text == action || text.hasPrefix(action + " ") else { return false }
                var copy = steps
                copy.remove(at: index)
                let list = try YAML.parse(SourceText(name: "steps", text: "[]")).get()
                let without = Self.setting(root, ["steps"], to: Node(.list(copy), at: list.location))
                let report = ConfigReport()
                let script = ScenarioScriptReader().read(Cursor(without, report: report))
                // Without the step a block of memory may never be made: that the script is wrong then says nothing.
                guard let script, !report.problems.hasErrors else { return false }
                return !run(script).missed.isEmpty
            }
        }
        #expect(matters)
    }

    @Test func `the scripts of this suite hold as they are`() throws {
        for text in ownScripts {
            let found = run(try loadScenarioScript(SourceText(name: "a.yaml", text: text)))
            #expect(found.missed.isEmpty, "\(found.missed.map(\.diagnostic.message))")
        }
    }

    @Test func `every reason is about a key that there is, and nearly all keys must act`() {
        let names = Set(Self.found.map(\.name))
        for reason in Self.reasons { #expect(names.contains(reason.key), "no key \(reason.key)") }
        #expect(Self.all.count >= 170 && Self.actions.count >= 69)
    }
}
