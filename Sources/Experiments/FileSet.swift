// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Glibc
import Recording

/// Files that are replaced together: all of them are written in full before the first is renamed.
struct FileSet: ~Copyable {
    private var paths: [String] = []

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

    /// Renames every file to its path.
    mutating func commit() throws(FileError) {
        for path in paths {
            guard rename(path + ".partial", path) == 0 else {
                throw FileError(action: "replace", path: path, code: errno)
            }
        }
        paths = []
    }

    deinit { for path in paths { unlink(path + ".partial") } }
}
