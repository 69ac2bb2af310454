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
/// On file systems without links the files are renamed one after another.
struct FileSet: ~Copyable {
    /// The link to the present generation.
    static let current = "tables"
    /// The folder of the generations.
    static let generations = "generations"
    /// The folder into which files go that do not belong to the others.
    static let earlier = "earlier"

    private let directory: String
    private let number: Int
    private let afterStep: () throws -> Void
    private var names: [String] = []
    private var outdated: [String] = []
    private var isCommitted = false

    /// Prepares a generation; nothing is touched yet.
    ///
    /// - Parameter afterStep: Called after each change of the directory's names; a test ends the writing there.
    init(directory: String, afterStep: @escaping () throws -> Void = {}) {
        self.directory = directory
        self.afterStep = afterStep
        number = (directoryEntries(directory + "/" + Self.generations).compactMap { Int($0) }.max() ?? 0) + 1
    }

    private var generation: String { "\(Self.generations)/\(number)" }
    private func path(_ name: String) -> String { directory + "/" + name }
    private func staged(_ name: String) -> String { path("\(generation)/\(name)") }

    /// Writes a file of the generation.
    mutating func write(_ name: String, with body: (borrowing OutputFile) throws -> Void) throws {
        if names.isEmpty { try createDirectory(path(generation)) }
        names.append(name)
        do {
            let file = try OutputFile(creating: staged(name))
            try body(file)
            try file.synchronize()
        } catch let error as FileError where error.path == staged(name) {
            throw FileError(action: error.action, path: path(name), code: error.code)
        }
    }

    /// Writes a file of the generation.
    mutating func write(_ name: String, _ bytes: [UInt8]) throws {
        try write(name) { file in try file.write(bytes) }
    }

    /// Moves a file aside with the switch, if it is there: its rows belong to an earlier experiment.
    mutating func moveAside(_ name: String) {
        if access(path(name), F_OK) == 0 { outdated.append(name) }
    }

    /// Shows the new generation instead of the old.
    /// - Returns: The names of the files that were moved aside.
    mutating func commit() throws -> [String] {
        try synchronizeDirectory(path(generation))
        try synchronizeDirectory(path(Self.generations))
        try keepOutdated()
        do {
            try adopt()
            try linkNames()
        } catch let error as FileError where [EPERM, ENOTSUP, ENOSYS].contains(error.code) {
            try renameOneByOne()
            return outdated
        }
        try synchronizeDirectory(directory)
        try turn(to: generation)
        isCommitted = true
        try afterStep()
        for name in outdated { unlink(path(name)) }
        try synchronizeDirectory(directory)
        removeOtherGenerations()
        return outdated
    }

    deinit { if !isCommitted { removeFolder(directory + "/\(Self.generations)/\(number)") } }

    /// Enters what is moved aside under its second name.
    private func keepOutdated() throws {
        guard !outdated.isEmpty else { return }
        let aside = path(Self.earlier)
        try createDirectory(aside)
        for name in outdated {
            let second = aside + "/" + name
            unlink(second + ".partial")
            // The same file under two names; a file system without that copies it.
            if let real = FilePath.real(path(name)), link(real, second + ".partial") == 0 {
                try Self.check(rename(second + ".partial", second), "move", path(name))
            } else {
                try replaceFile(second) { copy in try Self.copy(path(name), to: copy) }
            }
            try afterStep()
        }
        try synchronizeDirectory(aside)
    }

    private static func copy(_ path: String, to copy: borrowing OutputFile) throws {
        let file = try InputFile(path)
        var offset = 0
        while true {
            let block = try file.read(at: offset, count: 1 << 20)
            if block.isEmpty { return }
            try copy.write(block)
            offset += block.count
        }
    }

    /// Brings tables that are plain files, of an earlier version or put there by hand, into a generation of their own:
    /// what is seen does not change, but then it is seen through links.
    private func adopt() throws {
        let plain = (names + outdated).filter { Self.kind(path($0)) == S_IFREG }
        guard !plain.isEmpty else { return }
        let adopted = "\(Self.generations)/\(number).adopted"
        removeFolder(path(adopted))
        try createDirectory(path(adopted))
        for name in names + outdated {
            guard let real = FilePath.real(path(name)), Self.kind(real) == S_IFREG else { continue }
            try Self.check(link(real, path("\(adopted)/\(name)")), "link", path(name))
        }
        try synchronizeDirectory(path(adopted))
        try turn(to: adopted)
        try afterStep()
        for name in plain { try makeLink(name) }
    }

    /// Gives every file of the generation its name in the directory; until the switch a new one leads to nothing.
    private func linkNames() throws {
        for name in names where FilePath.link(at: path(name)) != "\(Self.current)/\(name)" {
            if Self.kind(path(name)) == S_IFDIR {
                throw FileError(action: "replace", path: path(name), code: EISDIR)
            }
            try makeLink(name)
        }
    }

    private func makeLink(_ name: String) throws {
        try replace(path(name), byLinkTo: "\(Self.current)/\(name)")
        try afterStep()
    }

    /// The step that counts.
    private func turn(to folder: String) throws {
        if Self.kind(path(Self.current)) == S_IFDIR {
            throw FileError(action: "replace", path: path(Self.current), code: EISDIR)
        }
        try replace(path(Self.current), byLinkTo: folder)
        try synchronizeDirectory(directory)
    }

    private func replace(_ path: String, byLinkTo target: String) throws {
        let partial = path + ".partial"
        unlink(partial)
        try Self.check(symlink(target, partial), "link", path)
        try Self.check(rename(partial, path), "replace", path)
    }

    /// Without links: whoever looks between two renames sees new beside old.
    private mutating func renameOneByOne() throws {
        for name in outdated { unlink(path(name)) }
        for name in names { try Self.check(rename(staged(name), path(name)), "replace", path(name)) }
        try synchronizeDirectory(directory)
    }

    private func removeOtherGenerations() {
        for name in directoryEntries(path(Self.generations)) where name != "\(number)" {
            removeFolder(path("\(Self.generations)/\(name)"))
        }
    }

    private static func check(_ result: Int32, _ action: String, _ path: String) throws(FileError) {
        guard result == 0 else { throw FileError(action: action, path: path, code: errno) }
    }

    /// The kind of what is at a path, links not followed; 0 when nothing is.
    private static func kind(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
    }
}

/// Removes a folder with the files in it; it holds no other folder.
private func removeFolder(_ path: String) {
    for name in directoryEntries(path) { unlink(path + "/" + name) }
    rmdir(path)
}
