// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities

/// A JSON value that keeps the order of its keys.
indirect enum SchemaValue {
    case text(String)
    case raw(String)
    case list([SchemaValue])
    case map([(String, SchemaValue)])

    static func type(_ name: String) -> SchemaValue { .map([("type", .text(name))]) }
    static func reference(_ name: String) -> SchemaValue { .map([("$ref", .text("#/$defs/\(name)"))]) }
    static func anyOf(_ choices: [SchemaValue]) -> SchemaValue {
        choices.count == 1 ? choices[0] : .map([("anyOf", .list(choices))])
    }

    /// The value over several lines, short ones on one.
    func written(indent: String = "") -> String {
        let flat = flat
        if flat.count + indent.count <= 110 { return flat }
        let inner = indent + "  "
        switch self {
        case .text, .raw: return flat
        case .list(let items):
            return "[\n" + items.map { inner + $0.written(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .map(let entries):
            let lines = entries.map { "\(inner)\(Self.quoted($0.0)): \($0.1.written(indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private var flat: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .raw(let text): text
        case .list(let items): "[" + items.map(\.flat).joined(separator: ", ") + "]"
        case .map(let entries): "{" + entries.map { "\(Self.quoted($0.0)): \($0.1.flat)" }.joined(separator: ", ") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// Turns the keys that the readers asked for into a JSON schema.
struct SchemaBuilder {
    private struct Key {
        var name: String
        var shapes: [ValueShape]
        var isRequired: Bool
    }

    private var maps: [String: [Key]] = [:]
    private var dimensions: Set<Dimension> = []
    /// Values whose readers know more than the keys say.
    private let special: [String: SchemaValue]
    /// What keys mean, by their paths.
    private let meanings: (String) -> String?
    /// Keys of which nobody says what they mean.
    private(set) var unexplained: [String] = []
    /// The paths of all keys.
    private(set) var paths: Set<String> = []

    init(_ notes: [KeyNote], special: [String: SchemaValue], meanings: @escaping (String) -> String?) {
        self.special = special
        self.meanings = meanings
        for note in notes { add(note) }
    }

    /// `apps.apps.pigeon.use` and its like become `apps.apps.*.use`; positions in lists become `[]`.
    private static func general(_ path: String) -> String {
        let open = path.replacing(#/\[\d+\]/#, with: "[]")
        return open.replacing(#/^apps\.(apps|categories)\.[^.]+/#) { "apps.\($0.output.1).*" }
    }

    private mutating func add(_ note: KeyNote) {
        let path = Self.general(note.path)
        var keys = maps[path] ?? []
        if let index = keys.firstIndex(where: { $0.name == note.key }) {
            if !keys[index].shapes.contains(note.shape), note.shape != .any { keys[index].shapes.append(note.shape) }
            keys[index].isRequired = keys[index].isRequired || note.isRequired
        } else {
            keys.append(
                Key(name: note.key, shapes: note.shape == .any ? [] : [note.shape], isRequired: note.isRequired))
        }
        maps[path] = keys
    }

    /// The schema of the whole format.
    ///
    /// - Parameter words: Definitions of words with their meanings, such as the names of all metrics.
    /// - Parameter kinds: Files of other kinds, by the words by which they say so.
    mutating func schema(
        title: String, words: [(String, SchemaValue)], kinds: [(name: String, entries: [(String, SchemaValue)])] = []
    ) -> String {
        let root = map("")
        guard case .map(let entries) = root else { return "" }
        let definitions = Dimension.allCases.filter(dimensions.contains).map { ($0.rawValue, definition(of: $0)) }
        let others = kinds.map { ($0.name, SchemaValue.map($0.entries)) }
        // A file of another kind says so; each is held against its own keys.
        let whole = kinds.reversed().reduce(SchemaValue.reference("experiment")) { rest, kind in
            .map([
                (
                    "if",
                    .map([
                        ("required", .raw("[\"kind\"]")),
                        ("properties", .map([("kind", .map([("const", .text(kind.name))]))])),
                    ])
                ),
                ("then", .reference(kind.name)), ("else", rest),
            ])
        }
        guard case .map(let choice) = whole else { return "" }
        return SchemaValue.map(
            [
                ("$schema", .text("http://json-schema.org/draft-07/schema#")),
                ("title", .text(title)),
            ] + choice
                + [
                    (
                        "$defs",
                        .map(
                            [("experiment", .map(entries))] + others + words + definitions + [("share", share)]
                                + [("source", .anyOf([.type("string"), .type("object")]))])
                    )
                ]
        ).written() + "\n"
    }

    private mutating func map(_ path: String) -> SchemaValue {
        let keys = maps[path] ?? []
        var properties: [(String, SchemaValue)] = []
        for key in keys {
            let own = path.isEmpty ? key.name : "\(path).\(key.name)"
            paths.insert(own)
            let plain = value(key, own)
            properties.append((key.name, described(plain, own)))
        }
        properties += [("source", .reference("source")), ("note", .type("string"))]
        let required = keys.filter(\.isRequired).map { SchemaValue.text($0.name) }
        // What a base may hold need not be there: only the experiment itself and items of lists are complete.
        let isComplete = path.isEmpty || path.hasSuffix("[]")
        return .map(
            [("type", .text("object"))] + (isComplete && !required.isEmpty ? [("required", .list(required))] : [])
                + [("properties", .map(properties)), ("additionalProperties", .raw("false"))])
    }

    /// The value with what its key means; what stands beside a reference would not count.
    private mutating func described(_ value: SchemaValue, _ path: String) -> SchemaValue {
        guard let meaning = meanings(path), case .map(let entries) = value else {
            unexplained.append(path)
            return value
        }
        let isReference = entries.contains { $0.0 == "$ref" }
        return .map([("description", .text(meaning))] + (isReference ? [("anyOf", .list([value]))] : entries))
    }

    private mutating func value(_ key: Key, _ path: String) -> SchemaValue {
        if let special = special[path] { return fill(special, path) }
        var choices: [SchemaValue] = []
        if maps["\(path).*"] != nil {
            choices.append(.map([("type", .text("object")), ("additionalProperties", map("\(path).*"))]))
        }
        if maps[path] != nil { choices.append(map(path)) }
        for shape in key.shapes {
            if case .list(.any) = shape, maps["\(path)[]"] != nil {
                choices.append(.map([("type", .text("array")), ("items", map("\(path)[]"))]))
            } else {
                choices.append(self.shape(shape))
            }
        }
        return choices.isEmpty ? .map([]) : .anyOf(choices)
    }

    /// Puts the map of the path's own keys where a special value asks for it.
    private mutating func fill(_ value: SchemaValue, _ path: String) -> SchemaValue {
        switch value {
        case .raw("MAP"): return map(path)
        case .raw("ITEM"): return map("\(path)[]")
        case .raw, .text: return value
        case .list(let items):
            var filled: [SchemaValue] = []
            for item in items { filled.append(fill(item, path)) }
            return .list(filled)
        case .map(let entries):
            var filled: [(String, SchemaValue)] = []
            for entry in entries { filled.append((entry.0, fill(entry.1, path))) }
            return .map(filled)
        }
    }

    private mutating func shape(_ shape: ValueShape) -> SchemaValue {
        switch shape {
        case .any: return .map([])
        case .text: return .map([("type", .list([.text("string"), .text("number")]))])
        case .words(let words): return .map([("enum", .list(words.map { .text($0) }))])
        case .flag:
            return .anyOf([.type("boolean"), .map([("enum", .list(["yes", "no", "on", "off"].map { .text($0) }))])])
        case .number(let range): return .map([("type", .text("number"))] + bounds(range.lowerBound, range.upperBound))
        case .integer(let range):
            return .map([("type", .text("integer"))] + bounds(Double(range.lowerBound), Double(range.upperBound)))
        case .quantity(let dimension):
            dimensions.insert(dimension)
            return .reference(dimension.rawValue)
        case .share:
            dimensions.insert(.fraction)
            return .reference("share")
        case .either(let shapes):
            var choices: [SchemaValue] = []
            for shape in shapes { choices.append(self.shape(shape)) }
            return .anyOf(choices)
        case .list(let element): return .map([("type", .text("array")), ("items", self.shape(element))])
        }
    }

    private func bounds(_ low: Double, _ high: Double) -> [(String, SchemaValue)] {
        func text(_ value: Double) -> SchemaValue {
            .raw(value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value))
        }
        return (low > -1e15 ? [("minimum", text(low))] : []) + (high < 1e15 ? [("maximum", text(high))] : [])
    }

    private func definition(of dimension: Dimension) -> SchemaValue {
        let units = dimension.units.map { $0.symbol.replacing("/", with: "/") }.joined(separator: "|")
        let pattern = "^\\s*[-+]?[0-9]*\\.?[0-9]*([eE][-+]?[0-9]+)?\\s*(\(units))\\s*$"
        return definition(dimension.name, pattern, example: dimension.example)
    }

    /// A share from 0 % to 100 %.
    private var share: SchemaValue {
        definition(
            "a share from 0 % to 100 %", "^\\s*\\+?(100(\\.0*)?|[0-9]{0,2}(\\.[0-9]+)?([eE]-[0-9]+)?)\\s*%\\s*$",
            example: "95 %")
    }

    private func definition(_ meaning: String, _ pattern: String, example: String) -> SchemaValue {
        let plain = SchemaValue.map([
            ("type", .text("string")), ("pattern", .text(pattern)), ("examples", .list([.text(example)])),
        ])
        let sourced = SchemaValue.map([
            ("type", .text("object")), ("required", .list([.text("value")])),
            ("properties", .map([("value", plain), ("source", .reference("source"))])),
        ])
        return .map([("description", .text(meaning))] + [("anyOf", .list([plain, sourced]))])
    }
}
