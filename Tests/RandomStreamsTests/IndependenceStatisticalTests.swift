// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics
import RandomStreams
import Testing

/// Seeds are fixed; each limit would be crossed with probability 1e-4 or less by sound streams.
@Suite struct IndependenceStatisticalTests {
    static let neighbours: [(StreamKey, StreamKey)] = [
        (key(seed: 1), key(seed: 2)), (key(seed: 0), key(seed: 1 << 63)),
        (key(replication: 0), key(replication: 1)), (key(replication: 41), key(replication: 42)),
        (key(entity: "a"), key(entity: "b")), (key(entity: "app-1"), key(entity: "app-10")),
        (key(purpose: "visits"), key(purpose: "visitt")), (key(seed: 1, replication: 2), key(seed: 2, replication: 1)),
    ]

    static func key(
        seed: UInt64 = 5, replication: Int = 0, entity: String = "mail", purpose: String = "visits"
    ) -> StreamKey {
        StreamKey(seed: seed, replication: replication, entity: entity, purpose: purpose)
    }

    @Test(arguments: neighbours)
    func `neighbouring streams are unrelated`(pair: (StreamKey, StreamKey)) {
        var left = RandomStream(pair.0)
        var right = RandomStream(pair.1)
        let draws = 100_000
        var cells = [Int](repeating: 0, count: 256)
        var differingBits = 0
        var product = 0.0
        for _ in 0..<draws {
            let a = left.nextBits()
            let b = right.nextBits()
            differingBits += (a ^ b).nonzeroBitCount
            cells[Int(a >> 60) * 16 + Int(b >> 60)] += 1
            product += (Double(a >> 11) * 0x1p-53 - 0.5) * (Double(b >> 11) * 0x1p-53 - 0.5)
        }
        #expect(pValueOfEqualCells(cells) > 1e-4)
        // Standard deviations: of a sum of 64 n fair coins, and of a sum of n products of two uniforms (1/12 each).
        #expect(abs(Double(differingBits) - 32 * Double(draws)) < 3.9 * (16 * Double(draws)).squareRoot())
        #expect(abs(product) < 3.9 * Double(draws).squareRoot() / 12)
    }

    @Test(arguments: ["seed", "replication", "entity"])
    func `the first draws of many neighbouring streams are uniform and not serially related`(part: String) {
        let streams = 50_000
        var first: [Double] = []
        for number in 0..<streams {
            let key =
                switch part {
                case "seed": Self.key(seed: UInt64(number))
                case "replication": Self.key(replication: number)
                default: Self.key(entity: "app-\(number)")
                }
            var stream = RandomStream(key)
            first.append(stream.uniform())
        }
        #expect(kolmogorovStatistic(first) { $0 } < kolmogorovLimit)
        let serial = correlation(Array(first.dropLast()), Array(first.dropFirst()))
        #expect(abs(serial) < 3.9 / Double(streams).squareRoot())
    }

    @Test(arguments: 0..<8)
    func `each byte of a stream is uniform`(byte: Int) {
        var stream = RandomStream(Self.key(seed: 99))
        var counts = [Int](repeating: 0, count: 256)
        for _ in 0..<200_000 { counts[Int(stream.nextBits() >> UInt64(8 * byte) & 255)] += 1 }
        #expect(pValueOfEqualCells(counts) > 1e-4)
    }
}
