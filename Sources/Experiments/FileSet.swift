// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// Tables of a directory that are replaced together, so that no old table remains next to new ones.
///
/// New tables are written and synchronised in the folder `unfinished`. Then a list of them with their hashes is written
/// there, which commits the exchange. After that, each table is renamed to its final name. The list is renamed last,
/// and remains as the hashes of the current tables.
///
/// If the program is killed before the list exists, the old tables remain. If it is killed later, the next session
/// reads the list and completes the exchange before anything else.
///
/// A table that was changed after it was written is first moved to `earlier`.
struct FileSet: ~Copyable {
    /// Names in `earlier` of the files that were moved there.
    struct Aside: Equatable {
        /// Tables that are not written any more.
        var outdated: [String] = []
        /// Tables that were changed after they had been written.
        var changed: [String] = []
    }

    private let folder: Folder
    private let known: Set<String>
    private let afterStep: () throws -> Void
    private var hashes = FileHashes()
    private var isListed = false

    /// Prepares the writing of new tables.
    ///
    /// An interrupted exchange is completed, and unfinished files are removed.
    ///
    /// - Parameters:
    ///   - known: names of tables; no other file is removed.
    ///   - afterStep: called after each change of names in the directory, so that tests can stop there.
    init(
        in folder: Folder, known: Set<String> = ResultLayout.tableNames, afterStep: @escaping () throws -> Void = {}
    ) throws {
        self.folder = folder
        self.known = known
        self.afterStep = afterStep
        try ResultLayout.check(folder, tables: known)
        _ = try Self.finish(in: folder, known: known)
        Self.clear(folder, known)
    }

    /// Writes a new table; the body writes its content.
    mutating func write(_ name: String, with body: (borrowing OutputFile) throws -> Void) throws {
        let staged = try folder.makeFolder(ResultLayout.staging)
        do {
            let file = try staged.create(name)
            try body(file)
            try file.synchronize()
        } catch let error as FileError where error.path == staged.path(name) {
            throw FileError(action: error.action, path: folder.path(name), code: error.code)
        }
        try hashes.add(name, in: staged)
    }

    /// Writes a new table with this content.
    mutating func write(_ name: String, _ bytes: [UInt8]) throws {
        try write(name) { file in try file.write(bytes) }
    }

    /// Moves an existing file aside during the exchange, because its rows belong to an earlier experiment.
    mutating func moveAside(_ name: String) {
        if folder.kind(name) != nil { hashes.gone.append(name) }
    }

    /// Replaces the old tables by the new ones.
    ///
    /// - Returns: the files that were moved aside.
    mutating func commit() throws -> Aside {
        let staged = try folder.makeFolder(ResultLayout.staging)
        try staged.synchronize()
        try folder.synchronize()
        try afterStep()
        let text = hashes.text
        try staged.replace(ResultLayout.checksums) { file in try file.write(Array(text.utf8)) }
        isListed = true
        try afterStep()
        return try Self.exchange(hashes, hashes.names, in: folder, staged, known, afterStep: afterStep)
    }

    deinit {
        if !isListed { Self.clear(folder, known) }
    }

    /// Completes an interrupted exchange; without one, nothing changes.
    ///
    /// - Returns: the files that were moved aside.
    static func finish(in folder: Folder, known: Set<String> = ResultLayout.tableNames) throws -> Aside {
        guard let staged = try folder.folder(ResultLayout.staging), let hashes = try FileHashes(of: staged) else {
            return Aside()
        }
        // Files that were changed since are left alone, as are listed names that do not belong to tables.
        let whole = try hashes.names.filter { name in
            try known.contains(name) && staged.kind(name) != nil && !hashes.isChanged(name, in: staged)
        }
        return try exchange(hashes, whole, in: folder, staged, known) {}
    }

    /// Renames the listed files that do not have their final names yet.
    ///
    /// Every step can safely be repeated.
    private static func exchange(
        _ hashes: FileHashes, _ names: [String], in folder: Folder, _ staged: Folder, _ known: Set<String>,
        afterStep: () throws -> Void
    ) throws -> Aside {
        let before = try FileHashes(of: folder) ?? FileHashes()
        let gone = hashes.gone.filter(known.contains)
        let changed = try names.filter { try before.isChanged($0, in: folder) }
        let earlier = EarlierFiles(of: folder)
        let aside = Aside(
            outdated: try earlier.keep(gone, afterStep: afterStep),
            changed: try earlier.keep(changed, afterStep: afterStep))
        for name in names {
            try staged.move(name, to: name, in: folder)
            try afterStep()
        }
        for name in gone {
            folder.remove(name)
            try afterStep()
        }
        try folder.synchronize()
        try staged.move(ResultLayout.checksums, to: ResultLayout.checksums, in: folder)
        try folder.synchronize()
        try afterStep()
        clear(folder, known)
        return aside
    }

    /// Removes the unfinished files, and their folder if it is then empty.
    private static func clear(_ folder: Folder, _ known: Set<String>) {
        guard let staged = try? folder.folder(ResultLayout.staging) else { return }
        let own = known.union([ResultLayout.checksums, ResultLayout.checksums + ".partial"])
        for name in own where [.file, .link].contains(staged.kind(name)) { staged.remove(name) }
        folder.removeFolder(ResultLayout.staging)
    }
}
