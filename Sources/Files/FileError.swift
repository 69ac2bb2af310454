// SPDX-License-Identifier: GPL-3.0-or-later
// Files owns every way in which a file is touched: read whole, read at an offset, replaced as a whole, listed, hashed.
// In: paths and bytes. Out: bytes, sorted names, `FileError`s that name the file, what was tried and the system's
// reason. A file that is replaced is written beside its target, synchronised and renamed: readers see the old content
// or the new. It knows no format, no user and no hint; `Diagnostics` about files are made where the user's words are
// known.
// Read first: this file, then `OutputFile.swift` (replacing), `InputFile.swift` (reading), `FilePath.swift` (names).

import Platform

/// Failure to write or read a file: the action, the file and the reason.
public struct FileError: Error, CustomStringConvertible, Equatable {
    /// Action that failed, for instance `write`.
    public let action: String
    /// Path of the file or directory.
    public let path: String
    /// Error number of the system; 0 where the program itself refused the file.
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

    /// Reason of the failure: the system's text for its error number, for instance `No such file or directory`, or
    /// `refusal`.
    public var reason: String { refusal ?? String(cString: strerror(code)) }

    /// One line with the file, the action and the reason.
    public var description: String { "\(path): error: cannot \(action): \(reason)" }

    /// Whether the disk is full, or a limit on its use is reached.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EFBIG || code == EDQUOT }
}
