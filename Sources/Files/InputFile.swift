// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A file open for reading at any offset.
public struct InputFile: ~Copyable {
    /// The file's path.
    public let path: String
    private let descriptor: Int32

    /// Opens a file.
    public init(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(action: "read", path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

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

/// Reads a file from its beginning.
///
/// - Parameter limit: Most bytes that are read; a caller that refuses large files asks for one more than it takes.
public func readFile(_ path: String, upTo limit: Int = .max) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(action: "read", path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(1 << 18, limit))
    while bytes.count < limit {
        let count = read(descriptor, &block, min(block.count, limit - bytes.count))
        if count == 0 { break }
        if count < 0 {
            if errno == EINTR { continue }
            throw FileError(action: "read", path: path, code: errno)
        }
        bytes.append(contentsOf: block[..<count])
    }
    return bytes
}
