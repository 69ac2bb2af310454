// SPDX-License-Identifier: GPL-3.0-or-later

/// The policies that experiment files can name: the built-in ones and those that a user's own executable adds.
///
/// Names are unique among eviction policies and among scheduling policies; one name may stand in both lists.
public struct PolicyCatalog: Sendable {
    /// Eviction policies, the default first.
    public private(set) var eviction: [EvictionPolicyEntry] = []
    /// Scheduling policies, the default first.
    public private(set) var scheduling: [SchedulingPolicyEntry] = []
    /// Who makes policies of libraries and processes that an experiment names; nil where foreign code is refused.
    public var foreign: (any ForeignPolicySource)?

    /// Creates a catalogue; a name that occurs twice in one list traps.
    public init(eviction: [EvictionPolicyEntry] = [], scheduling: [SchedulingPolicyEntry] = []) {
        for entry in eviction { add(entry) }
        for entry in scheduling { add(entry) }
    }

    /// Adds an eviction policy under a name that is not taken.
    public mutating func add(_ entry: EvictionPolicyEntry) {
        PolicyCatalog.check(entry.descriptor, "an eviction", against: eviction.map(\.descriptor))
        eviction.append(entry)
    }

    /// Adds a scheduling policy under a name that is not taken.
    public mutating func add(_ entry: SchedulingPolicyEntry) {
        PolicyCatalog.check(entry.descriptor, "a scheduling", against: scheduling.map(\.descriptor))
        scheduling.append(entry)
    }

    /// This catalogue and one more eviction policy.
    public func adding(_ entry: EvictionPolicyEntry) -> PolicyCatalog {
        var result = self
        result.add(entry)
        return result
    }

    /// This catalogue and one more scheduling policy.
    public func adding(_ entry: SchedulingPolicyEntry) -> PolicyCatalog {
        var result = self
        result.add(entry)
        return result
    }

    /// The eviction policy of this name, without brackets, if there is one.
    public func eviction(named name: String) -> EvictionPolicyEntry? {
        eviction.first { $0.descriptor.name == name }
    }

    /// The scheduling policy of this name, without brackets, if there is one.
    public func scheduling(named name: String) -> SchedulingPolicyEntry? {
        scheduling.first { $0.descriptor.name == name }
    }

    /// Traps when an entry could not be named in an experiment file or would hide another.
    private static func check(_ new: PolicyDescriptor, _ kind: String, against others: [PolicyDescriptor]) {
        guard isKebabCase(new.name) else {
            fatalError("'\(new.name)' is no policy name: use lower-case-words-like-these")
        }
        guard (!others.contains { $0.name == new.name }) else {
            fatalError("\(kind) policy named '\(new.name)' exists already")
        }
        var names: [String] = []
        for parameter in new.parameters {
            guard isKebabCase(parameter.name) && !names.contains(parameter.name) else {
                fatalError("policy '\(new.name)' cannot have a parameter named '\(parameter.name)'")
            }
            guard parameter.range.contains(parameter.defaultValue) else {
                fatalError("the default of '\(parameter.name)' in policy '\(new.name)' lies outside its own range")
            }
            names.append(parameter.name)
        }
    }
}
