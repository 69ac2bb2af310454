// SPDX-License-Identifier: GPL-3.0-or-later

/// The keyed hash SipHash-2-4 with 128 bits of output.
///
/// Source: J.-P. Aumasson and D. Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012,
/// doi:10.1007/978-3-642-34931-7_28; the 128-bit output follows the authors' reference code.
struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    private var pending: UInt64 = 0
    private var length = 0

    init(key: (UInt64, UInt64)) {
        v0 = 0x736F_6D65_7073_6575 ^ key.0
        v1 = 0x646F_7261_6E64_6F6D ^ key.1 ^ 0xEE
        v2 = 0x6C79_6765_6E65_7261 ^ key.0
        v3 = 0x7465_6462_7974_6573 ^ key.1
    }

    mutating func append(_ byte: UInt8) {
        pending |= UInt64(byte) &<< UInt64(truncatingIfNeeded: 8 &* (length & 7))
        length &+= 1
        if length & 7 == 0 {
            absorb(pending)
            pending = 0
        }
    }

    /// Appends a word as eight bytes, the lowest first.
    mutating func append(_ word: UInt64) {
        guard length & 7 != 0 else {
            length += 8
            absorb(word)
            return
        }
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// Appends the number of bytes of a text, then its UTF-8 bytes.
    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { append(byte) }
        }
    }

    mutating func finish() -> (low: UInt64, high: UInt64) {
        absorb(pending | UInt64(truncatingIfNeeded: length) << 56)
        v2 ^= 0xEE
        rounds(4)
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        rounds(4)
        return (low, v0 ^ v1 ^ v2 ^ v3)
    }

    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    private mutating func rounds(_ count: Int) {
        for _ in 0..<count {
            v0 = v0 &+ v1
            v2 = v2 &+ v3
            v1 = rotated(v1, 13) ^ v0
            v3 = rotated(v3, 16) ^ v2
            v0 = rotated(v0, 32)
            v2 = v2 &+ v1
            v0 = v0 &+ v3
            v1 = rotated(v1, 17) ^ v2
            v3 = rotated(v3, 21) ^ v0
            v2 = rotated(v2, 32)
        }
    }

    private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }
}
