// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Scenario

/// Condition that selects runs: `policy == lru+immediate && replication < 10`, `device.memory.ram >= 4 GiB or run ==
/// 7`.
///
/// The names are `policy`, `eviction`, `scheduling`, `replication`, `run` and the paths of swept axes.
public struct RunCondition: Sendable, Equatable {
    private static let keys = ["policy", "eviction", "scheduling", "replication", "run"]

    private let condition: Condition

    /// Reads a condition.
    ///
    /// - Throws: `Diagnostics` about an invalid term.
    public init(_ text: String) throws(Diagnostics) {
        do throws(Condition.Malformed) {
            condition = try Condition(text)
        } catch {
            throw Diagnostics(
                "expected a condition such as \"replication < 10\", found \"\(error.part)\"",
                hint: "join terms by && or ||; relations are \(Condition.relations)")
        }
    }

    /// Runs of a plan that meet the condition.
    ///
    /// - Throws: `Diagnostics` when the condition contains an unknown name, when values cannot be compared, or when no
    ///   run meets the condition.
    func runs(of plan: Plan) throws(Diagnostics) -> [PlannedRun] {
        let known = try condition.replacing { term throws(Diagnostics) in try Self.term(term, plan) }
        var runs: [PlannedRun] = []
        for run in plan.runs {
            do throws(Condition.Problem) {
                if try known.holds({ Self.value($0, run, plan) }) { runs.append(run) }
            } catch {
                throw Self.diagnostics(error, plan)
            }
        }
        if runs.isEmpty { throw Diagnostics("no run of the plan meets the condition") }
        return runs
    }

    /// Replaces the short name of a policy in a term by its full name.
    private static func term(_ term: Condition.Term, _ plan: Plan) throws(Diagnostics) -> Condition.Term {
        guard term.relation.isOfWords else { return term }
        var term = term
        if term.left == "policy" {
            term.right = plan.policies[try plan.policy(Condition.unquoted(term.right))].name
        } else if term.right == "policy" {
            term.left = plan.policies[try plan.policy(Condition.unquoted(term.left))].name
        }
        return term
    }

    private static func diagnostics(_ problem: Condition.Problem, _ plan: Plan) -> Diagnostics {
        switch problem {
        case .namesNothing(let term):
            Diagnostics("runs have no \"\(term.left)\"", hint: nameHint(term.left, in: keys + plan.axes))
        case .incomparable(let left, let relation, let right):
            Diagnostics("\"\(left)\" and \"\(right)\" cannot be compared by \(relation.rawValue)")
        }
    }

    private static func value(_ key: String, _ run: PlannedRun, _ plan: Plan) -> String? {
        switch key {
        case "policy": plan.policies[run.policy].name
        case "eviction": plan.policies[run.policy].eviction
        case "scheduling": plan.policies[run.policy].scheduling
        case "replication": "\(run.replication)"
        case "run": "\(run.number)"
        default: plan.axes.firstIndex(of: key).map { plan.points[run.point].values[$0] }
        }
    }
}
