// SPDX-License-Identifier: GPL-3.0-or-later

/// The keyed hash SipHash-2-4 with 128 bits of output.
///
/// Source: J.-P. Aumasson and D. Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012,
/// doi:10.1007/978-3-642-34931-7_28. The 128-bit output is implemented as in the authors' reference code.
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

    mutating func append(_ byte: UInt8) { append(UInt64(byte), bytes: 1) }

    /// Appends a word as eight bytes, the lowest first.
    @inline(__always)
    mutating func append(_ word: UInt64) {
        let shift = UInt64(truncatingIfNeeded: 8 &* (length & 7))
        length &+= 8
        absorb(pending | word &<< shift)
        // At shift 0, no bits of the word are left, but a shift by 64 would keep all of them.
        pending = shift == 0 ? 0 : word &>> (64 &- shift)
    }

    /// Appends the lowest bytes of a word, fewer than eight; the word's other bytes are zero.
    @inline(__always)
    private mutating func append(_ word: UInt64, bytes: Int) {
        let waiting = length & 7
        length &+= bytes
        let joined = pending | word &<< UInt64(truncatingIfNeeded: 8 &* waiting)
        guard waiting &+ bytes >= 8 else {
            pending = joined
            return
        }
        absorb(joined)
        pending = waiting == 0 ? 0 : word &>> UInt64(truncatingIfNeeded: 64 &- 8 &* waiting)
    }

    /// Appends the number of bytes of a text, then its UTF-8 bytes.
    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        var text = text
        text.withUTF8 { bytes in
            var next = 0
            while next &+ 8 <= bytes.count {
                let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: next, as: UInt64.self)
                append(UInt64(littleEndian: word))
                next &+= 8
            }
            var rest: UInt64 = 0
            for index in next..<bytes.count { rest |= UInt64(bytes[index]) &<< UInt64(8 &* (index &- next)) }
            append(rest, bytes: bytes.count &- next)
        }
    }

    mutating func finish() -> (low: UInt64, high: UInt64) {
        absorb(pending | UInt64(truncatingIfNeeded: length) << 56)
        v2 ^= 0xEE
        for _ in 0..<4 { round() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<4 { round() }
        return (low, v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func absorb(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    private mutating func round() {
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

    @inline(__always)
    private func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }
}
