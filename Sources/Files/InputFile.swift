// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Regular file, open for reading at any offset; any other kind, such as a device or a pipe, is refused at once.
public struct InputFile: ~Copyable, Sendable {
    /// Default limit on the size of a file that is read as a whole, in bytes.
    public static let usualLimit = 256 << 20

    /// Path of the file.
    public let path: String
    fileprivate let descriptor: Int32

    /// Opens a regular file; throws an error for a device, a FIFO, a socket or a folder.
    public init(_ path: String) throws(FileError) {
        descriptor = try Self.open(path)
        self.path = path
    }

    private static func open(_ path: String) throws(FileError) -> Int32 {
        // Without O_NONBLOCK, opening a FIFO would block until a writer opens it.
        let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // Opening a socket, or a device without hardware, always fails.
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

    private static let notRegular = "it is not a regular file"

    deinit { close(descriptor) }

    /// Takes ownership of an open file.
    init(opened descriptor: Int32, path: String) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Length of the file in bytes.
    public func length() -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Reads bytes from an offset; returns fewer than requested at the end of the file.
    public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(at: offset, into: &bytes)))
        return bytes
    }

    /// Fills a buffer with bytes from an offset, to read a large file in blocks.
    ///
    /// - Returns: number of bytes that were read, which is less than the buffer's size at the end of the file.
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

/// Reads a whole regular file.
///
/// - Throws: an error when the file is not regular, or is larger than the limit. The result is never truncated.
public func readFile(_ path: String, upTo limit: Int = InputFile.usualLimit) throws(FileError) -> [UInt8] {
    let file = try InputFile(path)
    guard file.length() <= limit else { throw .tooLarge(path, "it has \(file.length()) bytes, more than", limit) }
    return try file.readAll(upTo: limit)
}

/// Reads the standard input to its end; errors contain the path `-`.
///
/// - Throws: an error when the input is larger than the limit.
private func readStandardInput(upTo limit: Int) throws(FileError) -> [UInt8] {
    try readToEnd(of: 0, path: "-", upTo: limit)
}

/// Reads a file that the user named on the command line; `-` means the standard input.
public func readOperand(_ path: String, upTo limit: Int = InputFile.usualLimit) throws(FileError) -> [UInt8] {
    path == "-" ? try readStandardInput(upTo: limit) : try readFile(path, upTo: limit)
}

extension InputFile {
    /// All bytes up to the end of the file.
    ///
    /// The length of the file is not used, because files below `/proc` report a length of zero.
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
        FileError(refusing: path, because: "\(found) the limit of \(limit)")
    }
}
