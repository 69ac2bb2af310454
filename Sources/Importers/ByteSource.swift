// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files

/// A source of bytes that can be read from any offset, repeatedly.
protocol ByteSource: AnyObject {
    /// Fills a block with bytes, beginning at an offset.
    ///
    /// - Returns: Number of bytes that were read. The number is less than the length of the block only at the end.
    func read(at offset: Int, into block: inout [UInt8]) throws(Diagnostics) -> Int
}

extension ByteSource {
    /// The first bytes, up to a given number.
    func head(_ count: Int = 1 << 16) throws(Diagnostics) -> [UInt8] { try bytes(in: 0..<count) }

    /// The bytes of a range; fewer if the source ends inside the range.
    func bytes(in range: Range<Int>) throws(Diagnostics) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        bytes.removeLast(range.count - (try read(at: range.lowerBound, into: &bytes)))
        return bytes
    }

    /// All bytes.
    ///
    /// - Throws: An error when there are more bytes than the limit.
    func all(of path: String, upTo limit: Int) throws(Diagnostics) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try read(at: bytes.count, into: &block)
            guard bytes.count + count <= limit else { throw ForeignInput.tooLarge(path, limit) }
            bytes.append(contentsOf: block[..<count])
            if count < block.count { return bytes }
        }
    }
}

/// The bytes of a file.
final class FileBytes: ByteSource {
    let length: Int
    private let file: InputFile

    init(_ path: String) throws(Diagnostics) {
        do throws(FileError) {
            let file = try InputFile(path)
            length = file.length()
            self.file = file
        } catch {
            throw Diagnostics(reading: path, error)
        }
    }

    func read(at offset: Int, into block: inout [UInt8]) throws(Diagnostics) -> Int {
        do throws(FileError) {
            return try file.read(at: offset, into: &block)
        } catch {
            throw Diagnostics(reading: file.path, error)
        }
    }
}

/// Bytes in memory.
final class HeldBytes: ByteSource {
    private let held: [UInt8]

    init(_ bytes: [UInt8]) { held = bytes }

    func read(at offset: Int, into block: inout [UInt8]) -> Int {
        let count = max(0, min(block.count, held.count - offset))
        block.replaceSubrange(0..<count, with: held[min(offset, held.count)..<(min(offset, held.count) + count)])
        return count
    }
}

/// Produces bytes in sequence by unpacking or converting other bytes.
protocol ByteProducer: AnyObject {
    /// Appends at least one byte, or none at the end.
    func produce(into bytes: inout [UInt8]) throws(Diagnostics)
    /// Goes back to the first byte.
    func restart() throws(Diagnostics)
}

/// Produces bytes on demand.
///
/// The latest bytes are kept; on request, earlier bytes are produced again.
final class ProducedBytes: ByteSource {
    private let producer: any ByteProducer
    /// Produced bytes that are kept, beginning at offset `start`.
    private var window: [UInt8] = []
    private var start = 0

    init(_ producer: any ByteProducer) { self.producer = producer }

    func read(at offset: Int, into block: inout [UInt8]) throws(Diagnostics) -> Int {
        if offset < start {
            try producer.restart()
            (window, start) = ([], 0)
        }
        while true {
            drop(before: offset)
            let made = window.count
            if start == offset, made >= block.count { break }
            try producer.produce(into: &window)
            if window.count == made { break }
        }
        guard start == offset else { return 0 }
        let count = min(block.count, window.count)
        block.replaceSubrange(0..<count, with: window[..<count])
        return count
    }

    private func drop(before offset: Int) {
        let count = min(offset - start, window.count)
        window.removeFirst(count)
        start += count
    }
}

/// Converts UTF-16 text, as spreadsheets write it, to UTF-8.
///
/// The byte-order mark determines the byte order.
final class WideText: ByteProducer {
    private let source: any ByteSource
    private let isBig: Bool
    private var offset = 2

    /// Creates the converter; nil when the text has no byte-order mark.
    init?(_ source: any ByteSource, head: [UInt8]) {
        guard Self.isWide(head) else { return nil }
        self.source = source
        isBig = head[0] == 0xfe
    }

    /// Whether bytes begin with a byte-order mark of UTF-16.
    static func isWide(_ head: [UInt8]) -> Bool { head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) }

    func restart() { offset = 2 }

    func produce(into bytes: inout [UInt8]) throws(Diagnostics) {
        let packed = try source.bytes(in: offset..<(offset + 1 << 16))
        var units = stride(from: 0, to: packed.count - 1, by: 2).map { index in
            let (high, low) =
                isBig ? (packed[index], packed[index + 1]) : (packed[index + 1], packed[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        // The second half of a surrogate pair may be in the next block.
        if units.count > 1, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        offset += 2 * units.count
        bytes.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    }
}
