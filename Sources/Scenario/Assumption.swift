// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText

/// A value in a model that was not measured, with the reason for the value.
public struct Assumption: Hashable, Sendable {
    /// Path of the model file.
    public let file: String
    /// Path of the value in the file, for instance `memory.wired`.
    public let key: String
    /// Reason for the value.
    public let reason: String
    /// Ends of the plausible interval, as in the file; empty if the file contains none.
    public let interval: [String]

    /// Creates an assumption.
    public init(file: String, key: String, reason: String, interval: [String] = []) {
        self.file = file
        self.key = key
        self.reason = reason
        self.interval = interval
    }

    /// All assumptions in a model file: the list `assumptions:`, and sources that are marked as assumptions.
    static func all(in root: Node, file: String) -> [Assumption] {
        var found = listed(in: root).map {
            Assumption(file: file, key: $0.key, reason: $0.reason, interval: $0.interval)
        }
        collect(root, path: "", file: file, into: &found)
        return found
    }

    /// Assumptions that apply to a tree.
    ///
    /// An assumption does not apply if another file provides the value.
    static func resting(_ whole: Node, on assumptions: [Assumption], from path: String) -> [Assumption] {
        assumptions.filter { assumption in
            guard let value = whole.at(assumption.key.split(separator: ".").map(String.init)) else { return true }
            return value.location.source.name == path
        }
    }

    private static func listed(in root: Node) -> [(key: String, reason: String, interval: [String])] {
        (root["assumptions"]?.items ?? []).compactMap { item in
            guard let key = item["key"]?.scalar, let reason = item["reason"]?.scalar else { return nil }
            return (key, reason, (item["interval"]?.items ?? []).compactMap(\.scalar))
        }
    }

    private static func collect(_ node: Node, path: String, file: String, into found: inout [Assumption]) {
        func add(_ key: String, _ text: String) {
            guard SourceNote(file: file, path: key, text: text).isAssumption else { return }
            let reason = text.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init) ?? text
            found.append(Assumption(file: file, key: key, reason: String(reason.drop { $0 == " " })))
        }
        func below(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        if let source = node["source"] {
            if let text = source.scalar { add(path, text) }
            for entry in source.entries ?? [] { if let text = entry.value.scalar { add(below(entry.key), text) } }
        }
        for entry in node.entries ?? [] where entry.key != "source" && entry.key != "assumptions" {
            collect(entry.value, path: below(entry.key), file: file, into: &found)
        }
        for (index, item) in (node.items ?? []).enumerated() {
            collect(item, path: below(String(index)), file: file, into: &found)
        }
    }
}

/// Checks the list `assumptions:` of a file, and reports errors.
func checkAssumptions(_ map: MapReader) {
    let item = ValueReader<Bool>(example: "{key: memory.wired, reason: …}") { cursor in
        let entry = MapReader(cursor)
        _ = entry.required("key", .text)
        _ = entry.required("reason", .text)
        _ = entry.optional(
            "interval",
            ValueReader<[String]>.list(of: .text).checked("two values, the smaller first") { $0.count == 2 })
        entry.finish()
        return true
    }
    _ = map.optional("assumptions", .list(of: item))
}
