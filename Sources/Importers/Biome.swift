// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads the record streams of an iPhone (SEGB, versions 1 and 2) and the `App.InFocus` records in them.
///
/// The layout is from github.com/cclgroupltd/ccl-segb. The fields are from github.com/abrignoni/iLEAPP (biomeInfocus):
/// field 3 shows whether an app comes to the screen, field 4 is the time, and field 6 is the app.
enum Biome {
    /// An `App.InFocus` record.
    struct Record {
        /// Nanoseconds since 1970; nil where the record has no time.
        var time: Int64?
        var bundle: String?
        /// Whether the app came to the screen.
        var isStart = false
    }

    private static let mark = Array("SEGB".utf8)

    /// Whether bytes are a stream.
    ///
    /// Version 1 has its mark after 52 bytes, version 2 at the start.
    static func isBiome(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: mark) || bytes.count >= 56 && bytes[52..<56].elementsEqual(mark)
    }

    /// Reads the records that were written and not deleted, in the order of the file.
    static func records(in bytes: [UInt8]) -> [Record] {
        let payloads = bytes.starts(with: mark) ? second(bytes) : first(bytes)
        return payloads.map { record(bytes[$0]) }
    }

    /// Ranges of the records of version 1, which begin after 56 bytes.
    ///
    /// A record has a length, a state (1: written), 24 other bytes and the content, and is padded to 8 bytes.
    private static func first(_ bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 56
        while offset + 32 <= bytes.count {
            let (length, state) = (integer(bytes, offset), integer(bytes, offset + 4))
            let start = offset + 32
            guard length > 0, length <= bytes.count - start else { break }
            if state == 1 { ranges.append(start..<(start + length)) }
            offset = (start + length + 7) / 8 * 8
        }
        return ranges
    }

    /// Ranges of the records of version 2.
    ///
    /// The records begin after 32 bytes; 16 bytes for each record are at the end of the file.
    ///
    /// The 16 bytes contain the end of the record (counted from byte 32), its state and its time. A record starts with
    /// 8 bytes of checksum, at a multiple of 4.
    private static func second(_ bytes: [UInt8]) -> [Range<Int>] {
        let count = integer(bytes, 4)
        guard count > 0, count <= (bytes.count - 32) / 16 else { return [] }
        let table = bytes.count - 16 * count
        var ends = (0..<count).map { index in
            (end: integer(bytes, table + 16 * index), state: integer(bytes, table + 16 * index + 4))
        }
        ends.sort { $0.end < $1.end }
        var ranges: [Range<Int>] = []
        var start = 32
        for (end, state) in ends {
            guard end >= 0, end <= table - 32 else { break }
            if state == 1, start + 8 < 32 + end { ranges.append((start + 8)..<(32 + end)) }
            start = 32 + (end + 3) / 4 * 4
        }
        return ranges
    }

    private static func integer(_ bytes: [UInt8], _ offset: Int) -> Int {
        guard offset >= 0, offset + 4 <= bytes.count else { return -1 }
        return (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }

    // MARK: Protocol Buffers (encoding guide: tag, then varint, 64 bits, or length and bytes)

    private static func record(_ bytes: ArraySlice<UInt8>) -> Record {
        var record = Record()
        var index = bytes.startIndex
        func varint() -> UInt64? {
            var value: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                guard index < bytes.endIndex else { return nil }
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 0x7f) << UInt64(shift)
                if byte < 0x80 { return value }
            }
            return nil
        }
        while index < bytes.endIndex, let tag = varint() {
            switch tag & 7 {
            case 0:
                guard let value = varint() else { return record }
                if tag >> 3 == 3 { record.isStart = value == 1 }
            case 1:
                guard index + 8 <= bytes.endIndex else { return record }
                if tag >> 3 == 4 { record.time = time(bytes[index..<(index + 8)]) }
                index += 8
            case 2:
                guard let length = varint(), length <= UInt64(bytes.endIndex - index) else { return record }
                let text = bytes[index..<(index + Int(length))]
                if tag >> 3 == 6 { record.bundle = String(validating: text, as: UTF8.self) }
                index += Int(length)
            case 5:
                guard index + 4 <= bytes.endIndex else { return record }
                index += 4
            default: return record
            }
        }
        return record
    }

    /// Converts seconds since 2001, as a floating-point number, to nanoseconds since 1970.
    private static func time(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let value = Double(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        guard value > 0, value < 4e9 else { return nil }
        return ForeignTime.nanoseconds(Array("\(value)".utf8), unit: .seconds, sinceApple: true)
    }
}
