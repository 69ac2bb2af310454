// SPDX-License-Identifier: GPL-3.0-or-later

/// One column of a table, as `columns.csv` describes it.
public struct Column: Sendable, Equatable {
    /// Type of a field.
    public enum Kind: String, Sendable {
        case integer, number, string, datetime
    }

    /// Name in snake_case; if the column has a unit, the name ends in it.
    public let name: String
    /// Unit; empty for texts and identifiers, `1` for counts and shares.
    public let unit: String
    /// Meaning of the value.
    public let meaning: String
    /// Type of the field.
    public let kind: Kind
    /// The better direction of a metric; nil if the column is no metric.
    public let better: Metric.Direction?

    /// Creates a description of a column.
    public init(_ name: String, _ unit: String, _ kind: Kind, _ meaning: String, better: Metric.Direction? = nil) {
        self.name = name
        self.unit = unit
        self.kind = kind
        self.meaning = meaning
        self.better = better
    }
}

/// A table: its name and its columns in order.
public struct TableSchema: Sendable, Equatable {
    /// Name, which is also the file's name without `.csv`.
    public let name: String
    /// What one row is.
    public let title: String
    /// The columns in their order.
    public let columns: [Column]
    /// Names of the columns whose values identify a row; empty if rows may repeat.
    public let key: [String]

    /// Creates a schema.
    public init(_ name: String, title: String, columns: [Column], key: [String] = []) {
        guard (key.allSatisfy { name in columns.contains { $0.name == name } }) else {
            fatalError("a key of the table \(name) is not one of its columns")
        }
        self.name = name
        self.title = title
        self.columns = columns
        self.key = key
    }

    /// The header line.
    public var header: [UInt8] {
        var line = ByteBuffer()
        for (index, column) in columns.enumerated() {
            if index > 0 { line.comma() }
            line.append(field: column.name)
        }
        line.newline()
        return line.bytes
    }
}
