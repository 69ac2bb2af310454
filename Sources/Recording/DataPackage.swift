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

    /// The content of the package descriptor for the CSV tables.
    ///
    /// Source: specs.frictionlessdata.io/tabular-data-package.
    ///
    /// - Parameters:
    ///   - plan: Hash of the plan whose runs the tables hold.
    ///   - compressed: Names of the tables that are compressed by gzip.
    public static func descriptor(
        name: String, plan: String, tables: [TableSchema], compressed: Set<String> = []
    ) -> JSONValue {
        .object([
            "name": .string(name), "flotsam_plan": .string(plan),
            "profile": .string("tabular-data-package"),
            "resources": .array(tables.map { resource($0, isCompressed: compressed.contains($0.name)) }),
        ])
    }

    private static func resource(_ table: TableSchema, isCompressed: Bool) -> JSONValue {
        let fields = table.columns.map { column in
            var members: [String: JSONValue] = [
                "name": .string(column.name), "type": .string(column.kind.rawValue),
                "description": .string(column.meaning),
            ]
            if !column.unit.isEmpty { members["unit"] = .string(column.unit) }
            return JSONValue.object(members)
        }
        var members: [String: JSONValue] = [
            "name": .string(table.name.replacing("_", with: "-")),
            "path": .string(table.name + (isCompressed ? ".csv.gz" : ".csv")),
            "profile": .string("tabular-data-resource"), "title": .string(table.title), "encoding": .string("utf-8"),
            "dialect": .object(["delimiter": .string(","), "header": .bool(true), "lineTerminator": .string("\n")]),
            "schema": .object(schema(table, fields)),
        ]
        if isCompressed { members["compression"] = .string("gz") }
        return .object(members)
    }

    /// Fields and keys: what tells rows apart, and of which run a row is.
    private static func schema(_ table: TableSchema, _ fields: [JSONValue]) -> [String: JSONValue] {
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
