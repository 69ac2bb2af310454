// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct SignFlipsTests {
    /// Three comparisons over eight replications, of which the third has seven.
    private static let three: [[Double]] = [
        [3, 1, 4, 1, 5, 9, 2, 6], [2, -1, 3, 0, 2, 4, 1, 2], [-1, 2, .nan, 1, -2, 3, 1, -1],
    ]

    /// Expected: counted by `max_t` of Tests/Reference, over all 128 ways to sign eight pairs.
    @Test func `all ways to change signs are counted, over all comparisons`() {
        let flips = SignFlips(Self.three, level: 0.95)
        #expect(flips.p.map { $0 * 128 } == [5, 8, 119])
        #expect(abs(flips.reach - 2.876_234_914_084_731) < 1e-12)
        let alone = Self.three.map { SignFlips([$0], level: 0.95).p[0] * 128 }
        #expect(alone == [1, 6, 88])
    }

    @Test func `an exact copy of a policy leaves every p-value and interval as it is`() {
        let alone = SignFlips(Self.three, level: 0.95)
        let copied = SignFlips(Self.three + [Self.three[1], Self.three[0]], level: 0.95)
        #expect(copied.p == alone.p + [alone.p[1], alone.p[0]])
        #expect(copied.reach == alone.reach)
    }

    /// Charles Darwin's maize, crossed less self-fertilised, in eighths of an inch.
    ///
    /// Expected: R. A. Fisher, The Design of Experiments, 1935, section 21, counts 1,726 of 32,768 ways: 5.267 %; the
    /// margin is four standard errors. 448 is what `max_t` of Tests/Reference counts with the same signs.
    @Test func `drawn signs come near all signs`() {
        let maize: [Double] = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
        let p = SignFlips([maize], level: 0.95).p[0]
        #expect(abs(p - 1_726.0 / 32_768) < 0.01)
        #expect(p * 8_192 == 448)
    }

    @Test func `signs beyond the sixty-fourth pair are drawn as well`() {
        // Of six pairs that differ one way of 32 has all signs alike.
        let p = SignFlips([[Double](repeating: 0, count: 64) + [1, 1, 1, 1, 1, 1]], level: 0.95).p[0]
        #expect(abs(p - 1.0 / 32) < 0.008)
    }

    @Test func `identical policies have the p-value 1, and five pairs decide nothing at 95 %`() {
        func p(_ differences: [Double]...) -> [Double] { SignFlips(differences, level: 0.95).p }
        #expect(p([0, 0, 0, 0, 0, 0, 0], [1, 1.1, 1.2, 1, 1.3, 1.1, 1]) == [1, 0.015625])
        #expect(p([1, 1.1, 1.2, 1, 1.3]) == [0.0625])
        #expect(p([1, 1.1, 1.2, 1, 1.3, 1.2]) == [0.03125])
        // Pairs that do not differ add nothing.
        #expect(p([1, 0, 1.1, 0, 1.2, 1, 0, 1.3]) == [0.0625])
        #expect(p() == [])
        #expect(p([5]) == [1])
    }

    @Test(arguments: [0.9, 0.95, 0.99]) func `an interval leaves out zero exactly if p is small enough`(level: Double) {
        var without = 0
        for shift in 0..<80 {
            let lists = Self.three.map { list in list.map { $0 - Double(shift) / 4 } }
            let flips = SignFlips(lists, level: level)
            for (list, p) in zip(lists, flips.p) {
                let known = list.filter(\.isFinite)
                let mean = known.reduce(0, +) / Double(known.count)
                let squares = known.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
                let error = (squares / Double(known.count * (known.count - 1))).squareRoot()
                #expect((abs(mean) > flips.reach * error) == (p <= 1 - level), "shifted by \(shift)")
                if p <= 1 - level { without += 1 }
            }
        }
        #expect(without > 20)
    }

    @Test func `an interval is never made narrower`() {
        let changes = [3.0, 1, 4, 1, 5, 9, 2, 6]
        let own = PairedComparison(ofDifferences: changes)
        #expect(own.reaching(standardErrors: 0.1) == own)
        let wide = own.reaching(standardErrors: 4)
        // Mean 31/8, variance 52.875/7, standard error 0.9717.
        #expect(abs(wide.high - 7.761_792) < 1e-4)
        #expect(abs(wide.low + 0.011_792) < 1e-4)
        #expect(wide.p == own.p && wide.difference == own.difference)
    }
}
