// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import Scenario
import Statistics

/// Text for people about the groups that lose or win: sentences, then a table of the groups.
struct WhoText {
    let judgement: Judgement

    /// Text for each metric, the primary metric first, with the groups for every sweep point and policy.
    var text: String {
        let plan = judgement.plan
        let findings = Findings(judgement)
        var text = ""
        for metric in judgement.metricsOfPeople {
            for point in plan.points.indices {
                for policy in plan.policies.indices {
                    guard let who = judgement.whoLoses(metric: metric, policy: policy, point: point) else { continue }
                    let label = plan.axes.isEmpty ? "" : ", " + findings.label(point)
                    let names = plan.shortNames
                    text += "\n\(plan.metrics.entries[metric].name): \(names[policy]) against "
                    text += "\(names[judgement.baseline])\(label)\n" + table(who, metric)
                    guard plan.metrics.entries[metric].name == judgement.analysis.primary else { continue }
                    text += findings.who(policy, point).map { wrapped($0, width: textWidth) }.joined()
                }
            }
        }
        return String(text.drop { $0 == "\n" })
    }

    private func table(_ who: WhoLoses, _ metric: Int) -> String {
        let entry = judgement.plan.metrics.entries[metric]
        let sizes = who.rows.flatMap { [$0.paired.difference, $0.worstTenth] }.map(abs)
        let scale = ScaledUnit(entry.unit, largest: sizes.max() ?? 0)
        var table = TextTable([.left, .left, .left, .right, .right, .right, .right, .right, .right])
        let unit = scale.unit == "1" ? "" : ", " + scale.unit
        table.add([
            "trait", "group", "range", "people", "worse", "of them %", "difference" + unit, "worst tenth", "tau (p)",
        ])
        for (index, row) in who.rows.enumerated() {
            let isLast = index + 1 == who.rows.count || who.rows[index + 1].trait != row.trait
            table.add(cells(row, scale, isLast: isLast))
        }
        return table.text
    }

    /// Cells of a row; the last row of a trait contains Kendall's tau of that trait.
    private func cells(_ row: GroupRow, _ scale: ScaledUnit, isLast: Bool) -> [String] {
        let ends = [row.share.low, row.share.high].map { Figures.rough($0 * 100) }
        let share = "\(Figures.rough(row.share.share * 100)) [\(ends.joined(separator: ", "))]"
        var cells = [row.trait?.name ?? "", "everybody", "", String(row.people), String(row.harmed), share]
        cells += [scale.interval(row.paired), scale.short(row.worstTenth), ""]
        switch row.group {
        case .everybody: break
        case .third(let name, let from, let to):
            (cells[1], cells[2]) = (name, "\(Figures.rough(from)) to \(Figures.rough(to))")
        case .word(let name, _), .kind(let name): cells[1] = name
        }
        if isLast, let tau = row.tau, let p = row.tauP {
            cells[8] = "\(Figures.rough(tau)) (\(Figures.probability(p)))"
        }
        return cells
    }
}
