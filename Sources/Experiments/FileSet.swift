// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Recording

/// Files of one directory that are replaced together: all are written in full before the first is renamed.
struct FileSet: ~Copyable {
    private let directory: String
    private var paths: [String] = []
    private var outdated: [String] = []

    init(directory: String) { self.directory = directory }

    /// Writes a file's new content beside it.
    mutating func write(_ path: String, with body: (borrowing OutputFile) throws -> Void) throws {
        paths.append(path)
        let file = try OutputFile(creating: path + ".partial")
        try body(file)
        try file.synchronize()
    }

    /// Writes a file's new content beside it.
    mutating func write(_ path: String, _ bytes: [UInt8]) throws {
        try write(path) { file in try file.write(bytes) }
    }

    /// The folder into which files go that do not belong to the others.
    static let earlier = "earlier"

    /// Moves a file aside with the others' renaming, if it is there: its rows belong to an earlier experiment.
    mutating func moveAside(_ name: String) {
        unlink(directory + "/" + name + ".partial")
        if access(directory + "/" + name, F_OK) == 0 { outdated.append(name) }
    }

    /// Renames every file to its path.
    /// - Returns: The names of the files that were moved aside.
    mutating func commit() throws(FileError) -> [String] {
        let aside = directory + "/" + Self.earlier
        if !outdated.isEmpty { try createDirectory(aside) }
        for name in outdated {
            guard rename(directory + "/" + name, aside + "/" + name) == 0 else {
                throw FileError(action: "move", path: directory + "/" + name, code: errno)
            }
        }
        for path in paths {
            guard rename(path + ".partial", path) == 0 else {
                throw FileError(action: "replace", path: path, code: errno)
            }
        }
        paths = []
        if !outdated.isEmpty { try synchronizeDirectory(aside) }
        try synchronizeDirectory(directory)
        return outdated
    }

    deinit { for path in paths { unlink(path + ".partial") } }
}
