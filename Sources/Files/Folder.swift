// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Open folder.
///
/// Entries are opened relative to the descriptor, and symbolic links among them are not followed.
///
/// A name is one entry of the folder; it contains no slash and is neither `.` nor `..`.
public final class Folder: Sendable {
    /// Kind of an entry in a folder.
    public enum Kind: Sendable, Equatable {
        case file, folder, link, other
    }

    /// Path by which the folder was opened, used in messages.
    public let path: String
    private let descriptor: Int32

    /// Opens a folder that the user named; symbolic links in the path are followed.
    public convenience init(_ path: String) throws(FileError) { try self.init(path, at: AT_FDCWD, path, flags: 0) }

    /// Opens a folder; symbolic links in the path are followed, but the folder itself must not be one.
    public convenience init(unlinked path: String) throws(FileError) {
        try self.init(path, at: AT_FDCWD, path, flags: O_NOFOLLOW)
    }

    private init(_ path: String, at base: Int32, _ name: String, flags: Int32) throws(FileError) {
        descriptor = openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
        self.path = path
        guard descriptor < 0 else { return }
        let code = errno
        var status = stat()
        if flags & O_NOFOLLOW != 0, fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            let words = Self.refusal(Self.kind(status), wanted: .folder)
        {
            throw FileError(refusing: path, because: words)
        }
        throw FileError(action: "open", path: path, code: code)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Path of an entry.
    public func path(_ name: String) -> String { FilePath.join(path, name) }

    /// Kind of an entry; nil when the entry does not exist.
    public func kind(_ name: String) -> Kind? {
        var status = stat()
        guard Self.isName(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Self.kind(status)
    }

    /// Length of a regular file in bytes; nil when the name is not a regular file.
    public func length(_ name: String) -> Int? {
        var status = stat()
        guard Self.isName(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            Self.kind(status) == .file
        else { return nil }
        return Int(status.st_size)
    }

    /// Names in the folder, sorted.
    public func names() throws(FileError) -> [String] {
        let again = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard again >= 0, let stream = fdopendir(again) else {
            throw FileError(action: "read", path: path, code: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Target of a symbolic link; nil when the entry is not a symbolic link.
    public func link(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = Self.isName(name) ? readlinkat(descriptor, name, &buffer, buffer.count) : -1
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Opens a folder inside this one; nil when it does not exist.
    public func folder(_ name: String) throws(FileError) -> Folder? {
        try check(name, "open")
        guard kind(name) != nil else { return nil }
        return try Folder(path(name), at: descriptor, name, flags: O_NOFOLLOW)
    }

    /// Opens a folder below this one, and creates every missing folder of the path.
    public func makeFolder(_ path: String) throws(FileError) -> Folder {
        var folder = self
        for part in path.split(separator: "/").map(String.init) {
            try folder.check(part, "create")
            guard mkdirat(folder.descriptor, part, 0o755) == 0 || errno == EEXIST else {
                throw FileError(action: "create", path: folder.path(part), code: errno)
            }
            folder = try Folder(folder.path(part), at: folder.descriptor, part, flags: O_NOFOLLOW)
        }
        return folder
    }

    /// Opens a regular file of the folder; a file of any other kind is refused at once.
    public func file(_ name: String) throws(FileError) -> InputFile {
        try check(name, "read")
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        let code = errno
        var status = stat()
        let found = opened >= 0 && fstat(opened, &status) == 0 ? Self.kind(status) : kind(name)
        if let words = Self.refusal(found, wanted: .file) {
            if opened >= 0 { close(opened) }
            throw FileError(refusing: path(name), because: words)
        }
        guard opened >= 0 else { throw FileError(action: "read", path: path(name), code: code) }
        return InputFile(opened: opened, path: path(name))
    }

    /// Reads a whole regular file of the folder; nil when the file does not exist.
    ///
    /// - Throws: an error when the file is not regular, or is larger than the limit.
    public func bytes(_ name: String, upTo limit: Int) throws(FileError) -> [UInt8]? {
        guard kind(name) != nil else { return nil }
        let file = try file(name)
        guard file.length() <= limit else {
            throw FileError(
                refusing: path(name),
                because: "it has \(file.length()) bytes, more than the limit of \(limit)")
        }
        return try file.read(at: 0, count: file.length())
    }

    /// Creates a file that must not exist yet.
    public func create(_ name: String) throws(FileError) -> OutputFile {
        try check(name, "create")
        let opened = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw FileError(action: "create", path: path(name), code: errno) }
        return OutputFile(opened: opened, path: path(name))
    }

    /// Replaces a whole file atomically; readers see either the old or the new content, never a part.
    ///
    /// The body writes to the new file `name.partial`, which is synchronised and then renamed. When anything fails, the
    /// partial file is removed and the old content remains. A partial file of an earlier attempt is removed first.
    public func replace(_ name: String, with body: (borrowing OutputFile) throws -> Void) throws {
        let partial = name + ".partial"
        for each in [name, partial] where kind(each) == .folder {
            throw FileError(refusing: path(each), because: Self.refusal(.folder, wanted: .file) ?? "")
        }
        remove(partial)
        do {
            let file = try create(partial)
            try body(file)
            try file.synchronize()
            try move(partial, to: name)
        } catch let error as FileError where error.path == path(partial) {
            remove(partial)
            throw FileError(action: error.action, path: path(name), code: error.code)
        } catch {
            remove(partial)
            throw error
        }
        try synchronize()
    }

    /// Renames a file or link; an existing entry with the new name is replaced.
    public func move(_ name: String, to other: String) throws(FileError) {
        try move(name, to: other, in: self)
    }

    /// Moves a file or link into another folder under a new name; an existing entry with that name is replaced.
    public func move(_ name: String, to other: String, in folder: Folder) throws(FileError) {
        try check(name, "replace")
        try folder.check(other, "replace")
        guard renameat(descriptor, name, folder.descriptor, other) == 0 else {
            throw FileError(action: "replace", path: folder.path(other), code: errno)
        }
    }

    /// Creates, in another folder, a hard link to a file of this folder; false when that fails.
    public func enter(_ name: String, in folder: Folder, as second: String) -> Bool {
        Self.isName(name) && Self.isName(second) && linkat(descriptor, name, folder.descriptor, second, 0) == 0
    }

    /// Whether a name in this folder and a name in another folder are the same file.
    public func isSame(_ name: String, as other: String, in folder: Folder) -> Bool {
        var (one, two) = (stat(), stat())
        return fstatat(descriptor, name, &one, AT_SYMLINK_NOFOLLOW) == 0
            && fstatat(folder.descriptor, other, &two, AT_SYMLINK_NOFOLLOW) == 0
            && one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }

    /// Removes a file or link; the target of a link is not touched.
    public func remove(_ name: String) {
        if Self.isName(name) { unlinkat(descriptor, name, 0) }
    }

    /// Removes an empty folder.
    public func removeFolder(_ name: String) {
        if Self.isName(name) { unlinkat(descriptor, name, AT_REMOVEDIR) }
    }

    /// Waits until the names in the folder are on the disk, so that a power cut does not undo a rename.
    public func synchronize() throws(FileError) {
        // Some file systems do not support this call for folders and return an error.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileError(action: "write", path: path, code: errno)
        }
    }

    /// Locks the folder as long as the returned value exists; nil when another program holds the lock.
    public func locked() throws(FileError) -> Folder? {
        let again = try Folder(path, at: descriptor, ".", flags: 0)
        return flock(again.descriptor, LOCK_EX | LOCK_NB) == 0 ? again : nil
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    private func check(_ name: String, _ action: String) throws(FileError) {
        guard Self.isName(name) else { throw FileError(action: action, path: path(name), code: EINVAL) }
    }

    private static func kind(_ status: stat) -> Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Reason for refusing an entry of the wrong kind; nil when the kinds agree or the entry does not exist.
    private static func refusal(_ kind: Kind?, wanted: Kind) -> String? {
        switch kind {
        case nil: nil
        case wanted: nil
        case .link: "it is a symbolic link: replace it with its target"
        case .folder: "it is a folder: move it away"
        case .file: "it is a file: move it away"
        case .other: "it is not a regular file: move it away"
        }
    }
}
