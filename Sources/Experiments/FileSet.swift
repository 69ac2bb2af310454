// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Recording

/// The tables of a directory, which are exchanged as one: none of an earlier writing stays beside new ones.
///
/// They are written in full, and synchronised, in the folder `unfinished`. Then a list of them with their hashes is put
/// there: this is the step that counts. From then on each is renamed to its name, and the list goes last, as the
/// hashes of what is there now. A kill before the list leaves the old tables; a kill after it leaves a list by which
/// the next session finishes the exchange, before it does anything else.
///
/// A table that somebody changed since it was written goes to `earlier` first.
struct FileSet: ~Copyable {
    /// Files that are in `earlier` now, by the names that they have there.
    struct Aside: Equatable {
        /// They are no longer written.
        var outdated: [String] = []
        /// They were not as they had been written.
        var changed: [String] = []
    }

    private let folder: Folder
    private let known: Set<String>
    private let afterStep: () throws -> Void
    private var hashes = FileHashes()
    private var isListed = false

    /// Prepares a writing; only what an earlier one left unfinished is taken away.
    ///
    /// - Parameters:
    ///   - known: The names of tables; no other file is taken away.
    ///   - afterStep: Called after each change of the directory's names; a test ends the writing there.
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

    /// Writes a file.
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

    /// Writes a file.
    mutating func write(_ name: String, _ bytes: [UInt8]) throws {
        try write(name) { file in try file.write(bytes) }
    }

    /// Moves a file aside with the exchange, if it is there: its rows belong to an earlier experiment.
    mutating func moveAside(_ name: String) {
        if folder.kind(name) != nil { hashes.gone.append(name) }
    }

    /// Shows the new tables instead of the old.
    /// - Returns: What was moved aside.
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

    /// Finishes an exchange that was interrupted; without one nothing is touched.
    /// - Returns: What was moved aside.
    static func finish(in folder: Folder, known: Set<String> = ResultLayout.tableNames) throws -> Aside {
        guard let staged = try folder.folder(ResultLayout.staging), let hashes = try FileHashes(of: staged) else {
            return Aside()
        }
        // Not what somebody changed since, and not what a list names that no writing makes.
        let whole = try hashes.names.filter { name in
            try known.contains(name) && staged.kind(name) != nil && !hashes.isChanged(name, in: staged)
        }
        return try exchange(hashes, whole, in: folder, staged, known) {}
    }

    /// Renames the listed files that are not in their places; each step can be done a second time.
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

    /// Takes away what a writing left unfinished: the files that one makes, and then the folder if it is empty.
    private static func clear(_ folder: Folder, _ known: Set<String>) {
        guard let staged = try? folder.folder(ResultLayout.staging) else { return }
        let own = known.union([ResultLayout.checksums, ResultLayout.checksums + ".partial"])
        for name in own where [.file, .link].contains(staged.kind(name)) { staged.remove(name) }
        folder.removeFolder(ResultLayout.staging)
    }
}
