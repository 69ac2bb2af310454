// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Recording

/// The tables of a directory, which change as one: whoever looks sees all of the old or all of the new.
///
/// Every writing is a generation, a folder of its own below `generations`. `tables` is a symbolic link to the present
/// one, and each table's name in the directory is a link to the file of that name in `tables`. A new generation is
/// written in full and synchronised; then one rename turns `tables` to it. A kill leaves the old generation or the new,
/// and what it leaves besides goes with the next writing.
///
/// A table that somebody changed since it was written goes to `earlier` first. On file systems without links the files
/// are renamed one after another.
struct FileSet: ~Copyable {
    /// Files that are in `earlier` now, by the names that they have there.
    struct Aside: Equatable {
        /// They are no longer written.
        var outdated: [String] = []
        /// They were not as they had been written.
        var changed: [String] = []
    }

    private let folder: Folder
    private let number: Int
    private let known: Set<String>
    private let afterStep: () throws -> Void
    private var names: [String] = []
    private var outdated: [String] = []
    /// Links of tables that are gone.
    private var stale: [String] = []
    private var hashes = FileHashes()
    private var isCommitted = false

    /// Prepares a generation; nothing is touched yet.
    ///
    /// - Parameters:
    ///   - known: The names of files that are taken away with the generations that hold them.
    ///   - afterStep: Called after each change of the directory's names; a test ends the writing there.
    init(
        in folder: Folder, known: Set<String> = ResultLayout.tableNames, afterStep: @escaping () throws -> Void = {}
    ) throws {
        self.folder = folder
        self.known = known
        self.afterStep = afterStep
        try ResultLayout.check(folder, tables: known)
        let generations = try folder.folder(ResultLayout.generations)
        number = try ResultLayout.next(
            after: (generations?.names() ?? []).filter(ResultLayout.isGeneration),
            in: folder.path(ResultLayout.generations))
    }

    private var generation: String { "\(ResultLayout.generations)/\(number)" }

    /// Writes a file of the generation.
    mutating func write(_ name: String, with body: (borrowing OutputFile) throws -> Void) throws {
        let staged = try folder.makeFolder(generation)
        names.append(name)
        do {
            let file = try staged.create(name)
            try body(file)
            try file.synchronize()
        } catch let error as FileError where error.path == staged.path(name) {
            throw FileError(action: error.action, path: folder.path(name), code: error.code)
        }
        try hashes.add(name, in: staged)
    }

    /// Writes a file of the generation.
    mutating func write(_ name: String, _ bytes: [UInt8]) throws {
        try write(name) { file in try file.write(bytes) }
    }

    /// Moves a file aside with the switch, if it is there: its rows belong to an earlier experiment.
    mutating func moveAside(_ name: String) throws {
        if try ResultLayout.home(of: name, in: folder) != nil {
            outdated.append(name)
        } else if folder.kind(name) == .link {
            stale.append(name)
        }
    }

    /// Shows the new generation instead of the old.
    /// - Returns: What was moved aside.
    mutating func commit() throws -> Aside {
        let staged = try folder.makeFolder(generation)
        let text = hashes.text
        try staged.replace(ResultLayout.checksums) { file in try file.write(Array(text.utf8)) }
        try folder.makeFolder(ResultLayout.generations).synchronize()
        let before = try FileHashes(of: folder)
        let (folder, afterStep) = (folder, afterStep)
        let changed = try names.filter { try before.isChanged($0, of: folder) }
        let earlier = EarlierFiles(of: folder)
        let aside = Aside(
            outdated: try earlier.keep(outdated, afterStep: afterStep),
            changed: try earlier.keep(changed, afterStep: afterStep))
        do {
            try adopt()
            try linkNames()
        } catch let error as FileError where [EPERM, ENOTSUP, ENOSYS].contains(error.code) {
            try renameOneByOne(from: staged)
            return aside
        }
        try folder.synchronize()
        try turn(to: generation)
        isCommitted = true
        try afterStep()
        for name in outdated + stale { folder.remove(name) }
        try folder.synchronize()
        let present = "\(number)"
        removeGenerations { $0 != present }
        return aside
    }

    deinit {
        let own = "\(number)"
        if !isCommitted { removeGenerations { $0 == own } }
    }

    /// Brings tables that are plain files, of an earlier version or put there by hand, into a generation of their own:
    /// what is seen does not change, but then it is seen through links.
    private func adopt() throws {
        let all = names + outdated
        let plain = all.filter { folder.kind($0) == .file }
        guard !plain.isEmpty else { return }
        let name = "\(generation)\(ResultLayout.adopted)"
        let adopted = try folder.makeFolder(name)
        for each in all {
            guard let home = try ResultLayout.home(of: each, in: folder) else { continue }
            guard home.enter(each, in: adopted, as: each) else {
                throw FileError(action: "link", path: folder.path(each), code: errno)
            }
        }
        try adopted.synchronize()
        try turn(to: name)
        try afterStep()
        for each in plain { try makeLink(each) }
    }

    /// Gives every file of the generation its name in the directory; until the switch a new one leads to nothing.
    private func linkNames() throws {
        for name in names where folder.kind(name) != .link { try makeLink(name) }
    }

    private func makeLink(_ name: String) throws {
        try folder.makeLink(name, to: "\(ResultLayout.current)/\(name)")
        try afterStep()
    }

    /// The step that counts.
    private func turn(to generation: String) throws {
        try folder.makeLink(ResultLayout.current, to: generation)
        try folder.synchronize()
    }

    /// Without links: whoever looks between two renames sees new beside old.
    private func renameOneByOne(from staged: Folder) throws {
        for name in outdated { folder.remove(name) }
        for name in names + [ResultLayout.checksums] { try staged.move(name, to: name, in: folder) }
        try folder.synchronize()
    }

    /// Takes generations away: of each the files that a writing leaves, and then the folder if it is empty.
    private func removeGenerations(where isMeant: (String) -> Bool) {
        guard let all = try? folder.folder(ResultLayout.generations) else { return }
        for name in (try? all.names()) ?? [] where ResultLayout.isGeneration(name) && isMeant(name) {
            guard all.kind(name) == .folder, let old = try? all.folder(name) else { continue }
            for file in (try? old.names()) ?? [] where known.contains(file) && old.kind(file) == .file {
                old.remove(file)
            }
            all.removeFolder(name)
        }
    }
}
