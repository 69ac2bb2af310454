// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Numerics

@Suite struct GeneratorTests {
    @Test func `xoshiro256++ gives the reference sequence`() {
        // Output of the authors' C code for the state (1, 2, 3, 4).
        var generator = Xoshiro256PlusPlus(1, 2, 3, 4)
        let expected: [UInt64] = [
            41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
        ]
        #expect(expected.map { _ in generator.next() } == expected)
    }

    @Test func `SplitMix64 gives the reference sequence`() {
        var generator = SplitMix64(1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect(expected.map { _ in generator.next() } == expected)
    }

    @Test func `GSL draws exactly the uniform numbers that Swift draws`() {
        var ours = Xoshiro256PlusPlus(1, 2, 3, 4)
        var lent = ours
        for _ in 0..<1000 { #expect(lent.uniformByGSL() == ours.uniform()) }
        #expect(lent == ours)
    }
}
