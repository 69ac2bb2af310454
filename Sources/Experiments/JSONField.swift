// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import Recording
import Scenario

/// Value that can be written to a manifest and read from it.
protocol JSONConvertible {
    /// The value as JSON.
    var json: JSONValue { get }
    /// Reads the value; nil when it is incomplete.
    init?(json: JSONValue)
}

/// Named property of a document, with functions that write and read it.
struct JSONField<Owner>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    let name: String
    /// Writes the property; nil if the document omits it.
    let write: @Sendable (Owner) -> JSONValue?
    /// Reads the property from its JSON, which is nil if the document omits it; returns whether it is valid.
    let read: @Sendable (inout Owner, JSONValue?) -> Bool

    /// Required property.
    static func value<Value: JSONConvertible & SendableMetatype>(_ path: Path<Value>, _ name: String) -> JSONField {
        JSONField(
            name: name, write: { $0[keyPath: path].json },
            read: { owner, json in
                guard let value = json.flatMap(Value.init(json:)) else { return false }
                owner[keyPath: path] = value
                return true
            })
    }

    /// Property that is omitted if it has its default value.
    static func value<Value: JSONConvertible & Equatable & Sendable>(
        _ path: Path<Value>, _ name: String, usually usual: Value
    ) -> JSONField {
        JSONField(
            name: name, write: { $0[keyPath: path] == usual ? nil : $0[keyPath: path].json },
            read: { owner, json in
                guard let json, json != .null else { return true }
                guard let value = Value(json: json) else { return false }
                owner[keyPath: path] = value
                return true
            })
    }
}

/// Type whose properties are all in one list, which is used to write and to read a document.
protocol JSONDocument: JSONConvertible {
    static var fields: [JSONField<Self>] { get }
    /// Creates a value with defaults; its properties are read afterwards.
    init()
    /// Whether the values that were read are consistent.
    var isSound: Bool { get }
}

extension JSONDocument {
    var isSound: Bool { true }

    var members: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for field in Self.fields { members[field.name] = field.write(self) }
        return members
    }

    var json: JSONValue { .object(members) }

    init?(json: JSONValue) {
        self.init()
        for field in Self.fields {
            guard field.read(&self, json[field.name]) else { return nil }
        }
        guard isSound else { return nil }
    }
}

extension String: JSONConvertible {
    var json: JSONValue { .string(self) }
    init?(json: JSONValue) {
        guard let text = json.string else { return nil }
        self = text
    }
}

extension Int: JSONConvertible {
    var json: JSONValue { .integer(self) }
    init?(json: JSONValue) {
        guard let number = json.integer else { return nil }
        self = number
    }
}

extension Double: JSONConvertible {
    var json: JSONValue { .number(self) }
    init?(json: JSONValue) {
        guard let number = json.number else { return nil }
        self = number
    }
}

extension Bool: JSONConvertible {
    var json: JSONValue { .bool(self) }
    init?(json: JSONValue) {
        guard case .bool(let flag) = json else { return nil }
        self = flag
    }
}

/// A hash is written as sixteen hexadecimal digits.
extension UInt64: JSONConvertible {
    var json: JSONValue { .string(hexadecimal(self)) }
    init?(json: JSONValue) {
        guard let hash = json.string.flatMap({ UInt64($0, radix: 16) }) else { return nil }
        self = hash
    }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONValue { .array(map(\.json)) }
    init?(json: JSONValue) {
        guard let items = json.array else { return nil }
        let values = items.compactMap(Element.init(json:))
        guard values.count == items.count else { return nil }
        self = values
    }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    var json: JSONValue { map(\.json) ?? .null }
    init?(json: JSONValue) {
        guard let value = Wrapped(json: json) else { return nil }
        self = value
    }
}
