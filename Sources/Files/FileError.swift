// SPDX-License-Identifier: GPL-3.0-or-later
// Files contains every access to files: to read them whole or at an offset, to replace, list and hash them.
// In: paths and bytes. Out: bytes, sorted names, and `FileError`s with the file, the action and the system's reason.
// A replacement is written beside the target, synchronised and renamed. Readers see either the old or the new content.
// The module contains no format and no hint; callers that have the user's words make `Diagnostics` about files.
// Read first: this file, then `OutputFile.swift` (replacing), `InputFile.swift` (reading), `FilePath.swift` (names).

import Platform

/// Failure to write or read a file: the action, the file and the reason.
public struct FileError: Error, CustomStringConvertible, Equatable {
    /// Action that failed, for instance `write`.
    public let action: String
    /// Path of the file or directory.
    public let path: String
    /// Error number of the system; 0 if the program itself refused the file.
    public let code: Int32
    /// Reason why the program refuses a file that the system would read; nil for an error of the system.
    public let refusal: String?

    /// Creates an error from a system error number.
    public init(action: String, path: String, code: Int32) {
        (self.action, self.path, self.code, refusal) = (action, path, code, nil)
    }

    /// Creates an error about a file that the program refuses to read.
    init(refusing path: String, because reason: String) {
        (action, self.path, code, refusal) = ("read", path, 0, reason)
    }

    /// Reason of the failure: `refusal`, or the system's text for its error number, such as `No such file or
    /// directory`.
    public var reason: String { refusal ?? String(cString: strerror(code)) }

    /// One line with the file, the action and the reason.
    public var description: String { "\(path): error: cannot \(action): \(reason)" }

    /// Whether the disk is full or a limit on its use is reached.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EFBIG || code == EDQUOT }
}
