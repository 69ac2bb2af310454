// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// Estimates, from finished runs, the replications needed to detect an effect and the smallest effect that the present
/// number detects.
struct PowerText {
    private let judgement: Judgement
    private let replications: Int
    private let effect: Double

    /// Reads the finished runs of a directory.
    ///
    /// - Parameter effect: Difference in the primary metric, as a share of the baseline's mean.
    /// - Throws: `Diagnostics` when the directory contains no results.
    init(_ plan: Plan, _ directory: ResultDirectory, effect: Double) throws {
        let held = try directory.plan()
        replications = plan.replications
        self.effect = effect
        judgement = Judgement(plan: held, store: try RunStore(plan: held, directory: directory))
    }

    /// Table, with a line about its confidence level and power.
    var text: String {
        let plan = judgement.plan
        let rows = judgement.comparisons.filter { judgement.isPrimary($0) }
        // This is the strictest step of Holm's rule, so a detection here does not depend on other comparisons. maxT
        // rarely needs more.
        let rivals = rows.count { !plan.policies[$0.policy].isReference }
        let family = judgement.analysis.correction == .none ? 1 : max(1, rivals)
        let alpha = (1 - judgement.analysis.level) / Double(family)
        var table = TextTable([.left, .left, .right, .right, .right, .right])
        let share = Figures.short(effect * 100)
        table.add(["policy", "at", "pairs", "deviation", "\(replications) detect", "\(share) % needs"])
        for row in rows {
            table.add(
                [plan.policies[row.policy].name, plan.points[row.point].values.joined(separator: ", ")]
                    + cells(row.paired, alpha))
        }
        let policies = count(family, "comparison")
        let baseline = plan.policies[judgement.baseline].name
        return "\(judgement.analysis.primary): differences from \(baseline) that are detected "
            + "in 80 of 100 cases, at a level of \(Figures.short(judgement.analysis.level * 100)) % for \(policies)\n"
            + table.text
    }

    private func cells(_ paired: PairedComparison?, _ alpha: Double) -> [String] {
        guard let paired, !paired.isTooRare, paired.deviation > 0, paired.baselineMean != 0 else {
            return [String(paired?.n ?? 0), "-", "-", "-"]
        }
        let base = abs(paired.baselineMean)
        let found = Power.detectable(deviation: paired.deviation, n: replications, alpha: alpha) / base
        let needed = Power.replications(effect: effect * base, deviation: paired.deviation, alpha: alpha)
        return [
            String(paired.n), Figures.short(paired.deviation), Figures.short(found * 100, digits: 3) + " %",
            needed.map(String.init) ?? "more than a million",
        ]
    }
}
