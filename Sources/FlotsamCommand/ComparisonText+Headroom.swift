// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Recording
import Scenario
import Statistics

extension ComparisonText {
    /// Share of the gap to each reference that the policies close at a sweep point; empty without a reference.
    func headroomTable(_ point: Int) -> String {
        let plan = judgement.plan
        let rows = judgement.headrooms.filter { $0.point == point }
        let references = plan.policies.indices.filter { policy in rows.contains { $0.reference == policy } }
        guard !references.isEmpty else { return "" }
        var table = TextTable([.left] + references.map { _ in TextTable.Side.right })
        table.add(["share of the gap closed"] + references.map { "to " + plan.policies[$0].name })
        for policy in plan.policies.indices where rows.contains(where: { $0.policy == policy }) {
            let cells = references.map { reference in
                rows.first { $0.policy == policy && $0.reference == reference }.map(cell) ?? ""
            }
            table.add([plan.policies[policy].name] + cells)
        }
        return table.text + "an oracle is a heuristic that knows the future, so another policy may do better\n"
    }

    /// The share with its interval in percent, or the reason why there is none.
    private func cell(_ row: HeadroomRow) -> String {
        switch row.finding {
        case .closes:
            let ends = [row.headroom.low, row.headroom.high].map(Figures.closed)
            return "\(Figures.closed(row.headroom.share)) % (\(ends.joined(separator: " to ")))"
        case .closesNothing: return "none: worse than the baseline"
        case .reaches: return "all: no significant difference"
        case .beats: return "does better"
        case .referenceLoses: return "the baseline does better"
        case .noSureGap: return "no significant gap"
        }
    }
}

extension Judgement {
    /// Largest saving that any order of eviction can reach, as JSON; a row for each sweep point with a bound.
    var boundJSON: JSONValue {
        .array(
            plan.points.indices.compactMap { point in
                guard let bound = evictionBound(point) else { return nil }
                var members: [String: JSONValue] = [
                    "most_saved_pct": .integer(bound.most),
                    "best": bound.best.map { .string(plan.policies[$0.policy].name) } ?? .null,
                    "best_saved_pct": bound.best.map { .integer($0.saved) } ?? .null,
                ]
                for (axis, value) in zip(plan.axes, plan.points[point].values) { members[axis] = .string(value) }
                return .object(members)
            })
    }

    /// Fewest fetches that keep copies fresh, as JSON; a row for each sweep point with a bound.
    var fetchBoundJSON: JSONValue {
        .array(
            plan.points.indices.compactMap { point in
                guard let bound = fetchBound(point) else { return nil }
                var members: [String: JSONValue] = [
                    "least_fetch_occasions_per_day": .number(bound.least),
                    "policies": .array(
                        bound.found.map { row in
                            .object([
                                "policy": .string(plan.policies[row.policy].name),
                                "fetch_occasions_per_day": .number(row.occasions),
                                "stale_open_share": .number(row.stale),
                            ])
                        }),
                ]
                for (axis, value) in zip(plan.axes, plan.points[point].values) { members[axis] = .string(value) }
                return .object(members)
            })
    }

    /// The headroom as JSON.
    var headroomJSON: JSONValue {
        .array(
            headrooms.map { row in
                var members: [String: JSONValue] = [
                    "policy": .string(plan.policies[row.policy].name),
                    "reference": .string(plan.policies[row.reference].name), "finding": .string(row.finding.rawValue),
                    "share": row.closed.map { .number($0.share) } ?? .null,
                    "low": row.closed.map { .number(max(0, $0.low)) } ?? .null,
                    "high": row.closed.map { .number(min(1, $0.high)) } ?? .null, "n": .integer(row.headroom.n),
                ]
                for (axis, value) in zip(plan.axes, plan.points[row.point].values) { members[axis] = .string(value) }
                return .object(members)
            })
    }
}
