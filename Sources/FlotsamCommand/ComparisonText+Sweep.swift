// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Statistics

extension ComparisonText {
    /// What the primary metric gains along each axis of numbers, and where policies change places; empty without a
    /// sweep of numbers.
    var sweepText: String {
        guard let sweep = judgement.sweep else { return "" }
        let metric = plan.metrics.entries[primary]
        let unit = metric.unit == "1" ? "" : " " + metric.unit
        var text = againstPoint(sweep)
        for axis in plan.numericAxes {
            let per = axis.unit.isEmpty ? "each more" : axis.unit
            text += "\nalong \(plan.axes[axis.index]), change of \(metric.name)\(unit) for \(per):\n"
            var table = TextTable([.left, .right])
            for row in sweep.slopes where row.metric == primary && row.axis.index == axis.index {
                table.add([plan.policies[row.policy].name, row.slope.map { Figures.interval($0) } ?? "-"])
            }
            text += table.text
            // Where neither side is sure to differ, there is nothing to say.
            let crossings = sweep.crossings.filter { $0.crossing.low.isFinite || $0.crossing.high.isFinite }
            for row in crossings where row.axis.index == axis.index {
                text += sentence(row, metric.better) + "\n"
            }
        }
        return text
    }

    /// Each policy against itself at the sweep point that the experiment names for a baseline; empty where it names
    /// none.
    private func againstPoint(_ sweep: SweepJudgement) -> String {
        let named = judgement.analysis.sweepBaseline
        guard !named.isEmpty else { return "" }
        let scale = scale(primary, 0)
        var table = TextTable([.left, .left, .right, .right, .left])
        table.add(["at", "policy", "difference", "relative", "verdict"])
        for comparison in sweep.comparisons where comparison.row.metric == primary {
            guard let paired = comparison.row.paired else { continue }
            table.add([
                findings.label(comparison.row.point), plan.policies[comparison.row.policy].name,
                scale.interval(paired), Figures.percent(paired.relative), words(comparison.row.verdict, paired),
            ])
        }
        let baseline = plan.axes.compactMap { axis in named[axis].map { "\(axis) = \($0)" } }.joined(separator: ", ")
        return "\nagainst the same policy at \(baseline), \(plan.metrics.entries[primary].name) "
            + "(\(head(primary, scale))):\n" + table.text
    }

    /// `from 5 GiB [4.6, 5.6] on, lru is no better than jetsam`.
    private func sentence(_ row: CrossingRow, _ better: Metric.Direction) -> String {
        let crossing = row.crossing
        let unit = row.axis.unit.isEmpty ? "" : " " + row.axis.unit
        let ends = [crossing.low, crossing.high].map { $0.isFinite ? Figures.short($0, digits: 3) : "…" }
        let at = "\(Figures.short(crossing.at, digits: 3))\(unit) [\(ends.joined(separator: ", "))]"
        let others = zip(plan.axes, plan.points[row.point].values).enumerated()
            .filter { $0.offset != row.axis.index }.map { " at \($0.element.0) \($0.element.1)" }.joined()
        let (policy, baseline) = (plan.policies[row.policy].name, plan.policies[judgement.baseline].name)
        switch better {
        case .neutral: return "at \(at), \(policy) and \(baseline) are even\(others)"
        case .lower, .higher:
            let wasBetter = crossing.rises == (better == .lower)
            return "from \(at) on, \(policy) is no \(wasBetter ? "better" : "worse") than \(baseline)\(others)"
        }
    }
}
