// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

extension Judgement {
    /// Comparison for programs: the rules, then every difference of the given metrics.
    func json(metrics: [Int]) -> JSONValue {
        let rows = comparisons.filter { metrics.contains($0.metric) }
        return .object([
            "name": .string(plan.name), "question": .string(plan.question),
            "baseline": .string(plan.policies[baseline].name), "level": .number(analysis.level),
            "equivalence": .number(analysis.equivalence(of: analysis.primary)), "primary": .string(analysis.primary),
            "better": .string(
                plan.metrics.index(of: analysis.primary).map { plan.metrics.entries[$0].better.rawValue } ?? ""),
            "comparisons": .array(rows.map(json)), "headroom": headroomJSON,
            "eviction_bound": boundJSON, "fetch_bound": fetchBoundJSON,
        ])
    }

    private func json(_ row: ComparisonRow) -> JSONValue {
        func without(_ policy: Int) -> JSONValue {
            .integer(runsWithoutValue(metric: row.metric, policy: policy, point: row.point))
        }
        var members: [String: JSONValue] = [
            "metric": .string(plan.metrics.entries[row.metric].name), "policy": .string(plan.policies[row.policy].name),
            "verdict": .string(row.verdict.rawValue), "n": .integer(row.paired?.n ?? 0),
            "differing": .integer(row.paired?.differing ?? 0), "exploratory": .bool(!isPrimary(row)),
            "reason": .string(row.reason ?? ""),
            "without_value": without(row.policy), "baseline_without_value": without(baseline),
        ]
        for (axis, value) in zip(plan.axes, plan.points[row.point].values) { members[axis] = .string(value) }
        if let paired = row.paired {
            members["mean"] = .number(paired.alternativeMean)
            members["baseline_mean"] = .number(paired.baselineMean)
            members["difference"] = .number(paired.difference)
            members["low"] = .number(paired.low)
            members["high"] = .number(paired.high)
            members["relative"] = .number(paired.relative)
            members["p"] = .number(paired.p)
            members["variance_reduction"] = .number(paired.varianceReduction)
            if isPrimary(row) { members["p_adjusted"] = .number(row.adjustedP) }
        }
        return .object(members)
    }
}

extension ComparisonText {
    /// The comparison as JSON.
    var json: JSONValue {
        guard case .object(var members) = judgement.json(metrics: [primary] + others) else { return .null }
        let plan = judgement.plan
        members["answer"] = .object(
            Dictionary(uniqueKeysWithValues: answerLines.map { ($0.name, .string($0.text)) }))
        members["notes"] = .array(findings.emptying.map { .string($0) })
        members["sentences"] = .array(findings.sentences.map { .string($0) })
        members["cautions"] = .array(findings.cautions.map { .string($0) })
        members["ranking"] = .array(
            plan.points.indices.flatMap { point in
                (findings.ranking(point)?.entries ?? []).map { entry in
                    var row: [String: JSONValue] = [
                        "policy": .string(plan.policies[entry.policy].name), "mean": .number(entry.mean),
                        "best": .integer(entry.best), "worst": .integer(entry.worst),
                    ]
                    for (axis, value) in zip(plan.axes, plan.points[point].values) { row[axis] = .string(value) }
                    return .object(row)
                }
            })
        members["factors"] = .array(
            plan.points.indices.flatMap { point in findings.factors(point).map { json($0, point) } ?? [] })
        return .object(members)
    }

    /// The main effects, then the interactions, at a point.
    private func json(_ factors: FactorEffects, _ point: Int) -> [JSONValue] {
        let plan = judgement.plan
        func row(_ factor: String, _ base: String, _ row: FactorEffects.Row) -> JSONValue {
            var members: [String: JSONValue] = [
                "factor": .string(factor), "level": .string(row.name), "baseline": .string(base),
                "verdict": .string(row.verdict.rawValue), "n": .integer(row.paired.n),
                "difference": .number(row.paired.difference), "low": .number(row.paired.low),
                "high": .number(row.paired.high), "relative": .number(row.paired.relative),
                "p": .number(row.paired.p), "p_adjusted": .number(row.adjustedP),
            ]
            for (axis, value) in zip(plan.axes, plan.points[point].values) { members[axis] = .string(value) }
            return .object(members)
        }
        return FactorEffects.Factor.allCases.flatMap { factor in
            (factors.effects[factor] ?? []).map { row(factor.rawValue, factors.levels[factor]?.first ?? "", $0) }
        } + factors.interactions.map { row("interaction", "its parts alone", $0) }
    }
}
