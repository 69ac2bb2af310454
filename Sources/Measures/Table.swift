// SPDX-License-Identifier: GPL-3.0-or-later

/// A row of a table that is written during runs.
///
/// Declare the table once, next to the type of its rows.
///
/// The declaration determines files, `columns.csv`, the data package, listings, targets, the keys of `output:` and the
/// schema.
///
/// ```swift
/// extension DoorRow: TableRow {
///     static let table = Table<DoorRow>(
///         "doors", "one row per opening of a door", time: "t_s",
///         [
///             .time("t_s", "time since the run's first midnight", \.time),
///             .number("width_m", "m", "how wide it stands open", \.width),
///         ], index: 0)
/// }
/// ```
public protocol TableRow: Sendable {
    /// The table of these rows.
    static var table: Table<Self> { get }
}

/// A table with rows of one type: the function that writes a row, and the description of the table.
public struct Table<Row>: Sendable {
    /// Description of the table, independent of the type of its rows.
    public let description: TableDescription
    /// Index among the tables of a phone.
    public let index: Int
    /// Writes the fields of a row as a line of CSV.
    @usableFromInline let line: @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: Name in snake_case, used in experiment files and as the name of the file.
    ///   - title: What one row is.
    ///   - time: The column with the time of a row, in `s`, `h` or `d`; nil for rows about the whole run.
    ///   - key: Names of the columns whose values identify a row within a run; empty if rows may repeat.
    ///   - fields: The columns in order.
    ///   - index: Index among the tables of a phone, below 15.
    @inlinable
    public init(
        _ name: String, _ title: String, time: String?, key: [String] = [], _ fields: [TableColumn<Row>], index: Int
    ) {
        self.init(
            TableDescription(
                name, title, time: time, key: key, columns: fields.map(\.column),
                app: fields.firstIndex(where: \.isApp), index: index),
            index: index
        ) { row, names, out in
            for index in fields.indices {
                if index > 0 { out.comma() }
                fields[index].write(row, names, &out)
            }
            out.newline()
        }
    }

    @usableFromInline
    init(
        _ description: TableDescription, index: Int,
        line: @escaping @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void
    ) {
        self.description = description
        self.index = index
        self.line = line
    }

    /// The set that contains only this table.
    public var set: TableSet { description.set }

    /// Appends a row as a line of CSV, without the columns that identify its run.
    @inlinable
    public func append(_ row: Row, names: borrowing RowNames, to out: inout ByteBuffer) { line(row, names, &out) }
}

/// A set of tables that a phone can write, with one bit per table in the order of their declarations.
@frozen
public struct TableSet: OptionSet, Hashable, Sendable {
    /// Largest number of tables.
    ///
    /// Segment files have two bytes for the set, and its highest bit belongs to no table.
    static let capacity = 15

    /// One bit per table.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether a table is in the set.
    @inlinable
    public func contains<Row>(_ table: Table<Row>) -> Bool { contains(table.set) }
}

/// Description of a table, independent of the type of its rows.
public struct TableDescription: Sendable, Equatable {
    /// The column with the time of a row.
    public struct Time: Sendable, Equatable {
        /// Index of the column.
        public let index: Int
        /// Number of seconds in the column's unit.
        public let unit: Double
    }

    /// Name in experiment files, which is also the file's name without `.csv`.
    public let name: String
    /// What one row is.
    public let title: String
    /// The columns that a run writes, in order.
    public let columns: [Column]
    /// The column with the time of a row; nil for rows about the whole run.
    public let time: Time?
    /// Names of the columns whose values identify a row within a run; empty if rows may repeat.
    public let key: [String]
    /// Index of the column that names the row's app; nil if there is none.
    public let app: Int?
    /// The set that contains only this table.
    public let set: TableSet

    /// Compares the sets of two tables, because each table is declared once and has its own set.
    public static func == (one: TableDescription, other: TableDescription) -> Bool { one.set == other.set }

    /// Checks a declaration: the name, the columns, the time column, and that a bit is free for the table.
    @usableFromInline
    init(
        _ name: String, _ title: String, time: String?, key: [String], columns: [Column], app: Int?, index: Int
    ) {
        guard MeasureBuilder.isName(name) else {
            fatalError("'\(name)' is not a valid name of a table: use lower_case_words_like_these")
        }
        guard index < TableSet.capacity else { fatalError("there is no bit left for the table \(name)") }
        guard Set(columns.map(\.name)).count == columns.count else {
            fatalError("the table \(name) has two columns of the same name")
        }
        self.name = name
        self.title = title
        self.columns = columns
        self.key = key
        self.time = time.map { column in
            guard let index = columns.firstIndex(where: { $0.name == column }), let unit = columns[index].seconds
            else { fatalError("the table \(name) has no column \(column) in seconds, hours or days") }
            return Time(index: index, unit: unit)
        }
        self.app = app
        set = TableSet(rawValue: 1 << UInt16(index))
    }
}

/// The tables that a phone can write, in the order of their declarations, which is also the order of merging.
public struct TableList: Sendable {
    /// All tables.
    public let tables: [TableDescription]

    /// Creates the list from the types of rows, which must be in the order of their tables' indices.
    public init(_ rows: [any TableRow.Type]) {
        tables = rows.map { Self.description(of: $0) }
        guard Set(tables.map(\.name)).count == tables.count else { fatalError("two tables have the same name") }
    }

    private static func description<Row: TableRow>(of rows: Row.Type) -> TableDescription { rows.table.description }

    /// The names in order.
    public var names: [String] { tables.map(\.name) }

    /// The table with this name; nil if there is none.
    public subscript(name: String) -> TableDescription? { tables.first { $0.name == name } }

    /// The table of a set that contains exactly one table.
    public subscript(set: TableSet) -> TableDescription {
        guard let table = tables.first(where: { $0.set == set }) else {
            fatalError("the bits \(set.rawValue) do not select exactly one table")
        }
        return table
    }

    /// The tables of a set, in order.
    public func tables(in set: TableSet) -> [TableDescription] { tables.filter { set.contains($0.set) } }
}

extension Column {
    /// Number of seconds in the unit of a time column; nil for other columns.
    public var seconds: Double? {
        switch unit {
        case "s": 1
        case "h": 3600
        case "d": 86_400
        default: nil
        }
    }
}
