// SPDX-License-Identifier: GPL-3.0-or-later

/// A small random generator for policies (SplitMix64: Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).
public struct PolicyRandom: Sendable {
    private var state: UInt64

    /// Creates a generator from a policy's seed.
    public init(seed: UInt64) { state = seed }

    /// A random number, uniform in [0, 1).
    public mutating func nextUniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z &>> 31
        return Double(z &>> 11) * 0x1p-53
    }
}
