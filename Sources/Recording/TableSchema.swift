/// One column of a table, as `columns.csv` describes it.
public struct Column: Sendable, Equatable {
    /// What a field holds.
    public enum Kind: String, Sendable {
        case integer, number, string
    }

    /// Name in snake_case, ending in its unit where it has one.
    public let name: String
    /// Unit; empty for texts and identifiers, `1` for counts and shares.
    public let unit: String
    /// What stands in it.
    public let meaning: String
    /// What a field holds.
    public let kind: Kind

    /// Creates a description of a column.
    public init(_ name: String, _ unit: String, _ kind: Kind, _ meaning: String) {
        self.name = name
        self.unit = unit
        self.kind = kind
        self.meaning = meaning
    }
}

/// A table: its name and its columns in order.
public struct TableSchema: Sendable, Equatable {
    /// Name, which is also the file's name without `.csv`.
    public let name: String
    /// What one row is.
    public let title: String
    /// The columns in the order in which they stand.
    public let columns: [Column]

    /// Creates a schema.
    public init(_ name: String, title: String, columns: [Column]) {
        self.name = name
        self.title = title
        self.columns = columns
    }

    /// The header line.
    public var header: [UInt8] {
        var line = ByteBuffer()
        for (place, column) in columns.enumerated() {
            if place > 0 { line.comma() }
            line.append(field: column.name)
        }
        line.newline()
        return line.bytes
    }
}

/// A column of a table that runs write row by row: its description and how its field is made.
struct RowColumn<Row>: Sendable {
    let column: Column
    let write: @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void

    init(
        _ name: String, _ unit: String, _ kind: Column.Kind, _ meaning: String,
        _ write: @escaping @Sendable (Row, borrowing RowNames, inout ByteBuffer) -> Void
    ) {
        column = Column(name, unit, kind, meaning)
        self.write = write
    }

    static func count(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Int) -> Self {
        RowColumn(name, "1", .integer, meaning) { row, _, out in out.append(value(row)) }
    }

    static func number(
        _ name: String, _ unit: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Double
    ) -> Self {
        RowColumn(name, unit, .number, meaning) { row, _, out in out.append(value(row)) }
    }

    static func text(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> String) -> Self {
        RowColumn(name, "", .string, meaning) { row, _, out in out.append(field: value(row)) }
    }

    static func flag(_ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Bool) -> Self {
        RowColumn(name, "1", .integer, meaning) { row, _, out in out.append(value(row) ? 1 : 0) }
    }
}

extension Array {
    func write<Row>(_ row: Row, names: borrowing RowNames, to out: inout ByteBuffer) where Element == RowColumn<Row> {
        for place in indices {
            if place > 0 { out.comma() }
            self[place].write(row, names, &out)
        }
        out.newline()
    }
}
