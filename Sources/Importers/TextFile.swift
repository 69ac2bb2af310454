// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files

/// A file of text that is read a block of whole lines at a time: however long it is, a block of it is in memory.
final class TextFile {
    /// Bytes of a block, unless a line is longer.
    static let block = 1 << 18
    /// Longest line that is taken; a block grows to hold one.
    static let longestLine = 4 << 20

    /// Where its text begins: behind a byte-order mark.
    let start: Int
    /// What went wrong while it was read, after it had been looked through once.
    private(set) var failure: Diagnostics?

    private let file: InputFile
    private let length: Int

    private init(_ file: consuming InputFile, start: Int) {
        length = file.length()
        self.file = file
        self.start = start
    }

    /// Looks through a file once; nil for one that has to be unpacked or converted first, or that cannot be read twice.
    ///
    /// - Throws: What is wrong with it as text: a line that is too long, bytes that are no UTF-8.
    static func open(_ path: String, limit: Int) throws(Diagnostics) -> TextFile? {
        guard isRegularFile(path) else { return nil }
        let text: TextFile
        do throws(FileError) {
            let file = try InputFile(path)
            let head = try file.read(at: 0, count: 1 << 16)
            guard file.length() <= limit, ForeignInput.isPlain(head) else { return nil }
            text = TextFile(file, start: head.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
        } catch {
            // Reading the whole of it says why it cannot be read.
            return nil
        }
        try text.validate(path)
        return text
    }

    private func validate(_ path: String) throws(Diagnostics) {
        var block: [UInt8] = []
        var offset = start
        while true {
            let end = fill(&block, from: offset)
            if let failure { throw failure }
            if end == 0 { break }
            guard ForeignInput.isUTF8(block[..<end]) else {
                // To say where, the whole of it is needed.
                throw Diagnostics([.notUTF8(Array(try readBytes(of: path).dropFirst(start)), file: path)])
            }
            offset += end
        }
        if offset < length {
            throw Diagnostics(
                "\(path) has a line of more than \(Self.longestLine >> 20) MiB", hint: "is it the file you meant?")
        }
    }

    /// Reads whole lines from an offset on; how many bytes they take, 0 at the end.
    func fill(_ block: inout [UInt8], from offset: Int) -> Int {
        if block.count < Self.block { block = Array(repeating: 0, count: Self.block) }
        while offset < length {
            do throws(FileError) {
                let count = min(try file.read(at: offset, into: &block), length - offset)
                if offset + count == length { return count }
                guard count == block.count else {
                    failure = Diagnostics("\(file.path) became shorter while it was read")
                    return 0
                }
            } catch {
                failure = Diagnostics("cannot read \(file.path): \(error.reason)")
                return 0
            }
            if let end = Self.lastLine(in: block) { return end }
            guard block.count < Self.longestLine else { return 0 }
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
