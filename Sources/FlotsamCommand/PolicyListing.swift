// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Recording
import Scenario
import Vocabulary

/// The policies for programs: what they are, and which values their parameters may have.
enum PolicyListing {
    /// One object per policy, in the order of the catalogue.
    static func json(_ catalog: PolicyCatalog) -> JSONValue {
        .array(
            catalog.eviction.map { json($0.descriptor, kind: "eviction") }
                + catalog.scheduling.map { json($0.descriptor, kind: "scheduling") })
    }

    private static func json(_ policy: PolicyDescriptor, kind: String) -> JSONValue {
        .object([
            "kind": .string(kind), "name": .string(policy.name), "summary": .string(policy.summary),
            "source": .string(policy.source), "reads_the_future": .bool(policy.isOracle),
            "replaces_the_trigger": .bool(policy.replacesTrigger),
            "needs": .array(policy.needs.names.map { .string($0) }),
            "parameters": .array(policy.parameters.map(json)),
        ])
    }

    /// Values as they may stand in brackets, and as numbers in the unit that is named.
    private static func json(_ parameter: PolicyParameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "meaning": .string(parameter.meaning),
            "default": .string(parameter.format(parameter.defaultValue, compact: true)),
        ]
        if case .choice(let words) = parameter.dimension {
            members["choices"] = .array(words.map { .string($0) })
        } else {
            members["unit"] = .string(parameter.unit)
            members["default_value"] = .number(parameter.number(parameter.defaultValue))
            members["low"] = .number(parameter.number(parameter.range.lowerBound))
            members["high"] = .number(parameter.number(parameter.range.upperBound))
        }
        return .object(members)
    }
}
