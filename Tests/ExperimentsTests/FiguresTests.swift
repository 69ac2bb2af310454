// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Glibc
import Measures
import Phone
import RandomStreams
import Statistics
import Testing

/// Numbers as sentences and tables print them.
@Suite struct FiguresTests {
    /// Powers of ten from the smallest to the largest, special values, and numbers of random bits.
    private static var numbers: [Double] {
        let powers = (-300...300).flatMap { power in [1, 1.5, 9.9996].map { $0 * pow(10, Double(power)) } }
        let special = [0, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-9, 1e-9.nextUp, 0.04999, 999.96, 9999.6]
        var stream = RandomStream(seed: 33, replication: 0, entity: "figures", purpose: "any number")
        let random = (0..<2_000).map { _ in Double(bitPattern: stream.nextBits()) }.filter(\.isFinite)
        return (powers + special + random).filter { abs($0) < 1e300 }.flatMap { [$0, -$0] }
    }

    private static func printed(_ value: Double) -> [String] {
        (2...4).map { Figures.short(value, digits: $0) } + [
            Figures.rough(value), Figures.signed(value), Figures.percent(value / 100), Figures.points(value),
        ]
    }

    @Test func `no number below the tolerance has digits, and none is a negative zero`() {
        for value in Self.numbers {
            for text in Self.printed(value) {
                #expect(text.wholeMatch(of: #/[-+]0(\.0*)?( %| points)?/#) == nil, "\(value): \(text)")
                if abs(value) < PairedComparison.resolution {
                    #expect(["0", "0.0 %", "0.0 points"].contains(text), "\(value): \(text)")
                }
                if abs(value) < 1e15 { #expect(!text.contains("e"), "\(value): \(text)") }
            }
        }
    }

    @Test func `a printed number is the number, to the digits that were asked for`() throws {
        for value in Self.numbers where abs(value) >= PairedComparison.resolution {
            for digits in 2...4 {
                let read = try #require(Double(Figures.short(value, digits: digits)))
                #expect(abs(read - value) <= abs(value) * pow(10, Double(1 - digits)) * 0.5000001)
            }
        }
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (28, "28"), (20.5, "20.5"), (100_000, "100000"), (123_456.4, "123456"), (0.1, "0.1"),
        (4.543e-07, "0.0000004543"), (-1.427e-16, "0"), (1e-9, "0.000000001"), (1e-5, "0.00001"), (1e15, "1e15"),
        (-2.5e18, "-2.5e18"),
    ])
    func `round numbers stay readable`(value: Double, text: String) {
        #expect(Figures.short(value) == text)
    }

    @Test(
        arguments: [
            (180e6, "90 MB instead of 180 MB"), (419_430_400, "200 MiB instead of 400 MiB"),
            (1_073_741_824, "512 MiB instead of 1 GiB"), (1e9, "500 MB instead of 1 GB"),
            (1500, "750 B instead of 1.5 kB"), (150_000_000, "75 MB instead of 150 MB"),
        ] as [(Double, String)])
    func `sizes keep the family of units in which they were written`(bytes: Double, text: String) {
        #expect("\(Figures.size(bytes / 2, like: bytes)) instead of \(Figures.size(bytes, like: bytes))" == text)
    }

    @Test(arguments: [(0.0, "0 B"), (999, "999 B"), (2e6, "2 MB"), (1_240_000, "1.2 MB"), (5.5e13, "55 TB")])
    func `sizes on disk are whole where they are`(bytes: Double, text: String) {
        #expect(Figures.bytes(bytes) == text)
    }

    /// Six per cent less by rounding of differences that cancel: what `compare` called 6.6e-21 % fewer.
    @Test func `differences that cancel are no change, and have no p-value`() throws {
        let metrics = MetricList(MetricCatalog.catalogue)
        let entry = metrics.entries[try #require(metrics.index(of: "relaunches_per_day"))]
        let steps = [0.1, 0.2, -0.3, 0.4, -0.4, 0.7, -0.7]
        let paired = PairedComparison(
            baseline: steps.map { _ in 10.1 }, alternative: steps.map { 10.1 + $0 })
        #expect(paired.difference == 0 && paired.relative == 0 && paired.p == 1 && paired.differing == 7)
        #expect(paired.low < 0 && paired.high > 0)
        let change = Change(paired, entry)
        #expect(change.isNone && change.amount == "no change" && change.interval.hasSuffix("] %"))
        #expect(change.of.hasPrefix("no change in relaunches per day [-"))
    }
}
