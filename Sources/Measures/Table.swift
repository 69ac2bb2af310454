// SPDX-License-Identifier: GPL-3.0-or-later

/// A table that runs write row by row: the handle with which its rows are written, and its declaration.
///
/// It is declared once, beside the type of its rows, through a `MeasureBuilder`; files, `columns.csv`, the data
/// package, listings, targets, the keys of `output:` and the schema follow from the declaration.
///
///     static func table(_ builder: inout MeasureBuilder) -> Table<RadioRow> {
///         builder.table(
///             "radio", "one row per change of a radio's state", time: "t_s",
///             [
///                 .time("t_s", "time since the run's first midnight", \.time),
///                 .number("power_w", "W", "what the radio draws from now on", \.watts),
///             ])
///     }
public struct Table<Row>: Sendable {
    /// The set that holds this table only.
    public let set: TableSet
    /// Index among the tables of a phone.
    public let index: Int
    /// Writes the fields of a row; one call per row is all that knows no type.
    @usableFromInline let line: @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void

    @usableFromInline
    init(
        set: TableSet, index: Int, line: @escaping @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void
    ) {
        self.set = set
        self.index = index
        self.line = line
    }

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
public struct TableDescription: Sendable {
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
    /// Index of the column that names the app a row is about; nil when there is none.
    public let app: Int?
    /// The set that holds this table only.
    public let set: TableSet
}

/// The tables that a phone can write, in the order of their declarations, in which they are merged as well.
public struct TableList: Sendable {
    /// All tables.
    public let tables: [TableDescription]

    /// Creates the list of everything that was declared.
    public init(_ builder: MeasureBuilder) { tables = builder.tables }

    /// The names in order.
    public var names: [String] { tables.map(\.name) }

    /// The table of a name; nil when there is none.
    public subscript(name: String) -> TableDescription? { tables.first { $0.name == name } }

    /// The table of a set that holds one table only.
    public subscript(set: TableSet) -> TableDescription {
        guard let table = tables.first(where: { $0.set == set }) else {
            preconditionFailure("the bits \(set.rawValue) are not those of one table")
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

extension MeasureBuilder {
    /// Declares a table.
    ///
    /// - Parameters:
    ///   - name: Name in snake_case, as in experiment files and of the file.
    ///   - title: What one row is.
    ///   - time: The column that says when a row is, in `s`, `h` or `d`; nil for rows about the run as a whole.
    ///   - fields: The columns in order.
    @inlinable
    public mutating func table<Row>(
        _ name: String, _ title: String, time: String?, _ fields: [TableColumn<Row>]
    ) -> Table<Row> {
        let index = declareTable(
            name, title, time: time, columns: fields.map(\.column), app: fields.firstIndex(where: \.isApp))
        return Table(set: TableSet(rawValue: 1 << UInt16(index)), index: index) { row, names, out in
            for index in fields.indices {
                if index > 0 { out.comma() }
                fields[index].write(row, names, &out)
            }
            out.newline()
        }
    }

    /// Enters a table and returns its index.
    @usableFromInline
    mutating func declareTable(_ name: String, _ title: String, time: String?, columns: [Column], app: Int?) -> Int {
        precondition(Self.isName(name), "'\(name)' is no name of a table: use lower_case_words_like_these")
        precondition(!tables.contains { $0.name == name }, "the table \(name) is declared twice")
        precondition(tables.count < TableSet.capacity, "there is no bit left for the table \(name)")
        precondition(
            Set(columns.map(\.name)).count == columns.count, "the table \(name) has two columns of the same name")
        let when = time.map { column in
            guard let index = columns.firstIndex(where: { $0.name == column }), let unit = columns[index].seconds
            else { preconditionFailure("the table \(name) has no column \(column) in seconds, hours or days") }
            return TableDescription.Time(index: index, unit: unit)
        }
        let index = tables.count
        append(
            TableDescription(
                name: name, title: title, columns: columns, time: when, app: app,
                set: TableSet(rawValue: 1 << UInt16(index))))
        return index
    }
}
