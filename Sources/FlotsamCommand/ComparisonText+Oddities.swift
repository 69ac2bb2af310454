// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Scenario
import Statistics
import Vocabulary

extension ComparisonText {
    /// Hours a day with a dead battery from which on a verdict is not one about a phone in use: 5 % of the time.
    private static let deadHours = 1.2

    /// Below this share of kills in which a policy chose, a comparison of eviction orders compares little.
    private static let leastDecided = 0.1

    /// What makes the runs a poor likeness of a phone in use, whatever the verdict; empty when nothing does.
    var oddities: String {
        var text = ""
        for point in plan.points.indices {
            text += undecidable(point)
            for policy in plan.policies.indices {
                let name = plan.policies[policy].name
                if let dead = mean("dead_hours_per_day", policy, point), dead > Self.deadHours {
                    text += "note: with \(name) the battery is dead \(Figures.short(dead)) hours a day: is charging "
                    text += "recorded for all days, and does the phone charge enough?\n"
                }
                let opens = ["resumes_per_day", "warm_launches_per_day", "cold_launches_per_day"]
                    .compactMap { mean($0, policy, point) }
                if opens.count == 3, opens.allSatisfy({ $0 == 0 }) {
                    text += "note: with \(name) nobody opens an app\n"
                }
            }
        }
        return text
    }

    /// Said where eviction policies are compared that chose hardly any victim; empty elsewhere.
    private func undecidable(_ point: Int) -> String {
        guard Set(plan.policies.map(\.eviction)).count > 1 else { return "" }
        let label = plan.axes.isEmpty ? "" : " at " + findings.label(point)
        let kills = ["kills_per_day", "system_kills_per_day"].map { name in
            plan.policies.indices.compactMap { mean(name, $0, point) }.max()
        }
        if kills.allSatisfy({ $0 == 0 }) {
            return "note: the eviction policies have nothing to decide\(label): nobody is killed under any of them\n"
        }
        let shares = plan.policies.indices.compactMap { mean("policy_decided_kill_share", $0, point) }
        guard let most = shares.max(), most < Self.leastDecided else { return "" }
        return "note: the eviction policies cannot decide much\(label): at most \(Figures.short(100 * most)) % of "
            + "kills are of a victim that a policy chose (\(killMetrics(point)))\n"
    }

    /// The metrics that say who chose: the share, then the reasons that kill most.
    private func killMetrics(_ point: Int) -> String {
        let reasons = KillReason.allCases.map(\.metricName).compactMap { name -> (name: String, kills: Double)? in
            let most = plan.policies.indices.compactMap { mean(name, $0, point) }.max() ?? 0
            return most > 0 ? (name, most) : nil
        }.sorted { ($1.kills, $0.name) < ($0.kills, $1.name) }
        let names = ["policy_decided_kill_share"] + reasons.prefix(2).map(\.name)
        return Figures.list(names + (reasons.count > 2 ? ["\(reasons.count - 2) more"] : []))
    }

    private func mean(_ name: String, _ policy: Int, _ point: Int) -> Double? {
        guard let metric = plan.metrics.index(of: name) else { return nil }
        return judgement.summaryRow(metric: metric, policy: policy, point: point).interval?.mean
    }
}
