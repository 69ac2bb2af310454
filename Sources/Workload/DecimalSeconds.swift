// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Seconds as exact decimals: `12`, `12.5`, `0.000000001`.
enum DecimalSeconds {
    /// Reads seconds with at most nine decimals; nil for anything else.
    static func parse(_ text: Substring.UTF8View) -> SimTime? {
        var whole: Int64 = 0
        var fraction: Int64 = 0
        var decimals = -1
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: "."), decimals < 0, digits > 0 {
                decimals = 0
                continue
            }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            if decimals < 0 {
                digits += 1
                guard digits <= 10 else { return nil }
                whole = whole * 10 + digit
            } else {
                decimals += 1
                guard decimals <= 9 else { return nil }
                fraction = fraction * 10 + digit
            }
        }
        guard digits > 0, decimals != 0, whole <= 9_000_000_000 else { return nil }
        for _ in max(decimals, 0)..<9 { fraction *= 10 }
        return SimTime(nanoseconds: whole * 1_000_000_000 + fraction)
    }

    /// Writes the shortest exact decimal; `nanoseconds` must not be negative.
    static func append(_ nanoseconds: Int64, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(nanoseconds / 1_000_000_000).utf8)
        var fraction = nanoseconds % 1_000_000_000
        guard fraction != 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var scale: Int64 = 100_000_000
        while fraction != 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(fraction / scale))
            fraction %= scale
            scale /= 10
        }
    }
}
