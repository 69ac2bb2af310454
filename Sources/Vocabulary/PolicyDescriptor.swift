/// What users are told about a policy, and what `check` needs to refuse a wrong use of it.
public struct PolicyDescriptor: Sendable {
    /// Name in experiment files, in kebab-case.
    public let name: String
    /// One sentence for `flotsam list policies`.
    public let summary: String
    /// Paper, documentation or source file that the rule comes from.
    public let source: String
    /// Parameters that may stand in brackets behind the name.
    public let parameters: [PolicyParameter]
    /// Whether the policy reads the future; such a policy is a bound, not a rival.
    public let isOracle: Bool
    /// Whether the policy brings its own trigger or kills a set, which `compare` then says.
    public let replacesTrigger: Bool
    /// What must happen in the workload for the policy to make sense; `check` refuses a recording that lacks it.
    public let needs: WorkloadNeeds

    /// Creates a description; most policies have no parameters, neither mark and no needs.
    public init(
        name: String, summary: String, source: String, parameters: [PolicyParameter] = [], isOracle: Bool = false,
        replacesTrigger: Bool = false, needs: WorkloadNeeds = []
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.parameters = parameters
        self.isOracle = isOracle
        self.replacesTrigger = replacesTrigger
        self.needs = needs
    }

    /// The arguments of a policy that was named without brackets.
    public func defaultArguments(seed: UInt64) -> PolicyArguments {
        PolicyArguments(values: parameters.map(\.defaultValue), seed: seed)
    }
}

/// Parts of a workload or of a phone that a policy can need; a persona has all of its parts, a recording perhaps not.
public struct WorkloadNeeds: OptionSet, Sendable {
    /// One bit per part.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Which apps are opened.
    public static let apps = WorkloadNeeds(rawValue: 1)
    /// Plugging in and out.
    public static let charging = WorkloadNeeds(rawValue: 2)
    /// Wi-Fi and cellular.
    public static let network = WorkloadNeeds(rawValue: 4)
    /// A radio that stays up for a while after a transfer; a matter of the device.
    public static let radioTail = WorkloadNeeds(rawValue: 8)

    /// The parts of the workload in words, as workload files have them.
    public var names: [String] {
        let table: [(WorkloadNeeds, String)] = [(.apps, "apps"), (.charging, "charging"), (.network, "network")]
        return table.filter { contains($0.0) }.map(\.1)
    }
}

/// One parameter of a policy, as in `periodic[every=15min]`.
public struct PolicyParameter: Sendable {
    /// The dimension a parameter's value must have.
    public enum Dimension: Sendable, Equatable {
        case number, fraction, duration, energy, power, bytes
        /// One of these words, in kebab-case; the value is the place of the word, from 0.
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

    /// Creates a parameter.
    public init(
        name: String, dimension: Dimension, defaultValue: Double, range: ClosedRange<Double>, meaning: String
    ) {
        self.name = name
        self.dimension = dimension
        self.defaultValue = defaultValue
        self.range = range
        self.meaning = meaning
    }

    /// A parameter that takes one of a few words; the first is the default.
    public static func choice(_ name: String, of words: [String], meaning: String) -> PolicyParameter {
        precondition(!words.isEmpty, "policy parameter \(name) has no word to choose")
        return PolicyParameter(
            name: name, dimension: .choice(words), defaultValue: 0, range: 0...Double(words.count - 1),
            meaning: meaning)
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

/// A small generator for policies that draw (SplitMix64: Steele, Lea and Flood 2014, doi:10.1145/2660193.2660195).
public struct PolicyRandom: Sendable {
    private var state: UInt64

    /// Creates a generator from a policy's seed.
    public init(seed: UInt64) { state = seed }

    /// A number uniform in [0, 1).
    public mutating func nextUniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z &>> 31
        return Double(z &>> 11) * 0x1p-53
    }
}
