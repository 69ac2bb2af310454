// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Reads typed values from a map.
///
/// Every problem is reported; unknown keys are reported by `finish`.
///
/// Every map may contain the key `source`: a text for the whole map, or a map from keys to texts.
public final class MapReader {
    /// The map.
    public let cursor: Cursor
    private let entries: [Node.Entry]
    /// Index of the first entry of each key that has a value.
    private let indices: [String: Int]
    private var asked: [String] = []
    private var askedNames: Set<String> = []
    private var retired: [String] = []
    /// Problems about missing keys, by key.
    private var missed: [String: Diagnostic] = [:]
    /// Keys for which the file contains a misspelt key.
    ///
    /// `finish` finds them.
    private var misspelt: Set<String> = []

    /// Opens a map.
    ///
    /// A value of another kind is reported, and treated as an empty map.
    public init(_ cursor: Cursor, expected: String = "a map") {
        self.cursor = cursor
        if let entries = cursor.node.entries {
            self.entries = entries
            isMap = true
        } else {
            cursor.expected(expected)
            entries = []
            isMap = false
        }
        var indices: [String: Int] = [:]
        for (index, entry) in entries.enumerated() where !entry.value.isNull && indices[entry.key] == nil {
            indices[entry.key] = index
        }
        self.indices = indices
    }

    /// Whether the value was a map.
    public let isMap: Bool

    /// Keys that were requested, in the order of the requests.
    public var keys: [String] { asked }
    /// Keys in the file.
    public var writtenKeys: [String] { entries.map(\.key) }

    /// Whether the key has a value in the file.
    ///
    /// The key then counts as requested.
    public func has(_ key: String) -> Bool { cursor(key) != nil }

    /// Cursor of a key's value, for callers that read the value themselves.
    public func cursor(_ key: String) -> Cursor? {
        cursor.report.record(key: key, of: cursor.path, .any, isRequired: false)
        return child(key)
    }

    private func child(_ key: String) -> Cursor? { entry(key).map { cursor.child($0.value, key: key) } }

    /// Value of a key; nil if it is missing or invalid.
    ///
    /// An invalid value is reported.
    public func optional<T>(_ key: String, _ reader: ValueReader<T>) -> T? {
        let value = read(key, reader)
        if let value { record(key, value, reader.shape) }
        return value
    }

    /// Value of a key, or the default if it is missing.
    ///
    /// An invalid value is reported.
    public func value<T>(_ key: String, _ reader: ValueReader<T>, default fallback: T) -> T {
        let value = read(key, reader) ?? fallback
        record(key, value, reader.shape)
        return value
    }

    func read<T>(_ key: String, _ reader: ValueReader<T>) -> T? {
        cursor.report.record(key: key, of: cursor.path, reader.shape, isRequired: false)
        return child(key).flatMap(reader.read)
    }

    private func record<T>(_ key: String, _ value: T, _ shape: ValueShape) {
        cursor.report.record(value: key, of: cursor.path, valueText(value, shape) ?? entry(key)?.value.scalar)
    }

    /// Value of a required key; nil if it is missing or invalid, which is reported.
    public func required<T>(_ key: String, _ reader: ValueReader<T>) -> T? {
        cursor.report.record(key: key, of: cursor.path, reader.shape, isRequired: true)
        if let cursor = child(key) { return reader.read(cursor) }
        guard isMap else { return nil }
        reportMissing(key, example: reader.example)
        return nil
    }

    /// Reports that a key is missing or has no value, unless a misspelt key is the reason.
    public func reportMissing(_ key: String, example: String? = nil) {
        guard !misspelt.contains(key) else { return }
        let section = Cursor.suffix(cursor.path)
        let hint = example.map { "for instance \"\(key): \($0)\"" }
        if let empty = entries.first(where: { $0.key == key }) {
            return cursor.report.add(empty.location.problem("the key \"\(key)\" has no value" + section, hint: hint))
        }
        var problem = cursor.problem("the key \"\(key)\" is missing", hint: hint)
        problem.missing = .init(key, in: section, example: example)
        missed[key] = problem
        cursor.report.add(problem)
    }

    /// Sets a field to the value of a key, if the file contains the key.
    public func set<T>(_ field: inout T, _ key: String, _ reader: ValueReader<T>) {
        if let value = read(key, reader) { field = value }
        record(key, field, reader.shape)
    }

    /// Accepts a key of an earlier version that has no effect any more.
    ///
    /// A warning gives the reason.
    public func retired(_ key: String, _ reason: String) {
        retired.append(key)
        guard let entry = entries.first(where: { $0.key == key }) else { return }
        let value = cursor.child(entry.value, key: key)
        value.warn("the key \"\(key)\" has no effect", hint: "leave it out: " + reason)
    }

    /// Opens the map under a key; nil if the key is missing.
    public func map(_ key: String) -> MapReader? { cursor(key).map { MapReader($0) } }

    /// Requires exactly one of several keys, and returns it.
    ///
    /// If the file contains none or several, this is reported.
    public func exactlyOne(of names: [String]) -> String? {
        let present = names.filter { has($0) }
        if present.count == 1 { return present[0] }
        guard isMap else { return nil }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        cursor.fail("exactly one of the keys \(list) is required, found \(present.isEmpty ? "none" : "several")")
        return nil
    }

    /// Reports unknown keys and collects the key `source`.
    ///
    /// Call this method after all values are read.
    public func finish() {
        let written = Set(writtenKeys)
        let missing = asked.filter { !written.contains($0) }
        for entry in entries where !askedNames.contains(entry.key) && !retired.contains(entry.key) {
            if entry.key == "source" { collect(entry.value); continue }
            if entry.key == "note" { continue }
            let unknown = entry.location.problem("unknown key \"\(entry.key.excerpt)\"" + Cursor.suffix(cursor.path))
            guard cursor.report.problems.hasRoom else {
                cursor.report.add(unknown)
                continue
            }
            let near = nearest(to: entry.key, in: missing) ?? nearest(to: entry.key, in: asked)
            // The misspelt key is the cause. The missing key is only a consequence, so it is not reported.
            if let near {
                misspelt.insert(near)
                if let consequence = missed[near] { cursor.report.remove(consequence) }
            }
            cursor.report.add(unknown) {
                near.map { "did you mean \"\($0)\"?" } ?? listHint(entry.key, of: asked, prefix: "keys here: ")
            }
        }
    }

    private func collect(_ source: Node) {
        let file = source.location.source.name
        if let text = source.scalar {
            cursor.report.record(SourceNote(file: file, path: cursor.path, text: text))
        }
        for entry in source.entries ?? [] {
            guard let text = entry.value.scalar else { continue }
            if let meant = indices[entry.key].map({ entries[$0] }) {
                // If an override replaced the value, the source is that of the old value and does not apply.
                guard meant.value.location.source.name == file else { continue }
                let path = cursor.path.isEmpty ? entry.key : "\(cursor.path).\(entry.key)"
                cursor.report.record(SourceNote(file: file, path: path, text: text))
            } else {
                cursor.report.add(
                    entry.location.problem(
                        "\"source\" names the key \"\(entry.key.excerpt)\", which does not exist"
                            + Cursor.suffix(cursor.path))
                ) {
                    nearest(to: entry.key, in: self.writtenKeys).map { "did you mean \"\($0)\"?" }
                }
            }
        }
    }

    private func entry(_ key: String) -> Node.Entry? {
        if askedNames.insert(key).inserted { asked.append(key) }
        return indices[key].map { entries[$0] }
    }
}
