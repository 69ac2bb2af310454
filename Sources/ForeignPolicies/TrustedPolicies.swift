// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Platform
import Vocabulary

/// The user's permissions, in a file outside of all folders of results.
///
/// A line contains the hash of the code and its folder, and a description for the user. If you delete a line, you are
/// asked again.
public struct TrustedPolicies: Sendable {
    private static let largest = 1 << 20

    /// Path of the file.
    public let path: String

    /// Creates the permissions in the file at a path.
    public init(path: String) { self.path = path }

    /// Permissions in `flotsam/trusted-policies` of `$XDG_CONFIG_HOME` or `~/.config`; nil if neither folder is known.
    public static var ofUser: TrustedPolicies? {
        let own = FilePath.environment("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = FilePath.environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
        return (own ?? home).map { TrustedPolicies(path: $0 + "/flotsam/trusted-policies") }
    }

    /// Whether the user allowed code with this hash.
    func contains(_ fingerprint: String) -> Bool { lines.contains { $0.hasPrefix(fingerprint + " ") } }

    private var lines: [String] {
        guard isOwn, let bytes = try? readFile(path, upTo: Self.largest) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether the file is a regular file of the user that only the user can write.
    private var isOwn: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    /// Adds a permission.
    ///
    /// A new file is written next to the old one, and then replaces it.
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
                "the permission for the policy cannot be saved: \(error.path): \(error.reason)",
                hint: "\(ForeignGate.option) allows it for one call")
        }
    }
}
