// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams

/// Changes files as mistakes, other programs and malice do.
enum Mutator {
    /// What overflows, ends early or means something else somewhere.
    private static let tokens = [
        "-9223372036854775808", "9223372036854775807", "18446744073709551616", "1e300", "-1", "0", "nan", "inf",
        "99999999999999999999999", "+106751d23h47m16s854ms", "9999999-01-31-00-52-29", "31/12/2312", "01/01/1900",
        "2/29/21", "999999:59:59", "4294967296", "1488346471.19523456789", "\"", "\"\"", ",", ";", "\t", "\r", "\n",
        "\r\n", "\u{FEFF}", "\u{202F}PM", "ü😀", "٣", "\0", "%", "(", ")", "=", "TIME:", "START", "+screen", "Etp=7",
        "level changed, screen off, charge on", "2000-02-30T25:61:61Z", "20160431250000", "null", "[", "{", "}",
    ].map { Array($0.utf8) }

    /// One to six changes of one of the files.
    static func changed(_ seeds: [[UInt8]], _ random: inout RandomStream) -> [UInt8] {
        var bytes = seeds[random.integer(below: seeds.count)]
        for _ in 0...random.integer(below: 6) {
            guard !bytes.isEmpty else { break }
            let offset = random.integer(below: bytes.count)
            switch random.integer(below: 10) {
            case 0: bytes[offset] = UInt8(random.integer(below: 256))
            case 1: bytes[offset] ^= 1 << UInt8(random.integer(below: 8))
            case 2: bytes.remove(at: offset)
            case 3: bytes.insert(contentsOf: tokens[random.integer(below: tokens.count)], at: offset)
            case 4: replaceNumber(in: &bytes, from: offset, by: tokens[random.integer(below: 17)])
            case 5: bytes.removeLast(bytes.count - offset)
            case 6: repeatLine(in: &bytes, at: offset, times: 1 + random.integer(below: 40))
            case 7: bytes.replaceSubrange(lineAround(offset, in: bytes), with: [])
            case 8:
                let other = seeds[random.integer(below: seeds.count)]
                bytes += other[random.integer(below: max(1, other.count))...]
            default:
                let target = random.integer(below: bytes.count)
                bytes.swapAt(offset, target)
            }
        }
        return bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func replaceNumber(in bytes: inout [UInt8], from offset: Int, by token: [UInt8]) {
        guard let start = bytes[offset...].firstIndex(where: isDigit) else { return }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: token)
    }

    private static func lineAround(_ offset: Int, in bytes: [UInt8]) -> Range<Int> {
        let start = bytes[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
        return start..<max(start, end)
    }

    private static func repeatLine(in bytes: inout [UInt8], at offset: Int, times: Int) {
        let line = Array(bytes[lineAround(offset, in: bytes)])
        for _ in 0..<times { bytes.insert(contentsOf: line, at: min(offset, bytes.count)) }
    }
}
