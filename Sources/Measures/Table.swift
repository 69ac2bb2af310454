// SPDX-License-Identifier: GPL-3.0-or-later

/// A row of a table that runs write: conforming declares the table, once, beside the type of its rows.
///
/// Files, `columns.csv`, the data package, listings, targets, the keys of `output:` and the schema follow from it.
///
///     extension DoorRow: TableRow {
///         static let table = Table<DoorRow>(
///             "doors", "one row per opening of a door", time: "t_s",
///             [
///                 .time("t_s", "time since the run's first midnight", \.time),
///                 .number("width_m", "m", "how wide it stands open", \.width),
///             ], index: 0)
///     }
public protocol TableRow: Sendable {
    /// The table of these rows.
    static var table: Table<Self> { get }
}

/// A table of rows of one type: how they are written, and what the table says of itself.
public struct Table<Row>: Sendable {
    /// What is known of it whatever its rows are.
    public let description: TableDescription
    /// Index among the tables of a phone.
    public let index: Int
    /// Writes the fields of a row; one call per row is all that knows no type.
    @usableFromInline let line: @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void

    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: Name in snake_case, as in experiment files and of the file.
    ///   - title: What one row is.
    ///   - time: The column that says when a row is, in `s`, `h` or `d`; nil for rows about the run as a whole.
    ///   - key: Names of the columns that no two rows of one run share the values of; none where rows may repeat.
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

    /// The set that holds this table only.
    public var set: TableSet { description.set }

    /// Appends a row as a line of CSV, without the columns that say which run it belongs to.
    @inlinable
    public func append(_ row: Row, names: borrowing RowNames, to out: inout ByteBuffer) { line(row, names, &out) }
}

/// Some of the tables that a phone can write, as bits in the order of their declarations.
@frozen
public struct TableSet: OptionSet, Hashable, Sendable {
    /// How many tables there can be; segment files have room for two bytes, and the highest bit is no table's.
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

/// What a table says of itself, whatever its rows are.
public struct TableDescription: Sendable, Equatable {
    /// The column that says when a row is.
    public struct Time: Sendable, Equatable {
        /// Index of the column.
        public let index: Int
        /// Seconds in its unit.
        public let unit: Double
    }

    /// Name as in experiment files, which is also the file's name without `.csv`.
    public let name: String
    /// What one row is.
    public let title: String
    /// The columns that a run writes, in order.
    public let columns: [Column]
    /// The column that says when a row is; nil for rows about the run as a whole.
    public let time: Time?
    /// Names of the columns that no two rows of one run share the values of; empty where rows may repeat.
    public let key: [String]
    /// Index of the column that names the app a row is about; nil when there is none.
    public let app: Int?
    /// The set that holds this table only.
    public let set: TableSet

    /// Tables are declared once, each with a set of its own.
    public static func == (one: TableDescription, other: TableDescription) -> Bool { one.set == other.set }

    /// Checks a declaration: its name, its columns, the column that says when a row is, and that there is a bit left.
    @usableFromInline
    init(
        _ name: String, _ title: String, time: String?, key: [String], columns: [Column], app: Int?, index: Int
    ) {
        guard MeasureBuilder.isName(name) else {
            fatalError("'\(name)' is no name of a table: use lower_case_words_like_these")
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

/// The tables that a phone can write, in the order of their declarations, in which they are merged as well.
public struct TableList: Sendable {
    /// All tables.
    public let tables: [TableDescription]

    /// Creates the list of the tables of some rows, which are in the order of the tables' indices.
    public init(_ rows: [any TableRow.Type]) {
        tables = rows.map { Self.description(of: $0) }
        guard Set(tables.map(\.name)).count == tables.count else { fatalError("two tables have the same name") }
    }

    private static func description<Row: TableRow>(of rows: Row.Type) -> TableDescription { rows.table.description }

    /// The names in order.
    public var names: [String] { tables.map(\.name) }

    /// The table of a name; nil when there is none.
    public subscript(name: String) -> TableDescription? { tables.first { $0.name == name } }

    /// The table of a set that holds one table only.
    public subscript(set: TableSet) -> TableDescription {
        guard let table = tables.first(where: { $0.set == set }) else {
            fatalError("the bits \(set.rawValue) are not those of one table")
        }
        return table
    }

    /// The tables of a set, in order.
    public func tables(in set: TableSet) -> [TableDescription] { tables.filter { set.contains($0.set) } }
}

extension Column {
    /// Seconds in the unit, of columns that hold a time; nil for others.
    public var seconds: Double? {
        switch unit {
        case "s": 1
        case "h": 3600
        case "d": 86_400
        default: nil
        }
    }
}
