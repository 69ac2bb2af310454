// SPDX-License-Identifier: GPL-3.0-or-later

/// The key of a value in files: its name, the form of the value and the allowed range.
///
/// A parameter type lists its keys next to its properties, so a new key changes only one file. Readers use the list;
/// errors, schema and examples are derived from it. The default is the value that the type's initialiser sets.
///
///     public static let keys: [FileKey<ModeParameters>] = [
///         .time(\.callPiece, "call_piece", 0.1...86400), .share(\.musicStreamedShare, "music_streamed_share"),
///     ]
public struct FileKey<Owner>: Sendable {
    /// Key path of a property of the owner.
    public typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable
    /// Assigns a value from a file to a property of the owner.
    public typealias Assign<Value> = @Sendable (inout Owner, Value) -> Void
    /// Formats the owner's value as in a file; nil if the owner has no value.
    public typealias Write = @Sendable (Owner) -> String?

    /// Form of a value; ranges of quantities are in the SI base unit.
    public enum Form: Sendable {
        case flag(Assign<Bool>)
        case integer(ClosedRange<Int>, example: String, Assign<Int>)
        case number(ClosedRange<Double>, example: String, Assign<Double>)
        case quantity(Dimension, ClosedRange<Double>, Assign<Double>)
        case word([String], what: String, Assign<String>)
        /// A size, or a share of another size of the same owner.
        case sizeOrShare(of: @Sendable (Owner) -> ByteCount, Assign<ByteCount>)
        /// A value that is a small map of numbers.
        case record(FileRecord, Assign<FileRecord.Numbers>)
        /// A list of values that are small maps of numbers.
        case records(FileRecord, FileListRule?, Assign<[FileRecord.Numbers]>)
        /// A map of further keys.
        case map([FileKey])
    }

    /// Name of the key.
    public let name: String
    /// Form of the value, with the property that receives it.
    public let form: Form
    /// The owner's value as written in files; nil if the owner has no value, and for lists and maps.
    public let text: Write
    /// Whether the key is required in a file.
    public private(set) var isRequired = false

    private init(_ name: String, _ form: Form, text: @escaping Write = { _ in nil }) {
        self.name = name
        self.form = form
        self.text = text
    }
}

extension FileKey {
    /// Makes the key required.
    public func required() -> FileKey {
        var key = self
        key.isRequired = true
        return key
    }

    /// A key whose value is `true` or `false`.
    public static func flag(_ path: Path<Bool>, _ name: String) -> FileKey {
        FileKey(name, .flag { $0[keyPath: path] = $1 }) { String($0[keyPath: path]) }
    }

    /// A whole number; the range must fit the property's type.
    public static func integer<Number: FixedWidthInteger & SendableMetatype>(
        _ path: Path<Number>, _ name: String, _ range: ClosedRange<Int>, example: String
    ) -> FileKey {
        FileKey(name, .integer(range, example: example) { $0[keyPath: path] = Number($1) }) {
            String($0[keyPath: path])
        }
    }

    /// A plain number.
    public static func number(
        _ path: Path<Double>, _ name: String, _ range: ClosedRange<Double>, example: String
    ) -> FileKey {
        FileKey(name, .number(range, example: example) { $0[keyPath: path] = $1 }) { UnitText.plain($0[keyPath: path]) }
    }

    /// Number with a unit; the property stores it in the SI base unit.
    public static func quantity(
        _ path: Path<Double>, _ name: String, _ dimension: Dimension, _ range: ClosedRange<Double>
    ) -> FileKey {
        FileKey(name, .quantity(dimension, range) { $0[keyPath: path] = $1 }) {
            UnitText.format($0[keyPath: path], as: dimension)
        }
    }

    /// Number with a unit that is optional in a file.
    public static func quantity(
        _ path: Path<Double?>, _ name: String, _ dimension: Dimension, _ range: ClosedRange<Double>
    ) -> FileKey {
        FileKey(name, .quantity(dimension, range) { $0[keyPath: path] = $1 }) {
            $0[keyPath: path].map { UnitText.format($0, as: dimension) }
        }
    }

    /// A share from 0 % to 100 %, kept as a number from 0 to 1.
    public static func share(_ path: Path<Double>, _ name: String) -> FileKey {
        quantity(path, name, .fraction, 0...1)
    }

    /// A length of time, in seconds; at most a year, unless the range allows more.
    public static func time(
        _ path: Path<SimDuration>, _ name: String, _ range: ClosedRange<Double> = 0...SimDuration.longestStated
    ) -> FileKey {
        FileKey(name, .quantity(.time, range) { $0[keyPath: path] = .seconds($1) }) {
            UnitText.format($0[keyPath: path].seconds, as: .time)
        }
    }

    /// A size in bytes.
    public static func bytes(
        _ path: Path<ByteCount>, _ name: String, _ range: ClosedRange<Double> = 0...1e12
    ) -> FileKey {
        FileKey(name, .quantity(.bytes, range) { $0[keyPath: path] = ByteCount(Int64($1.rounded())) }) {
            UnitText.format(Double($0[keyPath: path].bytes), as: .bytes)
        }
    }

    /// A size in bytes that may be unknown.
    public static func bytes(
        _ path: Path<ByteCount?>, _ name: String, _ range: ClosedRange<Double> = 0...1e12
    ) -> FileKey {
        FileKey(name, .quantity(.bytes, range) { $0[keyPath: path] = ByteCount(Int64($1.rounded())) }) {
            $0[keyPath: path].map { UnitText.format(Double($0.bytes), as: .bytes) }
        }
    }

    /// A size in bytes, or a share of another size of the same owner.
    public static func bytes(
        _ path: Path<ByteCount>, _ name: String, orShareOf whole: any KeyPath<Owner, ByteCount> & Sendable
    ) -> FileKey {
        FileKey(name, .sizeOrShare(of: { $0[keyPath: whole] }) { $0[keyPath: path] = $1 }) {
            UnitText.format(Double($0[keyPath: path].bytes), as: .bytes)
        }
    }

    /// Quantity with its own type, in a physically plausible range; not negative unless the range allows it.
    public static func amount<Amount: Quantity>(
        _ path: Path<Amount>, _ name: String, _ dimension: Dimension, _ range: ClosedRange<Double> = 0...1e15
    ) -> FileKey {
        FileKey(name, .quantity(dimension, range) { $0[keyPath: path] = Amount(rawValue: $1) }) {
            UnitText.format($0[keyPath: path].rawValue, as: dimension)
        }
    }

    /// Quantity with its own type that is optional in a file.
    public static func amount<Amount: Quantity>(
        _ path: Path<Amount?>, _ name: String, _ dimension: Dimension, _ range: ClosedRange<Double> = 0...1e15
    ) -> FileKey {
        FileKey(name, .quantity(dimension, range) { $0[keyPath: path] = Amount(rawValue: $1) }) {
            $0[keyPath: path].map { UnitText.format($0.rawValue, as: dimension) }
        }
    }

    /// One of the words of an enumeration; `what` names the choice in errors.
    public static func choice<Choice>(_ path: Path<Choice>, _ name: String, _ what: String) -> FileKey
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        FileKey(
            name,
            .word(Choice.allCases.map(\.rawValue), what: what) { owner, word in
                if let choice = Choice(rawValue: word) { owner[keyPath: path] = choice }
            }, text: { $0[keyPath: path].rawValue })
    }

    /// One of the words of an enumeration that is optional in a file.
    public static func choice<Choice>(_ path: Path<Choice?>, _ name: String, _ what: String) -> FileKey
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        FileKey(
            name,
            .word(Choice.allCases.map(\.rawValue), what: what) { owner, word in
                if let choice = Choice(rawValue: word) { owner[keyPath: path] = choice }
            }, text: { $0[keyPath: path]?.rawValue })
    }

    /// Value that files write as a small map; `make` turns its numbers into the value.
    public static func record<Value>(
        _ path: Path<Value>, _ name: String, _ shape: FileRecord,
        make: @escaping @Sendable (FileRecord.Numbers) -> Value
    ) -> FileKey {
        FileKey(name, .record(shape) { $0[keyPath: path] = make($1) })
    }

    /// A list of values that files write as small maps.
    public static func records<Value>(
        _ path: Path<[Value]>, _ name: String, _ shape: FileRecord, _ rule: FileListRule? = nil,
        make: @escaping @Sendable (FileRecord.Numbers) -> Value
    ) -> FileKey {
        FileKey(name, .records(shape, rule) { $0[keyPath: path] = $1.map(make) })
    }

    /// A map of further keys of the same owner.
    public static func map(_ name: String, _ keys: [FileKey]) -> FileKey { FileKey(name, .map(keys)) }
}
