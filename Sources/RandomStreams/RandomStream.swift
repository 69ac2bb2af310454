// SPDX-License-Identifier: GPL-3.0-or-later

public import Numerics

/// A stream of random numbers that belongs to one key.
///
/// A stream is a plain value of 32 bytes. A copy continues with the same numbers, so draw from the stored stream, not
/// from a copy. The functions are inlinable because they run once per event.
///
///     var visits = RandomStream(StreamKey(seed: 1, replication: 0, entity: "mail", purpose: "visit lengths"))
///     let seconds = visits.exponential(mean: 40)
@frozen
public struct RandomStream: BitwiseCopyable, Sendable, Equatable {
    @usableFromInline var generator: Xoshiro256PlusPlus

    /// Creates the stream that belongs to a key.
    public init(_ key: StreamKey) { generator = key.generator }

    /// Creates the stream that belongs to a seed, a replication, an entity's name and a purpose.
    public init(seed: UInt64, replication: Int, entity: String, purpose: String) {
        self.init(StreamKey(seed: seed, replication: replication, entity: entity, purpose: purpose))
    }

    /// The next 64 random bits.
    @inlinable @inline(__always)
    public mutating func nextBits() -> UInt64 { generator.next() }

    /// A number uniform on [0, 1), as a multiple of 2^-53.
    @inlinable @inline(__always)
    public mutating func uniform() -> Double { generator.uniform() }

    /// A number uniform between two bounds, excluding the upper one (up to rounding).
    @inlinable @inline(__always)
    public mutating func uniform(from low: Double, to high: Double) -> Double { low + (high - low) * uniform() }

    /// True with this probability.
    @inlinable @inline(__always)
    public mutating func bernoulli(_ probability: Double) -> Bool { uniform() < probability }

    /// An integer from 0 up to but not including a bound; each is equally likely.
    ///
    /// Source: D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019), doi:10.1145/3230636.
    /// - Precondition: the bound is positive.
    @inlinable
    public mutating func integer(below bound: Int) -> Int {
        guard bound > 0 else { fatalError("a random integer needs a positive bound") }
        let range = UInt64(bound)
        var product = nextBits().multipliedFullWidth(by: range)
        if product.low < range {
            let threshold = (0 &- range) % range
            while product.low < threshold { product = nextBits().multipliedFullWidth(by: range) }
        }
        return Int(product.high)
    }

    /// An exponential variable by the ziggurat method.
    ///
    /// - Parameter mean: positive, in the unit of the result.
    @inlinable @inline(__always)
    public mutating func exponential(mean: Double) -> Double { mean * exponential() }

    /// An exponential variable with mean 1 by the ziggurat method.
    @inlinable @inline(__always)
    public mutating func exponential() -> Double {
        let bits = generator.next()
        let layer = exponentialLayers[Int(truncatingIfNeeded: bits & 255)]
        let position = Int64(truncatingIfNeeded: bits &>> 11)
        if position < layer.inside { return Double(position) * layer.width }
        return Ziggurat.exponentialEdge(bits, &generator)
    }

    /// A normal variable with mean 0 and standard deviation 1 by the ziggurat method.
    @inlinable @inline(__always)
    public mutating func normal() -> Double {
        let bits = generator.next()
        let layer = normalLayers[Int(truncatingIfNeeded: bits & 255)]
        let position = Int64(truncatingIfNeeded: bits &>> 11)
        if position < layer.inside {
            return Ziggurat.signed(Double(position) * layer.width, by: bits)
        }
        return Ziggurat.normalEdge(bits, &generator)
    }

    /// A normal variable.
    @inlinable @inline(__always)
    public mutating func normal(mean: Double, sd: Double) -> Double { mean + sd * normal() }
}
