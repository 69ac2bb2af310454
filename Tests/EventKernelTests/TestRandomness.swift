// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import Quantities
import Testing

/// A small generator of its own, so that the kernel's tests need no other module (SplitMix64).
struct TestRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func bits() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(bits() % UInt64(bound)) }

    mutating func uniform() -> Double { Double(bits() >> 11) * 0x1p-53 }
}

/// The ways in which the tests draw how far ahead an event is.
enum Spacing: CaseIterable, CustomTestStringConvertible {
    case exponential, uniform, manyTies, hyperexponential

    var testDescription: String { "\(self)" }

    func draw(_ random: inout TestRandom) -> SimDuration {
        switch self {
        case .exponential: nanoseconds(1e6 * exponential(&random))
        case .uniform: nanoseconds(2e6 * random.uniform())
        case .manyTies: SimDuration(nanoseconds: Int64(random.below(5)) * 16_666_667)
        case .hyperexponential: nanoseconds((random.below(10) == 0 ? 1.9e9 : 1e2) * exponential(&random))
        }
    }

    private func exponential(_ random: inout TestRandom) -> Double {
        // -log(u) without a mathematics library: the sum of the halvings u survives, good enough to spread times.
        var rest = random.uniform() + 0x1p-60
        var doublings = 0.0
        while rest < 0.5 {
            rest *= 2
            doublings += 1
        }
        return 0.693 * (doublings + 2 - 2 * rest)
    }

    private func nanoseconds(_ value: Double) -> SimDuration { SimDuration(nanoseconds: Int64(value)) }
}
