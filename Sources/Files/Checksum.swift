// SPDX-License-Identifier: GPL-3.0-or-later

/// A running 64-bit FNV-1a hash, which detects torn and flipped bytes and makes names from contents.
///
/// The hash does not protect against an adversary. Source: Fowler, Noll, Vo; IETF draft-eastlake-fnv.
public struct Checksum: Sendable, Equatable {
    /// Hash of the bytes so far.
    public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Creates the hash of no bytes.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        var hash = value
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        value = hash
    }

    /// Adds a text and then a byte that no text contains, so that the boundary between two parts changes the hash.
    public mutating func add(part text: String) {
        add(text.utf8)
        add(CollectionOfOne(0xff))
    }

    /// Hash of some bytes.
    public static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }
}
