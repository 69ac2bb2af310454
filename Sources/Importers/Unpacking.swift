// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Diagnostics

/// Unpacks gzip (RFC 1952) and what matters in a zip archive, never beyond a limit.
enum Unpacking {
    /// The content of a gzip file, all its members.
    static func gzip(_ bytes: [UInt8], from path: String, limit: Int) throws(Diagnostics) -> [UInt8] {
        var content: [UInt8] = []
        var offset = 0
        while offset < bytes.count, bytes[offset...].starts(with: [0x1f, 0x8b]) {
            guard let used = inflate(bytes[offset...], window: 31, into: &content, limit: limit) else {
                throw Diagnostics(
                    "\(path): the gzip data is broken, or has more than \(limit >> 20) MiB",
                    hint: "does gzip -t like the file?")
            }
            offset += used
        }
        return content
    }

    /// Appends unpacked bytes; how many packed ones they took, or nil when something is wrong.
    private static func inflate(
        _ packed: ArraySlice<UInt8>, window: Int32, into content: inout [UInt8], limit: Int
    ) -> Int? {
        var stream = z_stream()
        guard inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var block = [UInt8](repeating: 0, count: 1 << 18)
        return packed.withUnsafeBufferPointer { input -> Int? in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(clamping: input.count)
            while true {
                let (status, made) = block.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, output.count - Int(stream.avail_out))
                }
                content.append(contentsOf: block[..<made])
                if content.count > limit { return nil }
                if status == Z_STREAM_END { return Int(stream.total_in) }
                if status != Z_OK || made == 0 && stream.avail_in == 0 { return nil }
            }
        }
    }

    // MARK: Zip (PKWARE, .ZIP File Format Specification)

    private struct Entry {
        var name: String
        var method: Int
        var packed: Range<Int>
    }

    /// The text inside an archive: the one that `main_entry.txt` of a bug report names, or the only file there is.
    static func zip(_ bytes: [UInt8], from path: String, limit: Int) throws(Diagnostics) -> [UInt8] {
        let entries = entries(of: bytes).filter { !$0.name.hasSuffix("/") }
        func content(_ entry: Entry) throws(Diagnostics) -> [UInt8] {
            if entry.method == 0 { return Array(bytes[entry.packed]) }
            var content: [UInt8] = []
            guard entry.method == 8, inflate(bytes[entry.packed], window: -15, into: &content, limit: limit) != nil
            else {
                throw Diagnostics("\(path): cannot unpack \(entry.name)", hint: "unpack it yourself, and import that")
            }
            return content
        }
        if let main = entries.first(where: { $0.name == "main_entry.txt" }) {
            let text = String(decoding: try content(main), as: UTF8.self)
            let name = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
            if let entry = entries.first(where: { $0.name == name }) { return try content(entry) }
        }
        if entries.count == 1 { return try content(entries[0]) }
        let names = entries.prefix(5).map(\.name).joined(separator: ", ")
        throw Diagnostics(
            entries.isEmpty
                ? "\(path): the zip archive is broken" : "\(path) holds \(entries.count) files: \(names)…",
            hint: "unpack it, and name the file to import")
    }

    /// The files that the central directory lists, sizes taken from there.
    private static func entries(of bytes: [UInt8]) -> [Entry] {
        func number(_ offset: Int, _ width: Int) -> Int {
            guard offset >= 0, offset + width <= bytes.count else { return -1 }
            return (0..<width).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
        }
        let end = stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 65535), by: -1)
            .first { number($0, 4) == 0x0605_4b50 }
        guard let end else { return [] }
        var entries: [Entry] = []
        var offset = number(end + 16, 4)
        for _ in 0..<number(end + 10, 2) {
            guard offset >= 0, number(offset, 4) == 0x0201_4b50 else { break }
            let (size, nameLength) = (number(offset + 20, 4), number(offset + 28, 2))
            let local = number(offset + 42, 4)
            guard nameLength >= 0, offset + 46 + nameLength <= bytes.count, number(local, 4) == 0x0403_4b50 else {
                break
            }
            let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
            guard size >= 0, start + size <= bytes.count else { break }
            let name = String(decoding: bytes[(offset + 46)..<(offset + 46 + nameLength)], as: UTF8.self)
            entries.append(Entry(name: name, method: number(offset + 10, 2), packed: start..<(start + size)))
            offset += 46 + nameLength + max(0, number(offset + 30, 2)) + max(0, number(offset + 32, 2))
        }
        return entries
    }
}
