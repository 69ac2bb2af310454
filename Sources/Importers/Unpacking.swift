// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Diagnostics

/// Unpacks deflated bytes (RFC 1951) or gzip bytes (RFC 1952), one block at a time.
final class Inflater: ByteProducer {
    /// Container of the packed bytes.
    enum Form {
        /// A gzip file with all its members. Logs that were extended have several members.
        case gzip
        /// A member of a zip archive, by its name and its packed length in bytes.
        case member(String, length: Int)
    }

    private static let block = 1 << 16

    private let source: any ByteSource
    private let path: String
    private let form: Form
    /// Offset of the first packed byte.
    private let start: Int
    /// State of zlib at a fixed address, because zlib keeps the address.
    private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// Offset of the first packed byte that was not read yet.
    private var next: Int
    private var packed: [UInt8] = []
    private var used = 0
    private var isOver = false

    init(_ source: any ByteSource, from start: Int = 0, _ form: Form, of path: String) throws(Diagnostics) {
        (self.source, self.start, self.form, self.path) = (source, start, form, path)
        next = start
        state.initialize(to: z_stream())
        let window: Int32 = if case .gzip = form { 31 } else { -15 }
        guard inflateInit2_(state, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Diagnostics("no memory to unpack \(path)")
        }
    }

    deinit {
        inflateEnd(state)
        state.deallocate()
    }

    func restart() {
        inflateReset(state)
        (next, packed, used, isOver) = (start, [], 0, false)
    }

    func produce(into bytes: inout [UInt8]) throws(Diagnostics) {
        let before = bytes.count
        while !isOver, bytes.count == before {
            if used == packed.count { try refill() }
            bytes.append(contentsOf: repeatElement(0, count: 4 * Self.block))
            let (status, made) = inflate(into: &bytes, from: before)
            bytes.removeLast(4 * Self.block - made)
            if status == Z_STREAM_END {
                isOver = try !beginsAgain()
            } else if status != Z_OK || made == 0 && packed.isEmpty {
                throw broken
            }
        }
    }

    /// Reads the next block of packed bytes.
    private func refill() throws(Diagnostics) {
        var end = next + Self.block
        if case .member(_, let length) = form { end = min(end, start + length) }
        packed = try source.bytes(in: next..<end)
        next += packed.count
        used = 0
    }

    private func inflate(into bytes: inout [UInt8], from start: Int) -> (status: Int32, made: Int) {
        packed.withUnsafeMutableBufferPointer { input in
            bytes.withUnsafeMutableBufferPointer { output in
                state.pointee.next_in = input.baseAddress.map { $0 + used }
                state.pointee.avail_in = UInt32(input.count - used)
                state.pointee.next_out = output.baseAddress.map { $0 + start }
                state.pointee.avail_out = UInt32(output.count - start)
                let status = CZlib.inflate(state, Z_NO_FLUSH)
                used = input.count - Int(state.pointee.avail_in)
                return (status, output.count - start - Int(state.pointee.avail_out))
            }
        }
    }

    /// Whether another member of a gzip file follows.
    ///
    /// Other bytes after a member are ignored.
    private func beginsAgain() throws(Diagnostics) -> Bool {
        guard case .gzip = form else { return false }
        let rest = next - (packed.count - used)
        guard try source.bytes(in: rest..<(rest + 2)) == ForeignInput.gzipMark else { return false }
        inflateReset(state)
        return true
    }

    private var broken: Diagnostics {
        switch form {
        case .gzip: Diagnostics("\(path): the gzip data is broken", hint: "check the file with gzip -t")
        case .member(let name, _):
            Diagnostics("\(path): cannot unpack \(name.excerpt)", hint: "unpack it yourself, and import the result")
        }
    }
}

/// A zip archive and the files in it (PKWARE, .ZIP File Format Specification).
struct ZipArchive {
    private struct Entry {
        var name: String
        var method: Int
        var start: Int
        var length: Int
    }

    /// Largest size of the archive's directory, in bytes.
    private static let largestDirectory = 16 << 20

    private let source: any ByteSource
    private let path: String
    private var entries: [Entry] = []

    /// Reads the directory of the archive, which lists the files and their sizes.
    init(_ source: any ByteSource, length: Int, path: String) throws(Diagnostics) {
        (self.source, self.path) = (source, path)
        // A comment of at most 65,535 bytes may follow the end record of the directory.
        let tailStart = max(0, length - 22 - 65535)
        let tail = try source.bytes(in: tailStart..<length)
        let end = stride(from: tail.count - 22, through: 0, by: -1).first { tail.number($0, 4) == 0x0605_4b50 }
        guard let end else { return }
        let (start, size) = (tail.number(end + 16, 4), tail.number(end + 12, 4))
        guard size <= Self.largestDirectory else { return }
        let directory = try source.bytes(in: start..<(start + size))
        var offset = 0
        for _ in 0..<tail.number(end + 10, 2) {
            guard directory.number(offset, 4) == 0x0201_4b50 else { break }
            let (packed, nameLength) = (directory.number(offset + 20, 4), directory.number(offset + 28, 2))
            let local = directory.number(offset + 42, 4)
            guard nameLength >= 0, local >= 0, offset + 46 + nameLength <= directory.count else { break }
            let head = try source.bytes(in: local..<(local + 30))
            guard head.number(0, 4) == 0x0403_4b50, head.count == 30 else { break }
            let content = local + 30 + head.number(26, 2) + head.number(28, 2)
            guard content + packed <= length else { break }
            let name = String(decoding: directory[(offset + 46)..<(offset + 46 + nameLength)], as: UTF8.self)
            let method = directory.number(offset + 10, 2)
            if !name.hasSuffix("/") {
                entries.append(Entry(name: name, method: method, start: content, length: packed))
            }
            offset += 46 + nameLength + max(0, directory.number(offset + 30, 2))
            offset += max(0, directory.number(offset + 32, 2))
        }
    }

    /// The text in the archive: the file whose name is in `main_entry.txt` of a bug report, or else the only file.
    func text() throws(Diagnostics) -> any ByteSource {
        if let main = entries.first(where: { $0.name == "main_entry.txt" }) {
            let text = String(decoding: try content(main).head(), as: UTF8.self)
            let name = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
            if let entry = entries.first(where: { $0.name == name }) { return try content(entry) }
        }
        if entries.count == 1 { return try content(entries[0]) }
        let names = entries.prefix(5).map(\.name.excerpt).joined(separator: ", ")
        throw Diagnostics(
            entries.isEmpty
                ? "\(path): the zip archive is broken" : "\(path) contains \(entries.count) files: \(names)…",
            hint: "unpack it, and name the file to import")
    }

    private func content(_ entry: Entry) throws(Diagnostics) -> any ByteSource {
        switch entry.method {
        case 0: return ProducedBytes(StoredBytes(source, from: entry.start, length: entry.length))
        case 8:
            return ProducedBytes(
                try Inflater(source, from: entry.start, .member(entry.name, length: entry.length), of: path))
        default:
            throw Diagnostics(
                "\(path): cannot unpack \(entry.name.excerpt)", hint: "unpack it yourself, and import the result")
        }
    }
}

/// A range of the bytes of another source.
private final class StoredBytes: ByteProducer {
    private let source: any ByteSource
    private let range: Range<Int>
    private var next: Int

    init(_ source: any ByteSource, from start: Int, length: Int) {
        self.source = source
        range = start..<(start + length)
        next = start
    }

    func restart() { next = range.lowerBound }

    func produce(into bytes: inout [UInt8]) throws(Diagnostics) {
        let part = try source.bytes(in: next..<min(next + 1 << 18, range.upperBound))
        next += part.count
        bytes.append(contentsOf: part)
    }
}

extension [UInt8] {
    /// The little-endian number at an index; -1 when there are too few bytes.
    fileprivate func number(_ index: Int, _ width: Int) -> Int {
        guard index >= 0, index + width <= count else { return -1 }
        return (0..<width).reversed().reduce(0) { $0 << 8 | Int(self[index + $1]) }
    }
}
