// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Platform

/// Target of a verb that writes one file; a user's file is not replaced without consent.
///
/// A device or a pipe is written to directly, and symbolic links are followed. A regular file is replaced as a whole,
/// but only when it has the mark of the new content or when the user insists.
public struct OutputTarget {
    /// Path as the user gave it.
    public let path: String
    /// Whether any regular file may be replaced.
    public let isForced: Bool
    /// Whether the user named the target; a target named by the program must be a regular file, since others may own
    /// its folder.
    private let isNamed: Bool

    /// Creates a target; nothing on the disk is touched.
    public init(_ path: String, isForced: Bool = false, isNamed: Bool = true) {
        self.path = path
        self.isForced = isForced
        self.isNamed = isNamed
    }

    /// Refuses a target that must not be replaced.
    ///
    /// - Parameter mark: line near the head of every file of this kind that this program wrote.
    public func check(mark: String) throws(Diagnostics) {
        var status = stat()
        if !isNamed, lstat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw Diagnostics(
                "\(path) is a symbolic link or no regular file; nothing was written",
                hint: "move it away, or choose another file")
        }
        guard stat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw Diagnostics("\(path) is a directory", hint: "name a file in it")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0, !isForced, !begins(with: mark) else { return }
        throw Diagnostics(
            "\(path) exists already and is not a file that this command writes; nothing was written",
            hint: "choose another file, or replace it with --force")
    }

    /// Writes the bytes to a target that `check` has accepted.
    public func write(_ bytes: [UInt8], mark: String) throws {
        try write(mark: mark) { file in try file.write(bytes) }
    }

    /// Runs a closure that writes to a target accepted by `check`.
    public func write(mark: String, with body: (borrowing OutputFile) throws -> Void) throws {
        try check(mark: mark)
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return try body(OutputFile(existing: path))
        }
        try replaceFile(Self.target(of: path), with: body)
    }

    private func begins(with mark: String) -> Bool {
        guard let head = try? InputFile(path).read(at: 0, count: 4096) else { return false }
        return head.split(separator: 10).contains { $0.elementsEqual(mark.utf8) }
    }

    /// Path with symbolic links resolved, even if the last link has no target yet.
    private static func target(of path: String) -> String {
        var path = path
        for _ in 0..<40 {
            guard let next = FilePath.link(at: path) else { return path }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }
}
