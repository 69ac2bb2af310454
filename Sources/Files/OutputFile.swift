// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// File open for writing.
///
/// Every call checks for errors, and the descriptor is closed at the end of the value's life.
public struct OutputFile: ~Copyable {
    /// Path of the file.
    public let path: String
    private let descriptor: Int32

    /// Opens a file for writing; creates it, or truncates an existing one.
    public init(creating path: String) throws(FileError) {
        try self.init(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, action: "create")
    }

    /// Opens an existing file of any kind for writing.
    public init(existing path: String) throws(FileError) {
        try self.init(path, flags: O_WRONLY | O_CLOEXEC, action: "open")
    }

    private init(_ path: String, flags: Int32, action: String) throws(FileError) {
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw FileError(action: action, path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes ownership of an open file.
    init(opened descriptor: Int32, path: String) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { close(descriptor) }

    /// Writes all of the bytes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes[...])
    }

    /// Writes all of the bytes.
    public func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { raw -> Int in
                guard let base = raw.baseAddress else { return 0 }
                return Platform.write(descriptor, base + done, raw.count - done)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(action: "write", path: path, code: errno)
            }
            done += count
        }
    }

    /// Waits until the bytes are on the disk.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError(action: "write", path: path, code: errno) }
    }

    /// Truncates the file to a length; the next write continues there.
    public func truncate(to length: Int) throws(FileError) {
        guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) >= 0 else {
            throw FileError(action: "truncate", path: path, code: errno)
        }
    }
}

/// Replaces a whole file, as `Folder.replace` does; symbolic links in the path of the folder are followed.
///
/// If the path is a device, the body writes to it. As root, `-o /dev/null` would otherwise replace the whole machine's
/// device by a file.
public func replaceFile(
    _ path: String, with body: (borrowing OutputFile) throws -> Void
) throws {
    if isDevice(path) { return try body(OutputFile(existing: path)) }
    let folder: Folder
    do throws(FileError) {
        folder = try Folder(FilePath.folder(of: path))
    } catch {
        throw FileError(action: "create", path: path, code: error.code)
    }
    try folder.replace(FilePath.name(of: path), with: body)
}

/// Whether a path is a device, or a link of the system to an open file, such as /dev/stdout.
private func isDevice(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    let isOpen = ["/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/")
    return isOpen || [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
}

/// Replaces the content of a file by a text.
public func replaceFile(_ path: String, with text: String) throws {
    try replaceFile(path) { file in try file.write(Array(text.utf8)) }
}
