// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A column of a table that is written during runs: its description, and the function that writes its field in a row.
public struct TableColumn<Row>: Sendable {
    /// Name, unit, kind and meaning.
    public let column: Column
    /// Whether the field names an app.
    @usableFromInline let isApp: Bool
    @usableFromInline let write: @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void

    /// Creates a column with a custom function.
    ///
    /// If the function writes nothing, the field is empty.
    @inlinable
    public init(
        _ name: String, _ unit: String, _ kind: Column.Kind, _ meaning: String,
        _ write: @escaping @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void
    ) {
        self.init(Column(name, unit, kind, meaning), isApp: false, write)
    }

    @usableFromInline
    init(
        _ column: Column, isApp: Bool, _ write: @escaping @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void
    ) {
        self.column = column
        self.isApp = isApp
        self.write = write
    }

    /// A number of things.
    @inlinable
    public static func count<Value: BinaryInteger & SendableMetatype>(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        integer(name, "1", meaning, value)
    }

    /// A whole number with a unit.
    @inlinable
    public static func integer<Value: BinaryInteger & SendableMetatype>(
        _ name: String, _ unit: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, unit, .integer, meaning) { row, _, out in out.append(value(row)) }
    }

    /// A number in its shortest round-trip form; empty if the number is infinite or NaN.
    @inlinable
    public static func number(
        _ name: String, _ unit: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double
    ) -> Self {
        Self(name, unit, .number, meaning) { row, _, out in out.append(value(row)) }
    }

    /// An instant in seconds since the run's first midnight; empty when it is never reached.
    @inlinable
    public static func time(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> SimTime
    ) -> Self {
        Self(name, "s", .number, meaning) { row, _, out in out.append(value(row)) }
    }

    /// A text.
    @inlinable
    public static func text(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> String) -> Self {
        Self(name, "", .string, meaning) { row, _, out in out.append(field: value(row)) }
    }

    /// A flag, 1 or 0.
    @inlinable
    public static func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool) -> Self {
        Self(name, "1", .integer, meaning) { row, _, out in out.append(value(row) ? 1 : 0) }
    }

    /// The name of the app that the row is about.
    @inlinable
    public static func app(
        _ name: String = "app", _ meaning: String, _ value: @escaping @Sendable (Row) -> AppID
    ) -> Self {
        Self(Column(name, "", .string, meaning), isApp: true) { row, names, out in
            out.append(field: names.name(of: value(row)))
        }
    }
}
