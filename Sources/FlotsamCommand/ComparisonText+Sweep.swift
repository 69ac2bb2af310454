// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

extension ComparisonText {
    /// Size of a slope below which the slope is printed per thousands of units of the axis.
    private static let leastSlope = 1e-4

    /// Change of the primary metric along each numeric axis, and the points where policies change ranks; empty without
    /// such an axis.
    var sweepText: String {
        guard let sweep = judgement.sweep else { return "" }
        let metric = plan.metrics.entries[primary]
        var text = againstPoint(sweep)
        for axis in plan.numericAxes {
            let rows = sweep.slopes.filter { $0.metric == primary && $0.axis.index == axis.index }
            text += slopes(rows, axis, metric)
            // If the difference is significant on neither side, there is nothing to print.
            let crossings = sweep.crossings.filter { $0.crossing.low.isFinite || $0.crossing.high.isFinite }
            for row in crossings where row.axis.index == axis.index {
                text += sentence(row, metric.better) + "\n"
            }
        }
        return text
    }

    /// Change of the metric per unit of an axis, or per thousands of units if the change per unit is very small.
    private func slopes(_ rows: [SlopeRow], _ axis: SweepAxis, _ metric: MetricList.Entry) -> String {
        let largest = rows.compactMap(\.slope).map { max(abs($0.difference), abs($0.halfWidth.finite)) }.max() ?? 0
        var units = 1.0
        while largest > 0, largest * units < Self.leastSlope, units < 1e12 { units *= 1000 }
        let scale = ScaledUnit(metric.unit, largest: largest * units)
        let unit = scale.unit == "1" ? "" : " " + scale.unit
        let each = units == 1 ? "" : Figures.short(units) + " "
        let per = axis.unit.isEmpty ? (units == 1 ? "unit" : each + "units") : each + axis.unit
        var table = TextTable([.left, .right])
        for row in rows {
            table.add([plan.policies[row.policy].name, row.slope.map { scale.interval($0, times: units) } ?? "-"])
        }
        return "\nalong \(plan.axes[axis.index]), change of \(metric.name)\(unit) per \(per):\n" + table.text
    }

    /// Each policy compared with itself at the baseline point of the sweep; empty if the experiment has no such point.
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
        return "\ncompared with the same policy at \(baseline), \(plan.metrics.entries[primary].name) "
            + "(\(head(primary, scale))):\n" + table.text
    }

    /// Sentence about a crossing, such as `from 5 GiB [4.6, 5.6] on, lru is no better than jetsam`.
    ///
    /// If only one side of the crossing is significant, the sentence covers only that side.
    private func sentence(_ row: CrossingRow, _ better: Metric.Direction) -> String {
        let crossing = row.crossing
        let unit = row.axis.unit.isEmpty ? "" : " " + row.axis.unit
        let ends = [crossing.low, crossing.high].map { $0.isFinite ? Figures.short($0, digits: 3) : "…" }
        let at = "\(Figures.short(crossing.at, digits: 3))\(unit) [\(ends.joined(separator: ", "))]"
        let others = zip(plan.axes, plan.points[row.point].values).enumerated()
            .filter { $0.offset != row.axis.index }.map { " at \($0.element.0) \($0.element.1)" }.joined()
        let (policy, baseline) = (plan.policies[row.policy].name, plan.policies[judgement.baseline].name)
        switch better {
        case .neutral: return "at \(at), \(policy) and \(baseline) are equal\(others)"
        case .lower, .higher:
            let wasBetter = crossing.rises == (better == .lower)
            if !crossing.high.isFinite || !crossing.low.isFinite {
                let isBelow = crossing.low.isFinite
                let word = wasBetter == isBelow ? "better" : "worse"
                let end = Figures.short(isBelow ? crossing.low : crossing.high, digits: 3) + unit
                return "just \(isBelow ? "below" : "above") \(end), \(policy) is \(word) than \(baseline)\(others); "
                    + "\(isBelow ? "above" : "below") that value, the difference is not significant"
            }
            return "from \(at) on, \(policy) is no longer \(wasBetter ? "better" : "worse") than \(baseline)\(others)"
        }
    }
}

extension Double {
    /// The number, or zero if it is not finite.
    fileprivate var finite: Double { isFinite ? self : 0 }
}
