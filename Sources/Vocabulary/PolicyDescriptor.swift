// SPDX-License-Identifier: GPL-3.0-or-later

/// Description of a policy for users, with the facts from which `check` detects a wrong use of the policy.
public struct PolicyDescriptor: Sendable {
    /// Name in experiment files, in kebab-case.
    public let name: String
    /// One sentence for `flotsam list policies`.
    public let summary: String
    /// Paper, documentation or source file from which the rule comes.
    public let source: String
    /// Parameters that can follow the name in brackets; an entry adds the parameters that it declares.
    public internal(set) var parameters: [PolicyParameter]
    /// A scheduling policy's own rules, in the order of their raw values (`Rule.texts`).
    public let rules: [RuleText]
    /// Whether the policy reads the future.
    ///
    /// An oracle is a heuristic with foresight and is not compared as a competitor.
    public let isOracle: Bool
    /// Whether the policy has its own trigger or kills a set of processes; `compare` reports this.
    public let replacesTrigger: Bool
    /// The operating system that contains the policy; nil if none does.
    public let family: SystemFamily?
    /// Whether the policy's source ranks only apps of the user.
    ///
    /// Daemons and extensions are then killed in the system's order, unless the experiment has `ranks: all`.
    public let meansApps: Bool
    /// Parts of a workload that the policy requires; `check` refuses a recording that lacks them.
    public let needs: WorkloadNeeds

    /// Creates a description; by default without own rules, flags and needs.
    ///
    /// Pass `parameters` only for a policy of foreign code; otherwise, an entry sets them.
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

    /// The arguments of a policy that is named without brackets.
    public func defaultArguments(seed: UInt64) -> PolicyArguments {
        PolicyArguments(values: parameters.map(\.defaultValue), seed: seed)
    }
}

/// Parts of a workload or of a phone that a policy can need.
///
/// A persona has all parts of a workload; a recording may lack some.
public struct WorkloadNeeds: OptionSet, Sendable {
    /// One bit per part.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Opens of apps.
    public static let apps = WorkloadNeeds(rawValue: 1)
    /// Connecting and disconnecting the charger.
    public static let charging = WorkloadNeeds(rawValue: 2)
    /// Wi-Fi and cellular.
    public static let network = WorkloadNeeds(rawValue: 4)
    /// A radio that stays on for a while after a transfer; a property of the device.
    public static let radioTail = WorkloadNeeds(rawValue: 8)

    /// Names of the parts, as in workload files.
    public var names: [String] {
        let table: [(WorkloadNeeds, String)] = [(.apps, "apps"), (.charging, "charging"), (.network, "network")]
        return table.filter { contains($0.0) }.map(\.1)
    }
}
