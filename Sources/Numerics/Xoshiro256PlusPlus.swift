// SPDX-License-Identifier: GPL-3.0-or-later

/// The generator xoshiro256++: 256 bits of state, period 2^256 - 1, one 64-bit word per step.
///
/// The state is a plain value: copying it copies the generator. The functions are inlinable because every event of a
/// simulation may draw.
///
/// Source: D. Blackman and S. Vigna, Scrambled linear pseudorandom number generators, ACM Transactions on Mathematical
/// Software 47 (2021), doi:10.1145/3460772.
@frozen
public struct Xoshiro256PlusPlus: BitwiseCopyable, Sendable, Equatable {
    @usableFromInline var s0: UInt64
    @usableFromInline var s1: UInt64
    @usableFromInline var s2: UInt64
    @usableFromInline var s3: UInt64

    /// Creates a generator in a given state.
    /// - Precondition: not all four words are zero.
    @inlinable
    public init(_ s0: UInt64, _ s1: UInt64, _ s2: UInt64, _ s3: UInt64) {
        guard s0 | s1 | s2 | s3 != 0 else { fatalError("the generator's state must not be zero") }
        self.s0 = s0
        self.s1 = s1
        self.s2 = s2
        self.s3 = s3
    }

    /// The next 64 random bits.
    @inlinable @inline(__always)
    public mutating func next() -> UInt64 {
        let sum = s0 &+ s3
        let result = ((sum &<< 23) | (sum &>> 41)) &+ s0
        let shifted = s1 &<< 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 &<< 45) | (s3 &>> 19)
        return result
    }

    /// A number uniform on [0, 1), a multiple of 2^-53.
    @inlinable @inline(__always)
    public mutating func uniform() -> Double {
        Double(Int64(truncatingIfNeeded: next() &>> 11)) * 0x1p-53
    }
}
