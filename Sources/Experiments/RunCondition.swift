// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

/// Which runs are meant: `policy == lru+immediate && replication < 10`, `device.memory.ram >= 4 GiB || run == 7`.
///
/// A term is a key, a relation and a value. Keys are `policy`, `eviction`, `scheduling`, `replication`, `run` and the
/// paths of swept axes; numbers are compared by size, in whatever unit, words as they are written. `&&` binds stronger
/// than `||`.
public struct RunCondition: Sendable, Equatable {
    private struct Term: Sendable, Equatable {
        let key: String
        let relation: String
        let value: String
    }

    // Longer ones first, for they are looked for in this order.
    private static let relations = ["==", "!=", "<=", ">=", "<", ">"]
    private static let keys = ["policy", "eviction", "scheduling", "replication", "run"]

    /// One of these lists of terms must hold as a whole.
    private let choices: [[Term]]

    /// Reads a condition.
    ///
    /// - Throws: `Diagnostics` naming the term that is none.
    public init(_ text: String) throws(Diagnostics) {
        var choices: [[Term]] = []
        for choice in Self.parts(text, "||") {
            var terms: [Term] = []
            for part in Self.parts(choice, "&&") { terms.append(try Self.term(part)) }
            choices.append(terms)
        }
        self.choices = choices
    }

    private static func parts(_ text: String, _ separator: String) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    private static func term(_ text: String) throws(Diagnostics) -> Term {
        for relation in relations {
            let sides = parts(text, relation).map { $0.split(separator: " ").joined(separator: " ") }
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { continue }
            return Term(key: sides[0], relation: relation, value: sides[1].trimming("'\""))
        }
        throw Diagnostics(
            "expected a condition such as \"replication < 10\", found \"\(text)\"",
            hint: "terms are joined by && and ||, relations are \(relations.joined(separator: " "))")
    }

    /// The runs of a plan that meet it.
    ///
    /// - Throws: `Diagnostics` when the plan has no such key, a value cannot be compared, or no run meets it.
    func runs(of plan: Plan) throws(Diagnostics) -> [PlannedRun] {
        for term in choices.joined() { try Self.check(term, plan) }
        let runs = plan.runs.filter { run in choices.contains { $0.allSatisfy { Self.holds($0, run, plan) } } }
        if runs.isEmpty { throw Diagnostics("no run of the plan meets the condition") }
        return runs
    }

    private static func check(_ term: Term, _ plan: Plan) throws(Diagnostics) {
        let known = keys + plan.axes
        guard known.contains(term.key) else {
            throw Diagnostics("runs have no \"\(term.key)\"", hint: nameHint(term.key, in: known))
        }
        let values = values(term.key, plan)
        if ["==", "!="].contains(term.relation) {
            guard term.key != "policy" || values.contains(where: { equal($0, term.value) }) else {
                _ = try plan.policy(term.value)
                return
            }
        } else if let other = values.first(where: { compared($0, term.value) == nil }) {
            throw Diagnostics("\"\(other)\" and \"\(term.value)\" cannot be compared by \(term.relation)")
        }
    }

    /// Every value that a key has in a plan.
    private static func values(_ key: String, _ plan: Plan) -> [String] {
        switch key {
        case "policy": plan.policies.map(\.name)
        case "eviction": plan.policies.map(\.eviction)
        case "scheduling": plan.policies.map(\.scheduling)
        case "replication", "run": ["0"]
        default: plan.axes.firstIndex(of: key).map { axis in plan.points.map { $0.values[axis] } } ?? []
        }
    }

    private static func value(_ key: String, _ run: PlannedRun, _ plan: Plan) -> String {
        switch key {
        case "policy": plan.policies[run.policy].name
        case "eviction": plan.policies[run.policy].eviction
        case "scheduling": plan.policies[run.policy].scheduling
        case "replication": "\(run.replication)"
        case "run": "\(run.number)"
        default: plan.axes.firstIndex(of: key).map { plan.points[run.point].values[$0] } ?? ""
        }
    }

    private static func holds(_ term: Term, _ run: PlannedRun, _ plan: Plan) -> Bool {
        var value = value(term.key, run, plan)
        // As everywhere, a policy may be named by the part of its name that tells it from the others.
        if term.key == "policy", let named = try? plan.policy(term.value), named == run.policy { value = term.value }
        let order = compared(value, term.value)
        return switch term.relation {
        case "==": equal(value, term.value)
        case "!=": !equal(value, term.value)
        case "<=": order.map { $0 <= 0 } ?? false
        case ">=": order.map { $0 >= 0 } ?? false
        case "<": order.map { $0 < 0 } ?? false
        default: order.map { $0 > 0 } ?? false
        }
    }

    private static func equal(_ left: String, _ right: String) -> Bool {
        left == right || compared(left, right) == 0
    }

    /// The sign of a difference of two numbers, of one dimension where they have units; nil when they are none.
    private static func compared(_ left: String, _ right: String) -> Int? {
        func sign(_ left: Double, _ right: Double) -> Int { left < right ? -1 : left > right ? 1 : 0 }
        if let left = Double(left), let right = Double(right) { return sign(left, right) }
        for dimension in Dimension.allCases {
            guard let left = try? UnitText.parse(left, as: dimension),
                let right = try? UnitText.parse(right, as: dimension)
            else { continue }
            return sign(left, right)
        }
        return nil
    }
}

extension String {
    /// The text without quotes around it.
    fileprivate func trimming(_ quotes: String) -> String {
        guard count > 1, let first, first == last, quotes.contains(first) else { return self }
        return String(dropFirst().dropLast())
    }
}
