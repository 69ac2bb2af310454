// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// The one way in which a foreign file is read: with a limit, unpacked, as UTF-8.
enum ForeignInput {
    /// Most bytes of a file that is held whole, packed or unpacked: a bug report has a tenth of it, and endless input
    /// ends here.
    static let largest = 256 << 20
    /// Most bytes of a plain file of text, of which a block at a time is held.
    static let largestText = 1 << 30

    /// What a file begins with.
    enum Kind: Equatable {
        case gzip, zip, sqlite, biome, text
    }

    /// The bytes of a file, unpacked from gzip, or from a zip whose content is clear; `-` is the standard input.
    static func bytes(of path: String) throws(Diagnostics) -> [UInt8] {
        let bytes = try readBytes(of: path == "-" ? "/dev/stdin" : path, upTo: largest + 1)
        guard bytes.count <= largest else { throw tooLarge(path) }
        return try unpacked(bytes, from: path)
    }

    /// The same from bytes that were read already.
    static func unpacked(_ bytes: [UInt8], from path: String) throws(Diagnostics) -> [UInt8] {
        switch kind(of: bytes) {
        case .gzip: return try Unpacking.gzip(bytes, from: path, limit: largest)
        case .zip:
            // Archives in archives are not followed.
            let inner = try Unpacking.zip(bytes, from: path, limit: largest)
            return kind(of: inner) == .gzip ? try Unpacking.gzip(inner, from: path, limit: largest) : inner
        case .sqlite, .biome, .text: return bytes
        }
    }

    /// What bytes begin with.
    static func kind(of bytes: [UInt8]) -> Kind {
        if bytes.starts(with: [0x1f, 0x8b]) { return .gzip }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) { return .zip }
        if bytes.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
        return Biome.isBiome(bytes) ? .biome : .text
    }

    /// Text as UTF-8 without a byte-order mark; UTF-16 with a mark is turned into it.
    static func text(_ bytes: [UInt8], from path: String) throws(Diagnostics) -> [UInt8] {
        switch kind(of: bytes) {
        case .gzip, .zip, .text: break
        case .sqlite:
            throw Diagnostics(
                "\(path) is an SQLite database, where text was expected",
                hint: "aware, ios-usage and ios-powerlog read databases; of others: sqlite3 -csv -header FILE "
                    + "'select * from TABLE' > table.csv")
        case .biome: throw Diagnostics("\(path) is an iPhone's stream of records", hint: "import ios-usage reads it")
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { return wide(bytes) }
        let body = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        if body.prefix(1 << 16).contains(0) {
            throw Diagnostics("\(path) is no text: it holds bytes of zero", hint: "is it the file you meant?")
        }
        guard isUTF8(body[...]) else { throw Diagnostics([.notUTF8(body, file: path)]) }
        return body
    }

    /// Whether a file that begins so is UTF-8 text that can be read as it is.
    static func isPlain(_ head: [UInt8]) -> Bool {
        let isWide = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
        return kind(of: head) == .text && !isWide && !head.contains(0)
    }

    /// Whether bytes are UTF-8, looked at a piece at a time: a piece ends before a byte that begins a character.
    static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            var end = min(bytes.endIndex, start + 1 << 20)
            while end < bytes.endIndex, bytes[end] & 0xc0 == 0x80 { end += 1 }
            guard String(validating: bytes[start..<end], as: UTF8.self) != nil else { return false }
            start = end
        }
        return true
    }

    private static func tooLarge(_ path: String) -> Diagnostics {
        Diagnostics("\(path) has more than \(largest >> 20) MiB", hint: "import it in parts, for instance a month each")
    }

    /// UTF-16 as spreadsheets write it, its byte order told by the mark.
    private static func wide(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes[0] == 0xfe
        let units = stride(from: 2, to: bytes.count - 1, by: 2).lazy.map { index in
            let (high, low) = isBig ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: Array(units), as: UTF16.self).utf8)
    }
}
