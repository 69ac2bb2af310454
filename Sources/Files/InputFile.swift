// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// A regular file open for reading at any offset: what has no end, or waits for a writer, is refused at once.
public struct InputFile: ~Copyable, Sendable {
    /// Most bytes that are read of a file whose reader states no other limit.
    public static let usualLimit = 256 << 20

    /// The file's path.
    public let path: String
    fileprivate let descriptor: Int32

    /// Opens a regular file; a device, a FIFO, a socket and a folder are errors.
    public init(_ path: String) throws(FileError) {
        descriptor = try Self.open(path)
        self.path = path
    }

    private static func open(_ path: String) throws(FileError) -> Int32 {
        // Without O_NONBLOCK, opening a FIFO waits for somebody who writes.
        let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // A socket, and a device that is not there, cannot be opened at all.
            if errno == ENXIO { throw FileError(refusing: path, because: notRegular) }
            throw FileError(action: "read", path: path, code: errno)
        }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        let kind = status.st_mode & S_IFMT
        if code == 0, kind == S_IFREG { return descriptor }
        close(descriptor)
        if code == 0, kind != S_IFDIR { throw FileError(refusing: path, because: notRegular) }
        throw FileError(action: "read", path: path, code: code == 0 ? EISDIR : code)
    }

    private static let notRegular = "it is no regular file"

    deinit { close(descriptor) }

    /// Takes over a file that is open.
    init(opened descriptor: Int32, path: String) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Length of the file in bytes.
    public func length() -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads bytes from an offset; fewer than asked for at the end of the file.
    public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(at: offset, into: &bytes)))
        return bytes
    }

    /// Fills a block with bytes from an offset, so that a large file costs one block and not one for each part.
    ///
    /// - Returns: How many bytes were read: fewer than the block has at the end of the file.
    public func read(at offset: Int, into block: inout [UInt8]) throws(FileError) -> Int {
        var done = 0
        while done < block.count {
            let step = block.withUnsafeMutableBytes { raw -> Int in
                guard let base = raw.baseAddress else { return 0 }
                return pread(descriptor, base + done, raw.count - done, offset + done)
            }
            if step == 0 { break }
            if step < 0 {
                if errno == EINTR { continue }
                throw FileError(action: "read", path: path, code: errno)
            }
            done += step
        }
        return done
    }
}

/// Reads a regular file whole.
///
/// - Throws: That it is no regular file, or has more bytes than the limit; a file is never cut.
public func readFile(_ path: String, upTo limit: Int = InputFile.usualLimit) throws(FileError) -> [UInt8] {
    let file = try InputFile(path)
    guard file.length() <= limit else { throw .tooLarge(path, "it has \(file.length()) bytes, more than", limit) }
    return try file.readAll(upTo: limit)
}

/// Reads the standard input to its end; the path of an error is `-`.
///
/// - Throws: That it has more bytes than the limit.
private func readStandardInput(upTo limit: Int) throws(FileError) -> [UInt8] {
    try readToEnd(of: 0, path: "-", upTo: limit)
}

/// Reads a file that a user named on the command line, where `-` stands for the standard input.
public func readOperand(_ path: String, upTo limit: Int = InputFile.usualLimit) throws(FileError) -> [UInt8] {
    path == "-" ? try readStandardInput(upTo: limit) : try readFile(path, upTo: limit)
}

extension InputFile {
    /// All bytes; files of the system, as below `/proc`, say that they have none and have some.
    fileprivate func readAll(upTo limit: Int) throws(FileError) -> [UInt8] {
        try readToEnd(of: descriptor, path: path, upTo: limit)
    }
}

private func readToEnd(of descriptor: Int32, path: String, upTo limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = read(descriptor, &block, block.count)
        if count == 0 { return bytes }
        if count < 0 {
            if errno == EINTR { continue }
            throw FileError(action: "read", path: path, code: errno)
        }
        guard bytes.count + count <= limit else { throw .tooLarge(path, "it has more bytes than", limit) }
        bytes.append(contentsOf: block[..<count])
    }
}

extension FileError {
    fileprivate static func tooLarge(_ path: String, _ found: String, _ limit: Int) -> FileError {
        FileError(refusing: path, because: "\(found) the \(limit) that are read at most")
    }
}
