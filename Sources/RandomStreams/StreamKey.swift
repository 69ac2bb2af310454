// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Key of a stream of random numbers; equal keys give equal streams, different keys give unrelated streams.
///
/// The key has an unambiguous byte form. Seed and replication are 8 little-endian bytes each. The entity and then the
/// purpose follow, each as length and UTF-8 bytes. SipHash-2-4 hashes these bytes to 128 bits, and SplitMix64 expands
/// the hash to the 256 bits of the generator. With 10^9 streams in use, the probability that any two are equal is below
/// 10^-20. Overlaps of xoshiro256++ streams are equally improbable up to 2^64 draws for each stream.
public struct StreamKey: Hashable, Sendable {
    /// The seed of the experiment.
    public var seed: UInt64
    /// The number of the replication, equal for every policy and sweep point.
    public var replication: Int
    /// The name of the entity that draws, for instance the name of an app; never an index.
    public var entity: String
    /// Purpose of the numbers, for instance "visit lengths".
    public var purpose: String

    /// Creates a key.
    public init(seed: UInt64, replication: Int, entity: String, purpose: String) {
        self.seed = seed
        self.replication = replication
        self.entity = entity
        self.purpose = purpose
    }

    /// Initial state of the generator for this key.
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
        // Xoshiro has one forbidden state, all zeros; this expression would reach it with probability 2^-128.
        return Xoshiro256PlusPlus(state.0 | (state.1 | state.2 | state.3 == 0 ? 1 : 0), state.1, state.2, state.3)
    }
}
