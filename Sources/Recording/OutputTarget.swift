// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Platform

/// Target of a command that writes one file.
///
/// A file of the user is not replaced without permission.
///
/// A device or a pipe is written to directly, and symbolic links are followed. A regular file is replaced as a whole.
/// The file must be empty or contain the mark of the new content, unless the user allows the replacement of any file.
public struct OutputTarget {
    /// Path of the target, as the user entered it.
    public let path: String
    /// Whether the user allows the replacement of any regular file.
    public let isForced: Bool
    /// Whether the user named the target.
    ///
    /// If the program chose the target, the target must be a regular file, because other users may own its folder.
    private let isNamed: Bool

    /// Creates a target.
    ///
    /// No file is touched.
    public init(_ path: String, isForced: Bool = false, isNamed: Bool = true) {
        self.path = path
        self.isForced = isForced
        self.isNamed = isNamed
    }

    /// Throws if the target must not be replaced.
    ///
    /// - Parameter mark: Line near the start of every file of this kind that this program writes.
    public func check(mark: String) throws(Diagnostics) {
        var status = stat()
        if !isNamed, lstat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw Diagnostics(
                "\(path) is a symbolic link or not a regular file; nothing was written",
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

    /// Writes bytes to the target.
    ///
    /// `check` is called first.
    public func write(_ bytes: [UInt8], mark: String) throws {
        try write(mark: mark) { file in try file.write(bytes) }
    }

    /// Checks the target, and then runs a closure that writes to it.
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

    /// Path with symbolic links resolved.
    ///
    /// The target of the last link need not exist.
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
