// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Files
import Platform

/// Compresses bytes as `GzipFile` does; nil if there is not enough memory.
func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    let status = deflateInit2_(
        &stream, GzipFile.level, Z_DEFLATED, GzipFile.window, GzipFile.memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let room = packed.count
    let made = bytes.withUnsafeBufferPointer { input in
        packed.withUnsafeMutableBufferPointer { output in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(room)
            return deflate(&stream, Z_FINISH) == Z_STREAM_END ? room - Int(stream.avail_out) : nil
        }
    }
    return made.map { Array(packed[..<$0]) }
}

/// Writes a gzip file (RFC 1952) piece by piece.
///
/// The header contains neither a name nor a time, so the bytes depend only on the content. Another version of zlib may
/// compress the same content to different bytes.
public struct GzipFile: ~Copyable {
    /// Fastest compression level.
    ///
    /// The slowest level takes many times as long and saves only a few per cent.
    fileprivate static let level: Int32 = 1
    /// Window of 32 KiB, with a gzip header instead of a zlib header.
    fileprivate static let window: Int32 = 15 + 16
    fileprivate static let memory: Int32 = 8

    private let stream: UnsafeMutablePointer<z_stream>
    private var block = [UInt8](repeating: 0, count: 1 << 18)

    /// Begins a file.
    ///
    /// - Throws: `FileError` if there is not enough memory.
    public init(_ file: borrowing OutputFile) throws(FileError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            stream, Self.level, Z_DEFLATED, Self.window, Self.memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else {
            throw FileError(action: "compress", path: file.path, code: ENOMEM)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Adds content.
    public mutating func write(_ bytes: [UInt8], to file: borrowing OutputFile) throws(FileError) {
        try deflate(bytes, Z_NO_FLUSH, to: file)
    }

    private mutating func deflate(
        _ bytes: [UInt8], _ flush: Int32, to file: borrowing OutputFile
    ) throws(FileError) {
        var offset = 0
        repeat {
            let room = block.count
            let piece = min(bytes.count - offset, 1 << 30)
            var made = 0
            bytes.withUnsafeBufferPointer { input in
                block.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + offset })
                    stream.pointee.avail_in = UInt32(piece)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(room)
                    // For every return code, output is pending only if the buffer is full.
                    _ = CZlib.deflate(stream, flush)
                    made = room - Int(stream.pointee.avail_out)
                }
            }
            offset += piece - Int(stream.pointee.avail_in)
            try file.write(block[..<made])
        } while offset < bytes.count || stream.pointee.avail_out == 0
    }

    /// Writes the remaining content and the checksum.
    ///
    /// No content may be added afterwards.
    public mutating func finish(_ file: borrowing OutputFile) throws(FileError) {
        try deflate([], Z_FINISH, to: file)
    }
}
