// SPDX-License-Identifier: GPL-3.0-or-later

/// What users are told about a policy, and what `check` needs to refuse a wrong use of it.
public struct PolicyDescriptor: Sendable {
    /// Name in experiment files, in kebab-case.
    public let name: String
    /// One sentence for `flotsam list policies`.
    public let summary: String
    /// Paper, documentation or source file the rule comes from.
    public let source: String
    /// Parameters that may stand in brackets behind the name; an entry fills them in from what it declares.
    public internal(set) var parameters: [PolicyParameter]
    /// The rules that a scheduling policy brings itself, in the order of their raw values (`Rule.texts`).
    public let rules: [RuleText]
    /// Whether the policy reads the future; such a policy is a heuristic with foresight, not a rival.
    public let isOracle: Bool
    /// Whether the policy brings its own trigger or kills a set, which `compare` then says.
    public let replacesTrigger: Bool
    /// Whose system ships it; nil for one that no system ships.
    public let family: SystemFamily?
    /// Whether its source ranks apps of the user only; daemons and extensions then die in the system's order, unless
    /// the experiment says `ranks: all`.
    public let meansApps: Bool
    /// What must happen in the workload for the policy to make sense; `check` refuses a recording that lacks it.
    public let needs: WorkloadNeeds

    /// Creates a description; most policies have no rules of their own, neither mark and no needs.
    ///
    /// `parameters` are those of a policy of foreign code; an entry fills in the others.
    public init(
        name: String, summary: String, source: String, rules: [RuleText] = [],
        isOracle: Bool = false, replacesTrigger: Bool = false, family: SystemFamily? = nil,
        needs: WorkloadNeeds = [], meansApps: Bool = false, parameters: [PolicyParameter] = []
    ) {
        self.name = name
        self.summary = summary
        self.source = source
        self.parameters = parameters
        self.rules = rules
        self.isOracle = isOracle
        self.replacesTrigger = replacesTrigger
        self.family = family
        self.needs = needs
        self.meansApps = meansApps
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
