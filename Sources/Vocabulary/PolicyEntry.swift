// SPDX-License-Identifier: GPL-3.0-or-later

/// An eviction policy that experiment files can name.
public struct EvictionPolicyEntry: Sendable {
    /// Name, source and parameters.
    public let descriptor: PolicyDescriptor
    /// Creates the policy for one run.
    public let make: @Sendable (PolicyArguments) -> any EvictionPolicy

    /// Creates an entry of a policy without parameters; a policy with random draws takes the seed from the arguments.
    public init(_ descriptor: PolicyDescriptor, make: @escaping @Sendable (PolicyArguments) -> any EvictionPolicy) {
        self.descriptor = descriptor
        self.make = make
    }

    /// Creates an entry of a policy whose parameters are its own properties; the values of `policy` are the defaults.
    public init<Policy: EvictionPolicy>(
        _ descriptor: PolicyDescriptor, _ policy: Policy, _ parameters: Parameter<Policy>...
    ) {
        self.init(descriptor, policy, parameters) { policy, _ in policy }
    }

    /// Creates an entry of a policy that is made from settings with parameters, and from a seed if it uses random
    /// draws.
    public init<Settings>(
        _ descriptor: PolicyDescriptor, _ settings: Settings, _ parameters: [Parameter<Settings>],
        make: @escaping @Sendable (_ settings: Settings, _ seed: UInt64) -> any EvictionPolicy
    ) {
        let list = ParameterList(defaults: settings, parameters: parameters)
        self.descriptor = descriptor.declaring(list.declarations)
        self.make = { make(list.settings($0), $0.seed) }
    }
}

/// A scheduling policy that experiment files can name.
public struct SchedulingPolicyEntry: Sendable {
    /// Name, source, parameters and rules.
    public let descriptor: PolicyDescriptor
    /// Creates the policy for one run.
    public let make: @Sendable (PolicyArguments) -> any SchedulingPolicy

    /// Creates an entry of a policy without parameters; a policy with random draws takes the seed from the arguments.
    public init(_ descriptor: PolicyDescriptor, make: @escaping @Sendable (PolicyArguments) -> any SchedulingPolicy) {
        self.descriptor = descriptor
        self.make = make
    }

    /// Creates an entry of a policy whose parameters are its own properties; the values of `policy` are the defaults.
    public init<Policy: SchedulingPolicy>(
        _ descriptor: PolicyDescriptor, _ policy: Policy, _ parameters: Parameter<Policy>...
    ) {
        self.init(descriptor, policy, parameters) { policy, _ in policy }
    }

    /// Creates an entry of a policy that is made from settings with parameters, and from a seed if it uses random
    /// draws.
    public init<Settings>(
        _ descriptor: PolicyDescriptor, _ settings: Settings, _ parameters: [Parameter<Settings>],
        make: @escaping @Sendable (_ settings: Settings, _ seed: UInt64) -> any SchedulingPolicy
    ) {
        let list = ParameterList(defaults: settings, parameters: parameters)
        self.descriptor = descriptor.declaring(list.declarations)
        self.make = { make(list.settings($0), $0.seed) }
    }
}

extension PolicyDescriptor {
    /// A copy of the descriptor, with the parameters that an entry declares.
    fileprivate func declaring(_ parameters: [PolicyParameter]) -> PolicyDescriptor {
        var result = self
        result.parameters = parameters
        return result
    }
}
