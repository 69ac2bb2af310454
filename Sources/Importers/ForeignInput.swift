// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files

/// Opens all foreign files: checks their size, unpacks them and converts their text to UTF-8.
enum ForeignInput {
    /// Largest size in bytes of a file that is kept in memory as a whole.
    ///
    /// Such files are packed databases, streams of records, ActivityWatch exports and the standard input.
    static let largest = 256 << 20
    /// Largest unpacked size, in bytes, of a text that is read in blocks.
    ///
    /// The limit stops a zip bomb.
    static let largestText = 1 << 30

    static let gzipMark: [UInt8] = [0x1f, 0x8b]

    /// Kind of a file, by its first bytes.
    enum Kind: Equatable {
        case gzip, zip, sqlite, biome, text
    }

    /// Opens a file and unpacks it if it is a gzip file or a zip archive, which must contain one file or a bug report.
    ///
    /// The path `-` is the standard input.
    ///
    /// A source that can be read only once is kept in memory.
    static func open(_ path: String) throws(Diagnostics) -> any ByteSource {
        if path != "-" {
            let file = try FileBytes(path)
            return try unpacked(file, length: file.length, from: path)
        }
        let bytes = try readBytes(of: path, upTo: largest)
        return try unpacked(HeldBytes(bytes), length: bytes.count, from: path)
    }

    /// Opens bytes as `open` does.
    ///
    /// Archives in archives are not unpacked.
    static func unpacked(
        _ source: any ByteSource, length: Int, from path: String
    ) throws(Diagnostics) -> any ByteSource {
        switch kind(of: try source.head()) {
        case .gzip: return ProducedBytes(try Inflater(source, .gzip, of: path))
        case .zip:
            let inner = try ZipArchive(source, length: length, path: path).text()
            guard kind(of: try inner.head()) == .gzip else { return inner }
            return ProducedBytes(try Inflater(inner, .gzip, of: path))
        case .sqlite, .biome, .text: return source
        }
    }

    /// Kind of a file that begins with these bytes.
    static func kind(of bytes: [UInt8]) -> Kind {
        if bytes.starts(with: gzipMark) { return .gzip }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) { return .zip }
        if bytes.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
        return Biome.isBiome(bytes) ? .biome : .text
    }

    /// Rejects bytes that are not the beginning of a text.
    static func checkText(_ head: [UInt8], from path: String) throws(Diagnostics) {
        switch kind(of: head) {
        case .gzip, .zip, .text: break
        case .sqlite:
            throw Diagnostics(
                "\(path) is an SQLite database, but text was expected",
                hint: "the formats aware, ios-usage and ios-powerlog read databases; export other tables with sqlite3 "
                    + "-csv -header FILE 'select * from TABLE' > table.csv")
        case .biome:
            throw Diagnostics(
                "\(path) is an iPhone's stream of records", hint: "flotsam data import ios-usage reads it")
        }
        if !WideText.isWide(head), head.contains(0) {
            throw Diagnostics("\(path) is not text: it contains zero bytes", hint: "is it the file you meant?")
        }
    }

    /// Reads a whole text file as UTF-8 without a byte-order mark.
    static func text(of path: String) throws(Diagnostics) -> [UInt8] {
        let source = try open(path)
        let head = try source.head()
        try checkText(head, from: path)
        if let wide = WideText(source, head: head) {
            return try ProducedBytes(wide).all(of: path, upTo: largest)
        }
        let bytes = try source.all(of: path, upTo: largest)
        let body = head.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        guard isUTF8(body[...]) else { throw Diagnostics([.notUTF8(body, file: path)]) }
        return body
    }

    /// Whether bytes are UTF-8.
    ///
    /// The bytes are checked in pieces, each of which ends before a byte that begins a character.
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

    static func tooLarge(_ path: String, _ limit: Int) -> Diagnostics {
        Diagnostics(
            "\(path) has more than \(limit >> 20) MiB when unpacked",
            hint: "import it in parts, for instance a month each")
    }
}
