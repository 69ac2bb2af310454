// SPDX-License-Identifier: GPL-3.0-or-later

/// One parameter of a policy, as in `periodic[every=15min]`.
public struct PolicyParameter: Sendable {
    /// The dimension a parameter's value must have.
    public enum Dimension: Sendable, Equatable {
        case number, fraction, duration, energy, power, bytes
        /// One of these words, in kebab-case; the value is the index of the word, from 0.
        case choice([String])
    }

    /// Name in kebab-case.
    public let name: String
    /// What the value must be written in.
    public let dimension: Dimension
    /// The value when none is given, in SI base units (seconds, joules, watts, bytes; a fraction from 0 to 1).
    public let defaultValue: Double
    /// The smallest and largest value allowed, in the same unit.
    public let range: ClosedRange<Double>
    /// What it does, and its source or that it is an assumption.
    public let meaning: String

    /// Creates a parameter that no property holds; a policy of the package declares a `Parameter` in its entry instead.
    public init(
        name: String, dimension: Dimension, defaultValue: Double, range: ClosedRange<Double>, meaning: String
    ) {
        self.name = name
        self.dimension = dimension
        self.defaultValue = defaultValue
        self.range = range
        self.meaning = meaning
    }
}

/// The values a policy was asked for with: one per parameter of its descriptor, in the descriptor's order.
public struct PolicyArguments: Sendable {
    /// Values in SI base units.
    public let values: [Double]
    /// Bits that no other stream of the run shares, for a policy that draws.
    public let seed: UInt64

    /// Creates arguments; `values` has one entry per parameter of the descriptor.
    public init(values: [Double], seed: UInt64) {
        self.values = values
        self.seed = seed
    }
}
