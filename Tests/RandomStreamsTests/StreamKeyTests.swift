// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import RandomStreams

@Suite struct StreamKeyTests {
    /// Key and message are the bytes 0, 1, 2, ...; checked against `openssl mac -macopt size:16 SIPHASH`.
    @Test(arguments: [
        (0, 0xE6A8_25BA_047F_81A3 as UInt64, 0x9302_55C7_1472_F66D as UInt64),
        (1, 0x44AF_996B_D8C1_87DA, 0x45FC_229B_1159_7634),
        (15, 0x11A8_B033_99E9_9354, 0xD9C3_CF97_0FEC_087E),
    ])
    func `SipHash gives the values that OpenSSL gives`(length: Int, low: UInt64, high: UInt64) {
        var hash = SipHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
        for byte in 0..<length { hash.append(UInt8(byte)) }
        let found = hash.finish()
        #expect(found.low == low)
        #expect(found.high == high)
    }

    @Test func `the same key always gives the same numbers`() {
        var stream = RandomStream(seed: 20_260_101, replication: 3, entity: "mail", purpose: "visit lengths")
        let expected: [UInt64] = [
            9_310_389_421_776_576_771, 5_688_266_023_646_875_388, 11_626_372_429_267_591_941,
            15_052_916_977_796_024_785,
        ]
        #expect(expected.map { _ in stream.nextBits() } == expected)
        var other = RandomStream(StreamKey(seed: 0, replication: 0, entity: "", purpose: ""))
        #expect(other.nextBits() == 8_264_890_572_705_285_767)
    }

    @Test func `every part of the key counts and the parts cannot run into each other`() {
        let keys = [
            StreamKey(seed: 1, replication: 2, entity: "ab", purpose: "cd"),
            StreamKey(seed: 2, replication: 1, entity: "ab", purpose: "cd"),
            StreamKey(seed: 1, replication: -2, entity: "ab", purpose: "cd"),
            StreamKey(seed: 1, replication: 2, entity: "abc", purpose: "d"),
            StreamKey(seed: 1, replication: 2, entity: "a", purpose: "bcd"),
            StreamKey(seed: 1, replication: 2, entity: "", purpose: "abcd"),
            StreamKey(seed: 1, replication: 2, entity: "abcd", purpose: ""),
            StreamKey(seed: 1, replication: 2, entity: "cd", purpose: "ab"),
            StreamKey(seed: 1, replication: 2, entity: "ab", purpose: "cd\0"),
        ]
        let first = keys.map { key in
            var stream = RandomStream(key)
            return stream.nextBits()
        }
        #expect(Set(first).count == keys.count)
    }

    @Test func `a new app, another draw or another order of creation changes no other stream`() {
        func draws(of app: String, amid apps: [String], extraDraws: Int) -> [UInt64] {
            var streams = apps.map { RandomStream(seed: 7, replication: 1, entity: $0, purpose: "pushes") }
            var result: [UInt64] = []
            for _ in 0..<100 {
                for index in streams.indices {
                    if apps[index] == app {
                        result.append(streams[index].nextBits())
                    } else {
                        for _ in 0...extraDraws { _ = streams[index].normal() }
                    }
                }
            }
            return result
        }
        let alone = draws(of: "mail", amid: ["mail"], extraDraws: 0)
        #expect(draws(of: "mail", amid: ["chat", "mail", "news"], extraDraws: 0) == alone)
        #expect(draws(of: "mail", amid: ["news", "maps", "chat", "mail"], extraDraws: 5) == alone)
    }

    @Test func `a stream is a value of 32 bytes`() {
        #expect(MemoryLayout<RandomStream>.size == 32)
        var original = RandomStream(seed: 1, replication: 1, entity: "a", purpose: "b")
        var copy = original
        #expect(original.nextBits() == copy.nextBits())
        #expect(original == copy)
    }
}
