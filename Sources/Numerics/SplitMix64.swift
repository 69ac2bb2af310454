// SPDX-License-Identifier: GPL-3.0-or-later

/// The generator SplitMix64, used to spread a number over the state of a larger generator.
///
/// Source: G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014,
/// doi:10.1145/2660193.2660195.
public struct SplitMix64: BitwiseCopyable, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    public init(_ seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
