// SPDX-License-Identifier: GPL-3.0-or-later

/// One parameter of a policy, as in `periodic[every=15min]`.
public struct PolicyParameter: Sendable {
    /// Dimension of a parameter's value.
    public enum Dimension: Sendable, Equatable {
        case number, fraction, duration, energy, power, bytes
        /// One of these words, in kebab-case; the value is the index of the word, from 0.
        case choice([String])
    }

    /// Name in kebab-case.
    public let name: String
    /// Dimension in which the value must be written.
    public let dimension: Dimension
    /// Default value, in SI base units (seconds, joules, watts, bytes; a fraction from 0 to 1).
    public let defaultValue: Double
    /// The smallest and largest value allowed, in the unit of `defaultValue`.
    public let range: ClosedRange<Double>
    /// Effect of the parameter, and its source, or the remark that it is an assumption.
    public let meaning: String

    /// Creates a parameter that belongs to no property.
    ///
    /// Policies of the package declare a `Parameter` in their entry instead.
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

/// The parameter values of a policy in an experiment, in the order of the policy's descriptor.
public struct PolicyArguments: Sendable {
    /// Values in SI base units.
    public let values: [Double]
    /// Seed for a policy with random draws; no other stream of the run has the same bits.
    public let seed: UInt64

    /// Creates arguments; `values` has one entry per parameter of the descriptor.
    public init(values: [Double], seed: UInt64) {
        self.values = values
        self.seed = seed
    }
}
