// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// The dictionary of a directory of results: every column of every table, as CSV and as a Tabular Data Package.
public enum DataPackage {
    /// The text of `columns.csv`.
    public static func columnsCSV(_ tables: [TableSchema]) -> [UInt8] {
        var out = ByteBuffer()
        out.append(text: "table,column,unit,meaning,better\n")
        for table in tables {
            for column in table.columns {
                out.append(field: table.name)
                out.comma()
                out.append(field: column.name)
                out.comma()
                out.append(field: column.unit)
                out.comma()
                out.append(field: column.meaning)
                out.comma()
                out.append(text: column.better?.rawValue ?? "")
                out.newline()
            }
        }
        return out.bytes
    }

    /// The content of the package descriptor for the tables.
    ///
    /// Source: specs.frictionlessdata.io/tabular-data-package.
    ///
    /// - Parameters:
    ///   - plan: Hash of the plan whose runs the tables hold.
    ///   - endings: How the files of tables end that are not plain CSV, by their names.
    public static func descriptor(
        name: String, plan: String, tables: [TableSchema], endings: [String: String] = [:]
    ) -> JSONValue {
        .object([
            "name": .string(name), "flotsam_plan": .string(plan),
            "profile": .string("tabular-data-package"),
            "resources": .array(tables.map { resource($0, endings[$0.name] ?? ".csv") }),
        ])
    }

    /// What the file of a table that is no text says of itself: title and columns as a resource of a package has them.
    public static func metadata(of table: TableSchema) -> [(key: String, value: String)] {
        [("title", table.title), ("schema", JSONValue.object(schema(table)).compact)]
    }

    private static func resource(_ table: TableSchema, _ ending: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(table.name.replacing("_", with: "-")), "path": .string(table.name + ending),
            "title": .string(table.title), "schema": .object(schema(table)),
        ]
        if ending == ".parquet" {
            members["format"] = .string("parquet")
            members["mediatype"] = .string("application/vnd.apache.parquet")
            return .object(members)
        }
        members["profile"] = .string("tabular-data-resource")
        members["encoding"] = .string("utf-8")
        members["dialect"] = .object([
            "delimiter": .string(","), "header": .bool(true), "lineTerminator": .string("\n"),
        ])
        if ending == ".csv.gz" { members["compression"] = .string("gz") }
        return .object(members)
    }

    /// Fields and keys: what tells rows apart, and of which run a row is.
    private static func schema(_ table: TableSchema) -> [String: JSONValue] {
        let fields = table.columns.map { column in
            var members: [String: JSONValue] = [
                "name": .string(column.name), "type": .string(column.kind.rawValue),
                "description": .string(column.meaning),
            ]
            if !column.unit.isEmpty { members["unit"] = .string(column.unit) }
            if column.kind == .datetime { members["format"] = .string("%Y-%m-%dT%H:%M:%S") }
            return JSONValue.object(members)
        }
        var members: [String: JSONValue] = ["fields": .array(fields), "missingValues": .array([.string("")])]
        if !table.key.isEmpty { members["primaryKey"] = .array(table.key.map { .string($0) }) }
        let run = TableCatalog.run.name
        if table.name != "runs", table.columns.contains(TableCatalog.run) {
            members["foreignKeys"] = .array([
                .object([
                    "fields": .array([.string(run)]),
                    "reference": .object(["resource": .string("runs"), "fields": .array([.string(run)])]),
                ])
            ])
        }
        return members
    }
}
