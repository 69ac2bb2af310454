// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Testing

@Suite struct ChecksumTests {
    /// Test vectors of the reference implementation of Fowler, Noll and Vo (`test_fnv.c`, 64-bit FNV-1a).
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func `the hash is that of the published vectors`(_ text: String, _ value: UInt64) {
        #expect(Checksum.of(text.utf8) == value)
    }

    @Test func `parts do not run together`() {
        func hash(_ parts: [String]) -> UInt64 {
            var checksum = Checksum()
            for part in parts { checksum.add(part: part) }
            return checksum.value
        }
        #expect(hash(["ab", "c"]) != hash(["a", "bc"]))
        #expect(hash(["ab", "c"]) == hash(["ab", "c"]))
    }
}
