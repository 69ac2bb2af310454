// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Platform
import Vocabulary

/// The user's permissions: a file of their own, outside of any folder of results.
///
/// A line has the hash of the code and its folder, followed by a description for the reader. If a line is deleted, the
/// user is asked again.
public struct TrustedPolicies: Sendable {
    private static let largest = 1 << 20

    /// The file.
    public let path: String

    /// Creates the permissions in the file of this path.
    public init(path: String) { self.path = path }

    /// `flotsam/trusted-policies` in `$XDG_CONFIG_HOME` or `~/.config`; nil where neither is known.
    public static var ofUser: TrustedPolicies? {
        let own = FilePath.environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FilePath.environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
        return (own ?? home).map { TrustedPolicies(path: $0 + "/flotsam/trusted-policies") }
    }

    /// Whether code of this hash was allowed.
    func contains(_ fingerprint: String) -> Bool { lines.contains { $0.hasPrefix(fingerprint + " ") } }

    private var lines: [String] {
        guard isOwn, let bytes = try? readFile(path, upTo: Self.largest) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether only the user can write the file: a plain file of theirs.
    private var isOwn: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    /// Remembers code: a new file is written next to the old one and renamed.
    func add(_ fingerprint: String, _ code: ForeignCode) throws(ForeignPolicyError) {
        let text = (lines + ["\(fingerprint) \(code.shown)"]).joined(separator: "\n") + "\n"
        let other = path + "." + String(getpid())
        do throws(FileError) {
            try createDirectory(FilePath.folder(of: path))
            unlink(other)
            let file = open(other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw FileError(action: "write", path: other, code: errno) }
            defer { close(file) }
            let bytes = Array(text.utf8)
            guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, rename(other, path) == 0 else {
                let code = errno
                unlink(other)
                throw FileError(action: "write", path: path, code: code)
            }
        } catch {
            throw ForeignPolicyError(
                "the policy was allowed, but this cannot be saved: \(error.path): \(error.reason)",
                hint: "\(ForeignGate.option) allows it for one call")
        }
    }
}
