// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Recording
import Scenario
import Statistics

extension ComparisonText {
    /// Largest number of changes of the winner that are listed individually.
    private static let mostFlips = 8

    /// The winner at each point of two axes, and where the winner changes; empty for other sweeps.
    var mapText: String {
        guard plan.axes.count == 2, judgement.analysis.design == nil, !judgement.winners.isEmpty else { return "" }
        let values = plan.axes.indices.map { axis in
            plan.points.map { $0.values[axis] }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        }
        guard values.allSatisfy({ $0.count > 1 }), values[0].count * values[1].count == plan.points.count else {
            return ""
        }
        let names = plan.shortNames
        var table = TextTable([.left] + values[1].map { _ in .left })
        table.add(["\(plan.axes[0]) \\ \(plan.axes[1])"] + values[1])
        for row in values[0] {
            table.add(
                [row]
                    + values[1].map { column in
                        guard let point = plan.points.firstIndex(where: { $0.values == [row, column] }),
                            let found = judgement.winners.first(where: { $0.point == point })
                        else { return "-" }
                        let doubt = found.verdict == .better ? "" : "?"
                        return names[found.winner] + doubt + " " + Figures.interval(found.paired)
                    })
        }
        let name = plan.metrics.entries[primary].name
        return
            "\nthe best policy by \(name) at each point, and its difference from the next best; ? marks a policy "
            + "that is not significantly better than every rival\n" + table.text + flips(names)
    }

    private func flips(_ names: [String]) -> String {
        let all = judgement.winners.flatMap { row in row.sureFlips.map { (row, $0) } }
        let lines = all.prefix(Self.mostFlips).map { row, axis in
            "along \(plan.axes[axis]), \(names[row.winner]) is no longer the best after \(findings.label(row.point))\n"
        }
        let more = all.count > lines.count ? "\(all.count - lines.count) more changes are in sweep_winners.csv\n" : ""
        let open = judgement.winners.reduce(0) { $0 + $1.flips.count - $1.sureFlips.count }
        let unsure =
            open > 0 ? "\(count(open, "change")) of the best mean may be sampling noise (sweep_winners.csv)\n" : ""
        return lines.joined() + more + unsure
    }

    /// Effects of the axes of a design on the primary metric; empty without a design.
    var sensitivityText: String {
        let rows = judgement.sensitivities.filter { $0.metric == primary }
        guard let design = judgement.analysis.design, !rows.isEmpty else { return "" }
        let metric = plan.metrics.entries[primary]
        let measures = rows.map(\.measure).reduce(into: [SensitivityRow.Measure]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let unit = metric.unit == "1" ? "" : " (\(metric.unit))"
        var text = "\n\(plan.points.count) points, \(design.rows.count) rows of mode \(design.kind.rawValue)\n"
        for policy in plan.policies.indices {
            let isBaseline = policy == judgement.baseline
            if isBaseline, plan.policies.count > 1 { continue }
            let of = isBaseline ? "" : " minus \(plan.policies[judgement.baseline].name)"
            text += "\neffects on \(metric.name)\(unit) of \(plan.policies[policy].name)\(of):\n"
            var table = TextTable([.left] + measures.map { _ in .right })
            table.add(["axis"] + measures.map(\.rawValue))
            for axis in plan.axes.indices {
                table.add(
                    [plan.axes[axis]]
                        + measures.map { measure in
                            let row = rows.first { $0.policy == policy && $0.axis == axis && $0.measure == measure }
                            guard let found = row?.estimate else { return "-" }
                            let ends = [found.low, found.high].map { Figures.short($0, digits: 3) }
                            return Figures.short(found.value) + " [" + ends.joined(separator: ", ") + "]"
                        })
            }
            text += table.text
        }
        let note =
            design.kind == .morris
            ? "mu: mean effect over the whole range; mu_star: mean size of the effect; sigma: large for nonlinear "
                + "effects and interactions"
            : "first: share of the variance that an axis causes alone; total: this share plus interactions"
        return text + note + "\n"
    }

    /// Selected policy at each point, and the numbers of replications after which the others were dropped; empty
    /// without a selection.
    var selectionText: String {
        guard let selection = judgement.selection, let rule = judgement.analysis.selection else { return "" }
        let names = plan.shortNames
        let level = Figures.short(rule.level * 100)
        var text = ""
        for point in plan.points.indices {
            let rows = selection.rows.filter { $0.point == point }
            let scope = plan.axes.isEmpty ? "" : "\(findings.label(point)): "
            let zone = rows.first?.indifference.map { Figures.short($0, digits: 3) } ?? "-"
            let unit = plan.metrics.entries[primary].unit
            let within = "within \(Figures.short(rule.indifference * 100)) % (\(zone)\(unit == "1" ? "" : " " + unit))"
            if let best = rows.first(where: { $0.outcome == .selected }) {
                text +=
                    "\n\(scope)\(names[best.policy]) is selected: it is the best, or \(within) of the best, with a "
                text += "probability of at least \(level) %, after \(count(best.replications, "replication"))\n"
            } else {
                let left = rows.filter { $0.outcome == .left }.map { names[$0.policy] }
                text += "\n\(scope)no policy is selected yet; \(Figures.list(left)) are left\n"
            }
            let dropped = rows.filter { $0.outcome == .eliminated }.sorted {
                ($0.replications, $0.policy) < ($1.replications, $1.policy)
            }
            if !dropped.isEmpty {
                text += wrapped(
                    "dropped: "
                        + dropped.map { "\(names[$0.policy]) after \($0.replications)" }.joined(separator: ", "),
                    width: textWidth)
            }
        }
        let all = plan.policies.count * plan.points.count * plan.replications
        return text + "\(count(all - plan.wantedRuns, "run")) omitted\n"
    }

    /// Quantiles of the primary metric over replications; empty if none are requested.
    var quantileText: String {
        let fractions = judgement.analysis.quantiles
        guard !fractions.isEmpty, judgement.analysis.design == nil else { return "" }
        let metric = plan.metrics.entries[primary]
        var table = TextTable([.left] + fractions.map { _ in .right })
        table.add(["policy"] + fractions.map { "\(Figures.short($0 * 100)) %" })
        for point in plan.points.indices {
            for policy in plan.policies.indices {
                let scope = plan.axes.isEmpty ? "" : " at \(findings.label(point))"
                table.add(
                    [plan.policies[policy].name + scope]
                        + fractions.map { cell($0, policy: policy, point: point) })
            }
        }
        let unit = metric.unit == "1" ? "" : " (\(metric.unit))"
        return "\nquantiles of \(metric.name)\(unit) over replications\n" + table.text
    }

    private func cell(_ fraction: Double, policy: Int, point: Int) -> String {
        guard let found = judgement.quantile(fraction, metric: primary, policy: policy, point: point) else {
            return "-"
        }
        guard let low = found.low, let high = found.high else {
            return "too few: \(found.n) of \(QuantileInterval.fewest(fraction, level: judgement.analysis.level)) needed"
        }
        return Figures.short(found.value) + " ["
            + [low, high].map { Figures.short($0, digits: 3) }.joined(separator: ", ")
            + "]"
    }
}
