// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

/// Reads one typed value from a node.
///
/// If there is a problem, it is reported, and the result is nil.
///
/// A value may also have the form `{value: 4 GiB, source: …}`.
public struct ValueReader<T> {
    /// Example of a valid value, for hints.
    public let example: String?
    /// Form of the value, for schemas.
    public let shape: ValueShape
    private let take: (Cursor) -> T?

    /// Creates a reader from a function that reports its own problems.
    public init(example: String? = nil, shape: ValueShape = .any, _ take: @escaping (Cursor) -> T?) {
        self.example = example
        self.shape = shape
        self.take = take
    }

    /// Reads the value.
    public func read(_ cursor: Cursor) -> T? { take(cursor) }

    /// A reader that transforms the values of this reader.
    public func map<U>(_ transform: @escaping (T) -> U) -> ValueReader<U> {
        let take = take
        return ValueReader<U>(example: example, shape: shape) { take($0).map(transform) }
    }

    /// A reader that accepts only values that pass a test.
    ///
    /// The text describes the expected value.
    public func checked(_ expectation: String, _ test: @escaping (T) -> Bool) -> ValueReader {
        let take = take
        return ValueReader(example: example, shape: shape) { cursor in
            guard let value = take(cursor) else { return nil }
            if test(value) { return value }
            cursor.expected(expectation)
            return nil
        }
    }

    /// A reader for one word or number.
    ///
    /// The form `{value: …, source: …}` is unwrapped.
    public static func scalar(
        _ expectation: String, example: String? = nil, shape: ValueShape = .any,
        _ convert: @escaping (String, Cursor) -> T?
    ) -> ValueReader {
        ValueReader(example: example, shape: shape) { cursor in
            var cursor = cursor
            if cursor.node["value"] != nil {
                let map = MapReader(cursor)
                if let inner = map.cursor("value") {
                    cursor = Cursor(inner.node, path: cursor.path, report: cursor.report)
                }
                map.finish()
            }
            guard let text = cursor.node.scalar else {
                cursor.expected(expectation)
                return nil
            }
            return convert(text, cursor)
        }
    }
}

extension ValueReader where T == String {
    /// Any text.
    public static var text: ValueReader { .scalar("a text", shape: .text) { text, _ in text } }
    /// A name in lower case with digits and hyphens, which can be the name of a file or folder.
    public static var name: ValueReader {
        ValueReader.scalar("a name", shape: .text) { text, _ in text }
            .checked("a name of lower-case letters, digits and hyphens", NameRule.hasRightLetters)
            .checked("a name of at most \(NameRule.longest) letters", NameRule.allows)
    }
    /// One of several words.
    public static func word(of allowed: [String], what: String) -> ValueReader {
        .scalar("\(what)", example: allowed.first, shape: .words(allowed)) { text, cursor in
            if allowed.contains(text) { return text }
            cursor.fail("unknown \(what) \"\(text.excerpt)\"", hint: nameHint(text, in: allowed))
            return nil
        }
    }
}

extension ValueReader where T == Int {
    /// A whole number within a range.
    public static func integer(_ range: ClosedRange<Int> = Int.min...Int.max, example: String? = nil) -> ValueReader {
        .scalar("an integer", example: example, shape: .integer(range)) { text, cursor in
            guard let value = Int(text) else {
                cursor.expected("an integer")
                return nil
            }
            guard range.contains(value) else {
                cursor.fail(
                    value < range.lowerBound
                        ? "expected at least \(range.lowerBound), found \(value)"
                        : "expected at most \(range.upperBound), found \(value)")
                return nil
            }
            return value
        }
    }
}

extension ValueReader where T == Int {
    /// Version of a file's format.
    ///
    /// A version above 1 needs a newer program.
    public static var schema: ValueReader {
        .scalar("1", example: "1", shape: .integer(1...1)) { text, cursor in
            if text == "1" { return 1 }
            guard let version = Int(text), version > 1 else {
                cursor.expected("1, the version of the file's format")
                return nil
            }
            cursor.fail(
                "the file has schema \(version), which needs a newer flotsam; this version reads only schema 1",
                hint: "flotsam --version prints the version of this program")
            return nil
        }
    }
}

extension ValueReader where T == UInt64 {
    /// A whole number, at least 0, for seeds.
    public static var seed: ValueReader {
        .scalar("a whole number", example: "20260101", shape: .integer(0...Int.max)) { text, cursor in
            if let value = UInt64(text) { return value }
            cursor.expected("a whole number from 0 to \(UInt64.max)")
            return nil
        }
    }
}

extension ValueReader where T == Bool {
    /// `true` or `false`.
    public static var flag: ValueReader {
        .scalar("true or false", example: "true", shape: .flag) { text, cursor in
            switch text {
            case "true", "yes", "on": return true
            case "false", "no", "off": return false
            default:
                cursor.expected("true or false")
                return nil
            }
        }
    }
}

extension ValueReader where T: RawRepresentable & CaseIterable, T.RawValue == String {
    /// One of the cases of an enumeration.
    public static func choice(_ what: String) -> ValueReader {
        let allowed = T.allCases.map(\.rawValue)
        return ValueReader<String>.word(of: allowed, what: what).unwrapped { T(rawValue: $0) }
    }
}

extension ValueReader {
    func unwrapped<U>(_ transform: @escaping (T) -> U?) -> ValueReader<U> {
        let take = take
        return ValueReader<U>(example: example, shape: shape) { take($0).flatMap(transform) }
    }

    /// A list with one reader for all items.
    ///
    /// If `orSingle` is true, a single value counts as a list of one item.
    public static func list<E>(of element: ValueReader<E>, orSingle: Bool = false) -> ValueReader where T == [E] {
        ValueReader(example: element.example.map { "[\($0)]" }, shape: .list(element.shape)) { cursor in
            guard let items = cursor.node.items else {
                if orSingle, !cursor.node.isNull { return element.read(cursor).map { [$0] } }
                cursor.expected("a list")
                return nil
            }
            let values = items.enumerated().map { element.read(cursor.item($0.element, index: $0.offset)) }
            let good = values.compactMap { $0 }
            return good.count == items.count ? good : nil
        }
    }
}
