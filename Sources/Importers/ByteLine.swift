// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Splits a line of a file into ranges of bytes without creating text.
struct ByteLine {
    private let bytes: [UInt8]
    private(set) var index: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (index, end) = (range.lowerBound, range.upperBound)
    }

    /// Rest of the line.
    var rest: Range<Int> { index..<end }

    /// Returns the next non-empty part between separators; nil at the end.
    mutating func part(separator: UInt8 = 32) -> Range<Int>? {
        while index < end, bytes[index] == separator { index += 1 }
        guard index < end else { return nil }
        let start = index
        while index < end, bytes[index] != separator { index += 1 }
        return start..<index
    }

    /// Returns the next part up to a separator or the end, which may be empty; nil after the last part.
    mutating func field(separator: UInt8) -> Range<Int>? {
        guard index <= end else { return nil }
        let start = index
        while index < end, bytes[index] != separator { index += 1 }
        defer { index += 1 }
        return start..<index
    }
}

/// Compares and converts ranges of bytes.
extension [UInt8] {
    /// Whether a range begins with a word.
    @inline(__always)
    func begins(_ range: Range<Int>, _ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard range.count >= count else { return false }
        for offset in 0..<count where self[range.lowerBound + offset] != word.utf8Start[offset] { return false }
        return true
    }

    /// Whether a range equals a word.
    @inline(__always)
    func equals(_ range: Range<Int>, _ word: StaticString) -> Bool {
        range.count == word.utf8CodeUnitCount && begins(range, word)
    }

    /// Number of the decimal digits in a range; nil for any other bytes, and for more than 18 digits.
    @inline(__always)
    func digits(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 18 else { return nil }
        var sum = 0
        for index in range {
            let digit = Int(self[index]) - 48
            guard digit >= 0, digit <= 9 else { return nil }
            sum = sum * 10 + digit
        }
        return sum
    }

    /// A hash of the bytes of a range.
    ///
    /// Each word of eight bytes is combined with the hash by XOR. The result is multiplied, as FNV-1a does with single
    /// bytes. A shift then mixes the bits.
    func hash(_ range: Range<Int>) -> UInt64 {
        withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[range])
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(part.count)
            func add(_ word: UInt64) {
                hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
                hash ^= hash >> 29
            }
            var index = 0
            while index + 8 <= part.count {
                add(part.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index += 8
            }
            var rest: UInt64 = 0
            while index < part.count {
                rest = rest << 8 | UInt64(part[index])
                index += 1
            }
            add(rest)
            return hash
        }
    }

    /// Whether a range has the same content as an array.
    @inline(__always)
    func equals(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        return withUnsafeBytes { bytes in
            other.withUnsafeBytes { other in
                guard let base = other.baseAddress, let own = UnsafeRawBufferPointer(rebasing: bytes[range]).baseAddress
                else { return true }
                return memcmp(own, base, range.count) == 0
            }
        }
    }

    /// The text of a range.
    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}
