// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// A text that is read in blocks of whole lines.
///
/// Only one block is in memory, even if the text is long or packed.
final class TextFile {
    /// Size of a block in bytes.
    ///
    /// A block with a longer line is larger.
    static let block = 1 << 18
    /// Longest accepted line, in bytes.
    static let longestLine = 4 << 20

    /// Offset of the first byte after a byte-order mark.
    let start: Int
    /// Problem that occurred while reading after the first pass.
    private(set) var failure: Diagnostics?

    private let source: any ByteSource
    private let path: String
    /// Length of the text in bytes; `Int.max` before the end of the first pass.
    private var length = Int.max

    /// Reads the whole text once to check it.
    ///
    /// - Throws: An error if a line is too long, if bytes are not UTF-8, or if there are too many bytes.
    init(_ source: any ByteSource, path: String, limit: Int = ForeignInput.largestText) throws(Diagnostics) {
        self.path = path
        let head = try source.head()
        try ForeignInput.checkText(head, from: path)
        if let wide = WideText(source, head: head) {
            self.source = ProducedBytes(wide)
            start = 0
        } else {
            self.source = source
            start = head.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        }
        try validate(limit: limit)
    }

    private func validate(limit: Int) throws(Diagnostics) {
        var block: [UInt8] = []
        var offset = start
        while true {
            let end = fill(&block, from: offset)
            if let failure { throw failure }
            if end == 0 { break }
            guard ForeignInput.isUTF8(block[..<end]) else {
                var problem = Diagnostic.notUTF8(Array(block[..<end]), file: path)
                problem.location?.line += lines(before: offset)
                throw Diagnostics([problem])
            }
            offset += end
            guard offset <= limit else { throw ForeignInput.tooLarge(path, limit) }
        }
        length = offset
    }

    private func lines(before end: Int) -> Int {
        var block: [UInt8] = []
        var (offset, lines) = (start, 0)
        while offset < end {
            let count = fill(&block, from: offset)
            if count == 0 { break }
            lines += block[..<count].count { $0 == 10 }
            offset += count
        }
        return lines
    }

    /// Reads whole lines, beginning at an offset.
    ///
    /// Returns the number of bytes, which is 0 at the end.
    func fill(_ block: inout [UInt8], from offset: Int) -> Int {
        if block.count < Self.block { block = Array(repeating: 0, count: Self.block) }
        while offset < length {
            do throws(Diagnostics) {
                let count = min(try source.read(at: offset, into: &block), length - offset)
                if offset + count == length { return count }
                if count < block.count {
                    // In the first pass, a short read means the end of the text.
                    guard length < .max else { return count }
                    failure = Diagnostics("\(path) became shorter while it was read")
                    return 0
                }
            } catch {
                failure = error
                return 0
            }
            if let end = Self.lastLine(in: block) { return end }
            guard block.count < Self.longestLine else {
                failure = Diagnostics(
                    "\(path) has a line of more than \(Self.longestLine >> 20) MiB",
                    hint: "is it the file you meant?")
                return 0
            }
            block = Array(repeating: 0, count: block.count * 2)
        }
        return 0
    }

    /// Index after the last whole line of a block, including its line end; nil when the block contains no whole line.
    private static func lastLine(in block: [UInt8]) -> Int? {
        if let index = block.lastIndex(of: 10) { return index + 1 }
        // If a line ends with CR, the LF may be in the next block.
        return block.dropLast().lastIndex(of: 13).map { $0 + 1 }
    }
}
