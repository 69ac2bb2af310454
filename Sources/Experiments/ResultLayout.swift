// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import PhoneCore
import Recording

/// Where things stand in a folder of results, and what is refused there.
///
/// The only links are the program's own: `NAME -> tables/NAME` of a table, and `tables -> generations/N`. The program
/// reads what they say and opens the folder of that name itself; the system never follows one.
enum ResultLayout {
    /// The link to the present generation.
    static let current = "tables"
    /// The folder of the generations.
    static let generations = "generations"
    /// The folder into which files go that do not belong to the others.
    static let earlier = "earlier"
    /// The folder of the segments.
    static let segments = "segments"
    static let manifest = "manifest.json"
    static let plan = "plan.jsonl"
    /// What was written into a generation, with the hash of each file.
    static let checksums = ".checksums"
    /// How the folder of tables ends that were plain files before.
    static let adopted = ".adopted"
    /// Most bytes of a manifest, and of a list of failures.
    static let largestDocument = 64 << 20

    /// Digits of the largest number of a generation or a segment.
    private static let mostDigits = 9

    /// The number that a name begins with; nil where it is none that the program gives.
    static func number(_ name: String) -> Int? {
        let digits = name.utf8.prefix { (48...57).contains($0) }
        guard (1...mostDigits).contains(digits.count) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The number behind those that names begin with.
    ///
    /// - Throws: `Diagnostics` when there is none.
    static func next(after names: [String], in path: String) throws(Diagnostics) -> Int {
        let next = (names.compactMap(number).max() ?? 0) + 1
        guard String(next).utf8.count <= mostDigits else {
            throw Diagnostics(
                "\(path) holds number \(next - 1), the last that there is", hint: "move what has that number away")
        }
        return next
    }

    /// Whether a folder of generations has this name: digits, or digits and `.adopted`.
    static func isGeneration(_ name: String) -> Bool {
        number(name).map { "\($0)" == name || "\($0)\(adopted)" == name } ?? false
    }

    /// The names of all files that a writing of tables may leave.
    static let tableNames: Set<String> = {
        let plain =
            ["runs", "summary", "comparisons", "columns", TableCatalog.sensitivity.name]
            + (TableCatalog.ofSweeps(axes: []) + TableCatalog.ofPeople(axes: [], traits: [])
            + [TableCatalog.selection(axes: []), TableCatalog.quantiles(axes: [])]).map(\.name)
        let rows = PhoneTables.list.tables.map(\.name)
        return Set(
            (plain + rows).map { $0 + ".csv" } + rows.map { $0 + ".csv.gz" }
                + ["datapackage.json", "failures.jsonl", checksums, checksums + ".partial"])
    }()

    /// Refuses whatever stands where the program wants to write something of another kind.
    static func check(_ folder: Folder, tables: Set<String> = tableNames) throws(Diagnostics) {
        for name in [segments, generations, earlier, Bundle.folderName] {
            try check(folder, name, is: .folder)
        }
        for name in [manifest, plan] { try check(folder, name, is: .file) }
        try check(folder, current, is: .link)
        for name in tables.sorted() { try checkTable(name, in: folder) }
    }

    /// Refuses what stands where a table is, or shall be written.
    private static func checkTable(_ name: String, in folder: Folder) throws(Diagnostics) {
        switch folder.kind(name) {
        case nil, .file: return
        case .link where folder.link(name) == "\(current)/\(name)": return
        case .link:
            throw Diagnostics(
                "\(folder.path(name)) is a symbolic link that flotsam did not make; nothing was touched",
                hint: "move it away, or move there what it leads to")
        default: try check(folder, name, is: .file)
        }
    }

    private static func check(_ folder: Folder, _ name: String, is wanted: Folder.Kind) throws(Diagnostics) {
        guard let kind = folder.kind(name) else { return }
        let due = wanted == .file ? "a file" : wanted == .folder ? "a folder" : "a link of its own"
        let path = folder.path(name)
        if kind == .link, wanted != .link || present(name: folder.link(name) ?? "") == nil {
            throw Diagnostics(
                "\(path) is a symbolic link, where flotsam keeps \(due); nothing was touched",
                hint: wanted == .link ? "move it away" : "move it away, or move there what it leads to")
        }
        guard kind != wanted else { return }
        let found = kind == .folder ? "a folder" : kind == .file ? "a file" : "no regular file"
        throw Diagnostics(
            "\(path) is \(found), where flotsam keeps \(due); nothing was touched", hint: "move it away")
    }

    /// The name of the generation that the link `tables` says; nil when it says anything else.
    private static func present(name link: String) -> String? {
        guard link.hasPrefix(generations + "/") else { return nil }
        let name = String(link.dropFirst(generations.utf8.count + 1))
        return isGeneration(name) ? name : nil
    }

    /// The name of the present generation; nil where there is none.
    static func present(_ folder: Folder) -> String? { folder.link(current).flatMap(present(name:)) }

    /// The folder of the present generation; nil where there is none.
    static func presentTables(_ folder: Folder) throws(FileError) -> Folder? {
        guard let name = present(folder), let all = try folder.folder(generations) else { return nil }
        return try all.folder(name)
    }

    /// The folder in which a table stands, the results themselves or the present generation; nil where there is none.
    ///
    /// - Throws: `FileError` when the name stands for anything but a file or the link of the table.
    static func home(of name: String, in folder: Folder) throws(FileError) -> Folder? {
        guard folder.link(name) == "\(current)/\(name)" else {
            return folder.kind(name) == nil ? nil : folder
        }
        guard let tables = try presentTables(folder), tables.kind(name) != nil else { return nil }
        return tables
    }
}
