// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Foundation
import TestSupport
import Testing

@testable import Recording

@Suite struct GzipFileTests {
    /// The checksum of RFC 1952, section 8, bit by bit.
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xedb8_8320 ^ (rest >> 1) : rest >> 1 }
        }
    }

    @Test(arguments: [0, 1, 300_000, 600_000]) func `a file ends in the checksum and length of its content`(count: Int)
        throws
    {
        // Noise, which nothing packs: of the larger ones the last write fills one block of 256 KiB and two.
        var state = UInt64(count) + 1
        let content = (0..<count).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        let folder = try TemporaryFolder()
        let file = try OutputFile(creating: folder.path + "/a.gz")
        var packed = try GzipFile(file)
        try packed.write(content, to: file)
        try packed.finish(file)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path + "/a.gz")))
        #expect(bytes.prefix(3) == [0x1f, 0x8b, 8] && bytes.count > count)
        func number(_ part: ArraySlice<UInt8>) -> UInt32 { part.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        #expect(number(bytes.dropLast(4).suffix(4)) == checksum(content))
        #expect(number(bytes.suffix(4)) == UInt32(count))
    }
}
