// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import PhoneCore
import Recording
import Statistics

extension ComparisonText {
    /// How much of the gap to each bound the policies close at a sweep point; empty without a bound.
    func headroomTable(_ point: Int) -> String {
        let plan = judgement.plan
        let rows = judgement.headrooms.filter { $0.point == point }
        let bounds = plan.policies.indices.filter { policy in rows.contains { $0.bound == policy } }
        guard !bounds.isEmpty else { return "" }
        var table = TextTable([.left] + bounds.map { _ in TextTable.Side.right })
        table.add(["headroom closed"] + bounds.map { "of " + plan.policies[$0].name })
        for policy in plan.policies.indices where rows.contains(where: { $0.policy == policy }) {
            let cells = bounds.map { bound in
                rows.first { $0.policy == policy && $0.bound == bound }.map(cell) ?? ""
            }
            table.add([plan.policies[policy].name] + cells)
        }
        return table.text
    }

    /// The share with its interval in percent.
    private func cell(_ row: HeadroomRow) -> String {
        let headroom = row.headroom
        guard headroom.share.isFinite else { return "no gap" }
        guard headroom.low.isFinite else { return Figures.percent(headroom.share) + " (the gap may be none)" }
        let interval = [headroom.low, headroom.high].map { Figures.short($0 * 100, digits: 3) }
        return Figures.percent(headroom.share) + " (" + interval.joined(separator: " to ") + ")"
    }
}

extension Judgement {
    /// The headroom for programs.
    var headroomJSON: JSONValue {
        .array(
            headrooms.map { row in
                var members: [String: JSONValue] = [
                    "policy": .string(plan.policies[row.policy].name), "bound": .string(plan.policies[row.bound].name),
                    "share": .number(row.headroom.share), "low": .number(row.headroom.low),
                    "high": .number(row.headroom.high), "n": .integer(row.headroom.n),
                ]
                for (axis, value) in zip(plan.axes, plan.points[row.point].values) { members[axis] = .string(value) }
                return .object(members)
            })
    }
}
