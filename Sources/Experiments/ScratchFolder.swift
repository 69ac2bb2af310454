// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Platform

/// New private folder in the system's folder for temporary files.
///
/// The folder is removed when the object is released.
public final class ScratchFolder {
    /// Path of the folder.
    public let path: String

    /// Creates the folder.
    public init() throws(Diagnostics) {
        let folder = FilePath.environment("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/flotsam-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Diagnostics(
                "no temporary folder can be made in \(folder); set TMPDIR to a folder that can be written to")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in directoryEntries(path) { unlink(path + "/" + name) }
        rmdir(path)
    }
}
