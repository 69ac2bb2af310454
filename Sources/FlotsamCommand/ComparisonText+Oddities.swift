// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Scenario
import Statistics
import Vocabulary

extension ComparisonText {
    /// Hours a day with a dead battery above which a note is printed: 5 % of the time.
    private static let deadHours = 1.2

    /// Notes on runs that differ from a phone in normal use, whatever the verdict; empty if there are none.
    var oddities: String {
        var text = ""
        for point in plan.points.indices {
            for policy in plan.policies.indices {
                let name = plan.policies[policy].name
                if let dead = mean("dead_hours_per_day", policy, point), dead > Self.deadHours {
                    text += "note: with \(name) the battery is dead \(Figures.short(dead)) hours a day; is charging "
                    text += "recorded for all days, and does the phone charge enough?\n"
                }
                let opens = ["resumes_per_day", "warm_launches_per_day", "cold_launches_per_day"]
                    .compactMap { mean($0, policy, point) }
                if opens.count == 3, opens.allSatisfy({ $0 == 0 }) {
                    text += "note: with \(name) no app is ever opened\n"
                }
            }
        }
        return text
    }

    private func mean(_ name: String, _ policy: Int, _ point: Int) -> Double? {
        guard let metric = plan.metrics.index(of: name) else { return nil }
        return judgement.summaryRow(metric: metric, policy: policy, point: point).interval?.mean
    }
}
