// SPDX-License-Identifier: GPL-3.0-or-later
import Measures

/// Descriptions of all columns of all tables in a directory of results: as CSV, and as a Tabular Data Package.
public enum DataPackage {
    /// Content of `columns.csv`.
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

    /// Content of the package descriptor for the tables.
    ///
    /// Source: specs.frictionlessdata.io/tabular-data-package.
    ///
    /// - Parameters:
    ///   - plan: Hash of the plan whose runs are in the tables.
    ///   - endings: File name extensions of tables that are not plain CSV, by the name of the table.
    public static func descriptor(
        name: String, plan: String, tables: [TableSchema], endings: [String: String] = [:]
    ) -> JSONValue {
        .object([
            "name": .string(name), "flotsam_plan": .string(plan),
            "profile": .string("tabular-data-package"),
            "resources": .array(tables.map { resource($0, endings[$0.name] ?? ".csv") }),
        ])
    }

    /// Metadata for a binary table file: the table's title, and its columns as in a package resource.
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

    /// Fields and keys of a table.
    ///
    /// The keys identify rows, and link each row to its run.
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
