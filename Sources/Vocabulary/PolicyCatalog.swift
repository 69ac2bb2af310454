// SPDX-License-Identifier: GPL-3.0-or-later

/// The policies that experiment files can name: the built-in ones and those added by a user's own executable.
///
/// Names are unique among eviction policies and among scheduling policies; one name may be in both lists.
public struct PolicyCatalog: Sendable {
    /// Eviction policies, the default first.
    public private(set) var eviction: [EvictionPolicyEntry] = []
    /// Scheduling policies, the default first.
    public private(set) var scheduling: [SchedulingPolicyEntry] = []
    /// Creates policies from libraries and processes that an experiment names; nil where foreign code is refused.
    public var foreign: (any ForeignPolicySource)?

    /// Creates a catalogue; traps if a name occurs twice in one list.
    public init(eviction: [EvictionPolicyEntry] = [], scheduling: [SchedulingPolicyEntry] = []) {
        for entry in eviction { add(entry) }
        for entry in scheduling { add(entry) }
    }

    /// Adds an eviction policy; traps if its name is taken.
    public mutating func add(_ entry: EvictionPolicyEntry) {
        PolicyCatalog.check(entry.descriptor, "an eviction", against: eviction.map(\.descriptor))
        eviction.append(entry)
    }

    /// Adds a scheduling policy; traps if its name is taken.
    public mutating func add(_ entry: SchedulingPolicyEntry) {
        PolicyCatalog.check(entry.descriptor, "a scheduling", against: scheduling.map(\.descriptor))
        scheduling.append(entry)
    }

    /// A copy of this catalogue with one more eviction policy.
    public func adding(_ entry: EvictionPolicyEntry) -> PolicyCatalog {
        var result = self
        result.add(entry)
        return result
    }

    /// A copy of this catalogue with one more scheduling policy.
    public func adding(_ entry: SchedulingPolicyEntry) -> PolicyCatalog {
        var result = self
        result.add(entry)
        return result
    }

    /// The eviction policy with this name, given without brackets; nil if there is none.
    public func eviction(named name: String) -> EvictionPolicyEntry? {
        eviction.first { $0.descriptor.name == name }
    }

    /// The scheduling policy with this name, given without brackets; nil if there is none.
    public func scheduling(named name: String) -> SchedulingPolicyEntry? {
        scheduling.first { $0.descriptor.name == name }
    }

    /// Traps if an experiment file cannot name the entry, or if the entry would hide another.
    private static func check(_ new: PolicyDescriptor, _ kind: String, against others: [PolicyDescriptor]) {
        guard isKebabCase(new.name) else {
            fatalError("'\(new.name)' is not a valid policy name: use lower-case-words-like-these")
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
