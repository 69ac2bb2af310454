// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams

/// Random numbers, one stream.
enum RandomCase {
    static let draws = 20_000_000

    static func run(into report: Report) {
        var stream = RandomStream(seed: 1, replication: 0, entity: "bench", purpose: "draws")
        report.add("random", "bits", 1, measure { $0 ^ stream.nextBits() }, "ns/draw")
        report.add("random", "uniform", 1, measure { $0 &+ stream.uniform().bitPattern }, "ns/draw")
        report.add("random", "exponential", 1, measure { $0 &+ stream.exponential().bitPattern }, "ns/draw")
        report.add("random", "normal", 1, measure { $0 &+ stream.normal().bitPattern }, "ns/draw")
    }

    @inline(__always)
    private static func measure(_ step: (UInt64) -> UInt64) -> Double {
        Measurement.nanoseconds(operations: draws) {
            var sum: UInt64 = 0
            for _ in 0..<draws { sum = step(sum) }
            keep(sum)
        }
    }
}
