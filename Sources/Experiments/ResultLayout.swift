// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import PhoneCore
import Recording
import Scenario

/// Names of files in a folder of results, and checks of existing entries.
///
/// The layout consists of files and folders only, so results can be on a file system without links. An earlier version
/// made two kinds of links: `NAME -> tables/NAME` for a table and `tables -> generations/N`. Such a folder can be read
/// but not written. The program reads the text of a link and opens the named folder itself; it never lets the system
/// follow a link.
enum ResultLayout {
    /// Folder in which tables are written before they are renamed to their final names.
    static let staging = "unfinished"
    /// Folder for replaced or damaged files that do not belong to the present results.
    static let earlier = "earlier"
    /// Folder of the segments.
    static let segments = "segments"
    static let manifest = "manifest.json"
    static let plan = "plan.jsonl"
    /// File with the hashes of the tables of one write; in `unfinished`, it means that all of these tables are
    /// complete.
    static let checksums = ".checksums"
    /// Largest size of a manifest or a list of failures, in bytes.
    static let largestDocument = 64 << 20

    /// Largest number of digits in a segment's number.
    private static let mostDigits = 9

    /// Number at the start of a name; nil for a name that the program does not create.
    static func number(_ name: String) -> Int? {
        let digits = name.utf8.prefix { (48...57).contains($0) }
        guard (1...mostDigits).contains(digits.count) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The next number after the highest one at the start of these names.
    ///
    /// - Throws: `Diagnostics` when no number is left.
    static func next(after names: [String], in path: String) throws(Diagnostics) -> Int {
        let next = (names.compactMap(number).max() ?? 0) + 1
        guard String(next).utf8.count <= mostDigits else {
            throw Diagnostics(
                "an entry of \(path) already has the largest possible number, \(next - 1)",
                hint: "move that entry away")
        }
        return next
    }

    /// Names of all tables that the program may write.
    static let tableNames: Set<String> = {
        let plain =
            ["runs", "summary", "comparisons", "columns", TableCatalog.sensitivity.name]
            + (TableCatalog.ofSweeps(axes: []) + TableCatalog.ofPeople(axes: [], traits: [])
            + [TableCatalog.selection(axes: []), TableCatalog.quantiles(axes: [])]).map(\.name)
        let rows = PhoneTables.list.tables.map(\.name)
        return Set(
            plain.map { $0 + ".csv" } + rows.flatMap { name in RowForm.allCases.map { name + $0.ending } } + [
                "datapackage.json", "failures.jsonl",
            ])
    }()

    /// Throws an error if a name of the program's layout belongs to an entry of another kind.
    static func check(_ folder: Folder, tables: Set<String> = tableNames) throws(Diagnostics) {
        for name in [segments, staging, earlier, Bundle.folderName] {
            try check(folder, name, is: .folder)
        }
        for name in [manifest, plan] { try check(folder, name, is: .file) }
        if let number = linked(folder) {
            throw Diagnostics(
                "the tables of \(folder.path) are links into generations/\(number), "
                    + "made by an earlier version of flotsam; nothing was touched",
                hint: "you can still compare and report these results; to continue, name another directory with -o")
        }
        for name in tables.sorted() + [checksums] { try check(folder, name, is: .file) }
    }

    private static func check(_ folder: Folder, _ name: String, is wanted: Folder.Kind) throws(Diagnostics) {
        guard let kind = folder.kind(name) else { return }
        let due = wanted == .file ? "a file" : "a folder"
        let path = folder.path(name)
        if kind == .link {
            throw Diagnostics(
                "\(path) must be \(due), but is a symbolic link; nothing was touched",
                hint: "remove the link, or replace it by its target")
        }
        guard kind != wanted else { return }
        let found = kind == .folder ? "a folder" : kind == .file ? "a file" : "not a regular file"
        throw Diagnostics(
            "\(path) must be \(due), but is \(found); nothing was touched", hint: "move it away")
    }

    /// Folder in `generations` that is the target of an earlier version's link `tables`; nil if there is no such link.
    private static func linked(_ folder: Folder) -> String? {
        guard let parts = folder.link("tables")?.split(separator: "/", omittingEmptySubsequences: false),
            parts.count == 2, parts[0] == "generations", number(String(parts[1])) != nil
        else { return nil }
        return String(parts[1])
    }

    /// Folder that contains a table: the results, or the target of an earlier version's link; nil if there is no table.
    ///
    /// - Throws: `FileError` when a folder that the link names cannot be opened.
    static func home(of name: String, in folder: Folder) throws(FileError) -> Folder? {
        guard folder.link(name) == "tables/\(name)" else { return folder.kind(name) == nil ? nil : folder }
        guard let number = linked(folder), let tables = try folder.folder("generations")?.folder(number),
            tables.kind(name) != nil
        else { return nil }
        return tables
    }
}
