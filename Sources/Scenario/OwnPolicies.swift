// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import EvictionPolicies
import PhoneCore
import Processes
import Quantities
import SchedulingPolicies
import Vocabulary

/// Policy name `system`, which means the policies of the phone's own system (`OSProfile.ownEviction`, `ownScheduling`).
///
/// A pair with this name has different policies at sweep points with different systems.
enum OwnPolicies {
    /// The reserved name.
    static let name = "system"

    private static let summary =
        "The policy of the phone's system: jetsam and opportunistic, or lmkd and jobscheduler on Android."
    private static let source = "the system's profile (see flotsam list systems)"

    static let eviction = EvictionPolicyEntry(
        PolicyDescriptor(name: name, summary: summary, source: source)
    ) { _ in Jetsam() }

    static let scheduling = SchedulingPolicyEntry(
        PolicyDescriptor(name: name, summary: summary, source: source, needs: [.apps, .charging, .network])
    ) { arguments in
        guard let entry = SchedulingPolicies.named("opportunistic") else {
            fatalError("the policy opportunistic is missing")
        }
        return entry.make(entry.descriptor.defaultArguments(seed: arguments.seed))
    }
}

extension ExperimentLoader {
    /// Closure that sets the policies of the phone's own system; nil if the pair names both policies.
    func ownPolicies(
        _ eviction: PolicyChoice, _ scheduling: PolicyChoice
    ) -> (@Sendable (inout RunSpecification) -> Void)? {
        let (ownEviction, ownScheduling) = (eviction.name == OwnPolicies.name, scheduling.name == OwnPolicies.name)
        guard ownEviction || ownScheduling else { return nil }
        let systems = OSProfile.generations.map { $0.profile(.gibibytes(4)) }
        let evictions = choices(systems.map(\.ownEviction), evictionReader)
        let schedulings = choices(systems.map(\.ownScheduling), schedulingReader)
        let catalog = catalog
        return { specification in
            let os = specification.device.os
            if ownEviction, let choice = evictions[os.ownEviction], let entry = catalog.eviction(named: choice.name) {
                specification.makeEviction = { entry.make(PolicyArguments(values: choice.values, seed: $0)) }
            }
            if ownScheduling, let choice = schedulings[os.ownScheduling],
                let entry = catalog.scheduling(named: choice.name)
            {
                specification.makeScheduling = { entry.make(PolicyArguments(values: choice.values, seed: $0)) }
                specification.schedulingRules = entry.descriptor.rules
            }
        }
    }

    /// Reads the policies that systems name, as in an experiment file.
    private func choices(_ texts: [String], _ reader: PolicyTextReader) -> [String: PolicyChoice] {
        var found: [String: PolicyChoice] = [:]
        for text in texts where found[text] == nil {
            let node = Node(.scalar(text, quoted: false), at: root.location)
            found[text] = reader.read(Cursor(node, report: report))
        }
        return found
    }
}
