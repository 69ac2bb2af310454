// Recording owns everything that leaves the simulator as bytes: CSV text, table schemas, checksummed segments, JSON.
// In: rows of a run (`RunRecorder` is the phone's row sink), finished outcomes, values for the manifest.
// Out: segment files that survive a torn end, final files that appear whole or not at all, and `OutputError`s.
// It knows no experiment and no process: which run goes where is decided in `Experiments`.
// Read first: this file, then `Segment.swift` (the record format), `TableCatalog.swift` (every column of every table).

import Glibc

/// A file could not be written or read: what was tried, on which file, and the system's reason.
public struct OutputError: Error, CustomStringConvertible, Equatable {
    /// What was tried, for instance `write`.
    public let action: String
    /// The file or directory.
    public let path: String
    /// The system's error number.
    public let code: Int32

    /// Creates an error from a system error number.
    public init(action: String, path: String, code: Int32) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// One line that names the file, what was tried and the reason.
    public var description: String { "\(path): error: cannot \(action): \(String(cString: strerror(code)))" }

    /// Whether the reason is a lack of room, which freeing space mends.
    public var isOutOfSpace: Bool { code == ENOSPC || code == EFBIG || code == EDQUOT }
}

/// An open file of our own: every call is checked, and the descriptor closes with the value.
public struct OutputFile: ~Copyable {
    /// The file's path.
    public let path: String
    private let descriptor: Int32

    /// Opens a file for writing, truncating it.
    public init(creating path: String) throws(OutputError) {
        try self.init(path, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, action: "create")
    }

    /// Opens a file for writing that must not exist yet.
    public init(creatingNew path: String) throws(OutputError) {
        try self.init(path, flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, action: "create")
    }

    /// Opens what is there for writing, whatever it is.
    init(existing path: String) throws(OutputError) {
        try self.init(path, flags: O_WRONLY | O_CLOEXEC, action: "open")
    }

    private init(_ path: String, flags: Int32, action: String) throws(OutputError) {
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw OutputError(action: action, path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Writes all of the bytes.
    public func write(_ bytes: [UInt8]) throws(OutputError) {
        try write(bytes[...])
    }

    /// Writes all of the bytes.
    public func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { raw -> Int in
                guard let base = raw.baseAddress else { return 0 }
                return Glibc.write(descriptor, base + done, raw.count - done)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw OutputError(action: "write", path: path, code: errno)
            }
            done += count
        }
    }

    /// Waits until the bytes are on the disk.
    public func synchronize() throws(OutputError) {
        guard fsync(descriptor) == 0 else { throw OutputError(action: "write", path: path, code: errno) }
    }

    /// Cuts the file to a length and continues there.
    public func truncate(to length: Int) throws(OutputError) {
        guard ftruncate(descriptor, length) == 0, lseek(descriptor, length, SEEK_SET) >= 0 else {
            throw OutputError(action: "truncate", path: path, code: errno)
        }
    }
}

/// Replaces a file as a whole: whoever looks sees the old content or the new, never a part.
///
/// The body writes to `path.partial`, which is synchronised and then renamed; when anything fails the partial file goes
/// and the old content stays.
public func replaceFile(
    _ path: String, with body: (borrowing OutputFile) throws -> Void
) throws {
    let partial = path + ".partial"
    do {
        let file = try OutputFile(creating: partial)
        try body(file)
        try file.synchronize()
    } catch let error as OutputError where error.path == partial {
        unlink(partial)
        throw OutputError(action: error.action, path: path, code: error.code)
    } catch {
        unlink(partial)
        throw error
    }
    guard rename(partial, path) == 0 else {
        let code = errno
        unlink(partial)
        throw OutputError(action: "replace", path: path, code: code)
    }
}

/// Replaces a file by the given text.
public func replaceFile(_ path: String, with text: String) throws {
    try replaceFile(path) { file in try file.write(Array(text.utf8)) }
}

/// Reads a whole file.
public func readFile(_ path: String) throws(OutputError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputError(action: "read", path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = read(descriptor, &block, block.count)
        if count == 0 { return bytes }
        if count < 0 {
            if errno == EINTR { continue }
            throw OutputError(action: "read", path: path, code: errno)
        }
        bytes.append(contentsOf: block[..<count])
    }
}

/// Creates a directory and those above it; one that exists already is fine.
public func createDirectory(_ path: String) throws(OutputError) {
    if mkdir(path, 0o755) == 0 { return }
    if errno == EEXIST, isDirectory(path) { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw OutputError(action: "create", path: path, code: code == EEXIST ? ENOTDIR : code)
    }
    try createDirectory(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw OutputError(action: "create", path: path, code: errno)
    }
}

/// Whether there is a directory at a path.
public func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// The names in a directory, sorted; empty when there is none.
public func directoryEntries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}
