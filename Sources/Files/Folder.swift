// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// An open folder: what lies in it is reached by its descriptor, and no symbolic link in it is followed.
///
/// What it is asked for by a name is one thing in it: a name has no slash and is not `..`.
public final class Folder: Sendable {
    /// What a name in a folder stands for.
    public enum Kind: Sendable, Equatable {
        case file, folder, link, other
    }

    /// The path by which it was opened; messages say it.
    public let path: String
    private let descriptor: Int32

    /// Opens a folder that the user named: links on the way to it are followed.
    public convenience init(_ path: String) throws(FileError) { try self.init(path, at: AT_FDCWD, path, flags: 0) }

    /// Opens a folder that is no link itself; links above it are followed.
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

    /// The path of what a name stands for.
    public func path(_ name: String) -> String { FilePath.join(path, name) }

    /// What a name stands for; nil when there is nothing.
    public func kind(_ name: String) -> Kind? {
        var status = stat()
        guard Self.isName(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Self.kind(status)
    }

    /// The bytes of a regular file; nil when a name stands for none.
    public func length(_ name: String) -> Int? {
        var status = stat()
        guard Self.isName(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            Self.kind(status) == .file
        else { return nil }
        return Int(status.st_size)
    }

    /// The names in it, sorted.
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

    /// What a symbolic link says; nil when the name stands for none.
    public func link(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = Self.isName(name) ? readlinkat(descriptor, name, &buffer, buffer.count) : -1
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// A folder in this one; nil when there is nothing of the name.
    public func folder(_ name: String) throws(FileError) -> Folder? {
        try check(name, "open")
        guard kind(name) != nil else { return nil }
        return try Folder(path(name), at: descriptor, name, flags: O_NOFOLLOW)
    }

    /// A folder in this one, which is made if need be; the parts of a path are made one after another.
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

    /// Opens a regular file in it; what is none is refused at once and never waited for.
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

    /// Reads a regular file in it whole; nil when there is nothing of the name.
    ///
    /// - Throws: That it is no regular file, or has more bytes than the limit.
    public func bytes(_ name: String, upTo limit: Int) throws(FileError) -> [UInt8]? {
        guard kind(name) != nil else { return nil }
        let file = try file(name)
        guard file.length() <= limit else {
            throw FileError(
                refusing: path(name),
                because: "it has \(file.length()) bytes, more than the \(limit) that are read at most")
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

    /// Replaces a file as a whole: whoever looks sees the old content or the new, never a part.
    ///
    /// The body writes to `name.partial`, a new file, which is synchronised and then renamed; when anything fails the
    /// partial file goes and the old content stays. What an earlier writing left under that name goes first.
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

    /// Gives a file or link another name; what had that name is gone.
    public func move(_ name: String, to other: String) throws(FileError) {
        try move(name, to: other, in: self)
    }

    /// Gives a file or link another name in another folder; what had that name there is gone.
    public func move(_ name: String, to other: String, in folder: Folder) throws(FileError) {
        try check(name, "replace")
        try folder.check(other, "replace")
        guard renameat(descriptor, name, folder.descriptor, other) == 0 else {
            throw FileError(action: "replace", path: folder.path(other), code: errno)
        }
    }

    /// Enters a file under a second name in another folder; false where the file system has no such names.
    public func enter(_ name: String, in folder: Folder, as second: String) -> Bool {
        Self.isName(name) && Self.isName(second) && linkat(descriptor, name, folder.descriptor, second, 0) == 0
    }

    /// Whether a name stands for the very file that a name in another folder stands for.
    public func isSame(_ name: String, as other: String, in folder: Folder) -> Bool {
        var (one, two) = (stat(), stat())
        return fstatat(descriptor, name, &one, AT_SYMLINK_NOFOLLOW) == 0
            && fstatat(folder.descriptor, other, &two, AT_SYMLINK_NOFOLLOW) == 0
            && one.st_ino == two.st_ino && one.st_dev == two.st_dev
    }

    /// Takes a name away, whatever file or link it stands for; what a link leads to is not touched.
    public func remove(_ name: String) {
        if Self.isName(name) { unlinkat(descriptor, name, 0) }
    }

    /// Takes an empty folder away.
    public func removeFolder(_ name: String) {
        if Self.isName(name) { unlinkat(descriptor, name, AT_REMOVEDIR) }
    }

    /// Waits until the names in it are on the disk, so that a power cut does not undo a rename.
    public func synchronize() throws(FileError) {
        // Some file systems have no such call for folders and say so.
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw FileError(action: "write", path: path, code: errno)
        }
    }

    /// Claims the folder for as long as what is returned lives; nil when another program has it.
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

    /// Why something of a kind is not taken for another; nil where it is of that kind or is not there.
    private static func refusal(_ kind: Kind?, wanted: Kind) -> String? {
        switch kind {
        case nil: nil
        case wanted: nil
        case .link: "it is a symbolic link, and none is followed here: move there what it leads to"
        case .folder: "it is a folder: move it away"
        case .file: "it is a file: move it away"
        case .other: "it is no regular file: move it away"
        }
    }
}
