// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Scenario
import Statistics

/// Advice on the warm-up of an experiment, from a pilot.
struct WarmupText {
    private let advice: WarmupAdvice
    private let plan: Plan

    /// Replications of the pilot.
    private static let replications = 5
    /// Largest number of printed days.
    private static let mostDays = 14

    init(_ experiment: Experiment, days: Int) throws {
        plan = Plan(experiment)
        advice = try WarmupAdvice(experiment, days: days, replications: Self.replications)
    }

    /// Table of the primary metric by policy and day, then the advice.
    var text: String {
        let shown = min(advice.days, Self.mostDays)
        var table = TextTable([.left] + (0...shown).map { _ in .right })
        table.add(["day"] + (1...shown).map(String.init) + ["MSER cuts"])
        let names = plan.shortNames
        for row in advice.rows {
            let days = (0..<shown).map { row.days.indices.contains($0) ? Figures.short(row.days[$0], digits: 3) : "" }
            let name = names[row.policy] + (row.policy == plan.baseline ? "" : " minus \(names[plan.baseline])")
            table.add([name] + days + [row.steady.map { "\($0.cut) d" } ?? "-"])
        }
        let head = "\(plan.analysis.primary) by day, mean of a pilot of \(count(advice.replications, "replication")) "
        return head + "without a warm-up\n" + table.text
            + advice.sentences(names: names).map { wrapped($0, width: textWidth) }.joined()
    }
}
