// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Text that is read a block of whole lines at a time: however long it is, and however packed, a block of it is in
/// memory.
final class TextFile {
    /// Bytes of a block, unless a line is longer.
    static let block = 1 << 18
    /// Longest line that is taken; a block grows to hold one.
    static let longestLine = 4 << 20

    /// Where its text begins: behind a byte-order mark.
    let start: Int
    /// What went wrong while it was read, after it had been looked through once.
    private(set) var failure: Diagnostics?

    private let source: any ByteSource
    private let path: String
    /// Bytes of the text; the most possible until it was looked through.
    private var length = Int.max

    /// Looks through a text once.
    ///
    /// - Throws: What is wrong with it as text: a line that is too long, bytes that are no UTF-8, too many of them.
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

    /// Reads whole lines from an offset on; how many bytes they take, 0 at the end.
    func fill(_ block: inout [UInt8], from offset: Int) -> Int {
        if block.count < Self.block { block = Array(repeating: 0, count: Self.block) }
        while offset < length {
            do throws(Diagnostics) {
                let count = min(try source.read(at: offset, into: &block), length - offset)
                if offset + count == length { return count }
                if count < block.count {
                    // Before it was looked through, this is how its end is found.
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

    /// Where the last whole line of a block ends, its end included; nil when it holds none.
    private static func lastLine(in block: [UInt8]) -> Int? {
        if let index = block.lastIndex(of: 10) { return index + 1 }
        // The line feed of the last one may be in the next block.
        return block.dropLast().lastIndex(of: 13).map { $0 + 1 }
    }
}
