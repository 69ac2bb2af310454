// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// What a stream of random numbers belongs to; equal keys give equal streams, different keys unrelated ones.
///
/// The key is written out without ambiguity (seed and replication as 8 little-endian bytes each, then length and UTF-8
/// bytes of the entity, then length and UTF-8 bytes of the purpose) and hashed by SipHash-2-4 to 128 bits; SplitMix64
/// spreads these over the 256 bits of the generator. With 10^9 streams in use the chance that any two coincide is
/// below 10^-20, and xoshiro256++ makes overlaps of streams shorter than 2^64 draws as improbable.
public struct StreamKey: Hashable, Sendable {
    /// The seed of the experiment.
    public var seed: UInt64
    /// The number of the replication, the same for every policy and sweep point.
    public var replication: Int
    /// The name of the entity that draws, for instance of an app; never an index.
    public var entity: String
    /// What the numbers are for, for instance "visit lengths".
    public var purpose: String

    /// Creates a key.
    public init(seed: UInt64, replication: Int, entity: String, purpose: String) {
        self.seed = seed
        self.replication = replication
        self.entity = entity
        self.purpose = purpose
    }

    /// The first state of the generator that belongs to this key.
    var generator: Xoshiro256PlusPlus {
        var hash = SipHash(key: (0x2073_746F_6C66_7465, 0x6D61_6572_7473_2031))
        hash.append(seed)
        hash.append(UInt64(bitPattern: Int64(replication)))
        hash.append(entity)
        hash.append(purpose)
        let (low, high) = hash.finish()
        var first = SplitMix64(low)
        var second = SplitMix64(high)
        let state = (first.next(), second.next(), first.next(), second.next())
        // Xoshiro has one forbidden state, all zero, which this step reaches with probability 2^-128.
        return Xoshiro256PlusPlus(state.0 | (state.1 | state.2 | state.3 == 0 ? 1 : 0), state.1, state.2, state.3)
    }
}
