// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Quantities
import Recording
import Scenario
import Vocabulary

/// Listing of the policies, with the valid values of their parameters.
enum PolicyListing {
    private typealias Entry = (kind: String, policy: PolicyDescriptor)

    private static func entries(_ catalog: PolicyCatalog) -> [Entry] {
        catalog.eviction.map { ("eviction", $0.descriptor) } + catalog.scheduling.map { ("scheduling", $0.descriptor) }
            + MemoryPolicies.kinds.flatMap { kind in kind.policies.map { (kind.name, $0) } }
    }

    private static func entry(_ catalog: PolicyCatalog, named name: String) throws(Diagnostics) -> [Entry] {
        let all = entries(catalog)
        // The name may have parameters in brackets, as in an experiment.
        let bare = String(name.prefix { $0 != "[" })
        let found = all.filter { $0.policy.name == bare }
        guard found.isEmpty else { return found }
        throw Diagnostics(
            "there is no policy \"\(bare)\"",
            hint: nameHint(bare, in: all.map(\.policy.name), all: "flotsam list policies"))
    }

    /// One object per policy, in the order of the catalogue; with a name, only that policy.
    static func json(_ catalog: PolicyCatalog, named name: String? = nil) throws(Diagnostics) -> JSONValue {
        let shown = try name.map { (name) throws(Diagnostics) in try entry(catalog, named: name) } ?? entries(catalog)
        return .array(shown.map { json($0.policy, kind: $0.kind) })
    }

    /// One line per policy.
    static func all(_ catalog: PolicyCatalog) -> Listing {
        var listing = Listing(["kind", "name", "mark", "parameters", "summary"])
        for (kind, policy) in entries(catalog) {
            let count = policy.parameters.count
            listing.add(
                Listing.Cell(kind), Listing.Cell(policy.name), Listing.Cell(mark(policy)),
                Listing.Cell(count == 0 ? "" : String(count)), Listing.Cell(policy.summary))
        }
        listing.foot =
            "oracle: knows the future, so it is a reference and not a competing policy; "
            + "own trigger: also decides when to kill\n"
            + "flotsam list policies NAME shows source and parameters\n"
        return listing
    }

    private static func mark(_ policy: PolicyDescriptor) -> String {
        policy.isOracle ? "oracle" : policy.replacesTrigger ? "own trigger" : ""
    }

    /// All properties of one policy.
    ///
    /// - Parameter width: Width at which lines are folded, in columns; nil for no folding.
    static func text(_ catalog: PolicyCatalog, named name: String, width: Int?) throws(Diagnostics) -> String {
        try entry(catalog, named: name).map { kind, policy in
            let mark = mark(policy)
            var text = "\(policy.name): \(kind) policy" + (mark.isEmpty ? "" : ", \(mark)") + "\n"
            text += folded(policy.summary, width: width ?? 120)
            text += folded("source: " + policy.source, width: width ?? 120)
            if !policy.needs.names.isEmpty { text += "needs: \(policy.needs.names.joined(separator: ", "))\n" }
            guard let first = policy.parameters.first else { return text }
            let value = first.format(first.defaultValue, compact: true)
            text += "in experiments: \"\(policy.name)[\(first.name)=\(value)]\"\n\n"
            var listing = Listing(["parameter", "default", "values", "meaning"])
            for each in policy.parameters {
                listing.add(
                    Listing.Cell(each.name), Listing.Cell(each.format(each.defaultValue, compact: true)),
                    Listing.Cell(values(each)), Listing.Cell(each.meaning))
            }
            return text + listing.text(width: width)
        }.joined(separator: "\n")
    }

    /// Words of a choice, or both ends of a range.
    private static func values(_ parameter: PolicyParameter) -> String {
        if case .choice(let words) = parameter.dimension { return words.joined(separator: " | ") }
        let ends = [parameter.range.lowerBound, parameter.range.upperBound]
        return ends.map { parameter.format($0, compact: true) }.joined(separator: " to ")
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

    /// Valid values: in brackets for people, and as numbers in the named unit for programs.
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
