// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Statistics

/// A comparison as people read it: the primary metric in full, then the others beside each other.
struct ComparisonText {
    /// Metrics that most questions touch, shown when the experiment names none.
    private static let common = [
        "launch_wait_s_per_day", "kills_per_day", "energy_wh_per_day", "background_energy_wh_per_day",
        "battery_pct_at_22h", "content_age_s_mean", "refreshes_per_day", "cellular_bytes_per_day",
    ]
    private static let metricsPerTable = 4

    let judgement: Judgement
    private let done: Int
    private let onlyNamed: Bool
    private let isColored: Bool

    init(_ judgement: Judgement, store: RunStore, onlyNamed: Bool = false) {
        self.judgement = judgement
        self.onlyNamed = onlyNamed
        done = judgement.plan.runs.filter { store[$0.number] != nil }.count
        isColored = Console.wantsColor
    }

    var plan: Plan { judgement.plan }
    var primary: Int { plan.metrics.index(of: judgement.analysis.primary) ?? 0 }

    var others: [Int] {
        let shown = judgement.analysis.shown
        let names = shown.isEmpty && !onlyNamed ? Self.common : shown
        return names.compactMap { plan.metrics.index(of: $0) }.filter { $0 != primary }
    }

    /// The whole text.
    var text: String {
        var text = heading
        for point in plan.points.indices {
            if !plan.axes.isEmpty {
                let values = zip(plan.axes, plan.points[point].values).map { "\($0) = \($1)" }
                text += "\n" + values.joined(separator: ", ") + "\n"
            }
            text += "\n" + primaryTable(point)
            let headroom = headroomTable(point)
            if !headroom.isEmpty { text += "\n" + headroom }
            var rest = others[...]
            while !rest.isEmpty {
                text += "\n" + otherTable(Array(rest.prefix(Self.metricsPerTable)), point)
                rest = rest.dropFirst(Self.metricsPerTable)
            }
        }
        text += sweepText
        if !others.isEmpty {
            text += "\nafter each mean: change from the baseline; + better, - worse, = equivalent, ? undecided\n"
            text += "exploratory: only the p-values of \(plan.metrics.entries[primary].name) are corrected\n"
        }
        for policy in plan.policies {
            for remark in policy.remarks { text += "note: \(policy.name) \(remark)\n" }
        }
        return text + oddities
    }

    private var heading: String {
        let rules = judgement.analysis
        var text = plan.question.isEmpty ? plan.name + "\n" : plan.name + ": " + plan.question + "\n"
        text += "\(done) of \(count(plan.runs.count, "run")), \(count(plan.replications, "replication")); "
        let baseline = plan.policies[judgement.baseline].name
        text += "paired against \(baseline), \(Figures.short(rules.level * 100)) % intervals, "
        return text + "equivalent within \(Figures.short(rules.equivalence(of: rules.primary) * 100)) %\n"
    }

    private func primaryTable(_ point: Int) -> String {
        let metric = plan.metrics.entries[primary]
        let adjusted = judgement.analysis.holm ? "p (Holm)" : "p"
        var table = TextTable([.left, .right, .right, .right, .right, .right, .left])
        table.add(["policy", "mean", "n", "difference", "relative", adjusted, "verdict"])
        for policy in plan.policies.indices {
            var cells = [plan.policies[policy].name, interval(policy, point), "", "", "", "", ""]
            cells[2] = String(summary(primary, policy, point)?.n ?? 0)
            if policy == judgement.baseline {
                cells[6] = "baseline"
            } else if let row = comparison(primary, policy, point), let paired = row.paired {
                cells[2] = String(paired.n)
                cells[3] = Figures.interval(paired)
                cells[4] = Figures.percent(paired.relative)
                cells[5] = Figures.probability(row.adjustedP)
                let judges = metric.better != .neutral || row.verdict == .equivalent
                cells[6] = judges || paired.isTooRare ? words(row.verdict, paired) : "neither way is better"
            } else {
                cells[6] = "no pair of values"
            }
            table.add(cells)
        }
        let unit = metric.unit == "1" ? "" : metric.unit + ", "
        return "\(metric.name) (\(unit)\(direction(metric))): \(metric.definition)\n" + table.text
    }

    private func otherTable(_ metrics: [Int], _ point: Int) -> String {
        var table = TextTable([.left] + metrics.map { _ in TextTable.Side.right })
        table.add(["policy"] + metrics.map { plan.metrics.entries[$0].name })
        for policy in plan.policies.indices {
            table.add([plan.policies[policy].name] + metrics.map { cell($0, policy, point) })
        }
        return table.text
    }

    private func cell(_ metric: Int, _ policy: Int, _ point: Int) -> String {
        guard let mean = summary(metric, policy, point)?.mean else { return "-" }
        let text = Figures.short(mean)
        guard policy != judgement.baseline else { return text + padding }
        guard let row = comparison(metric, policy, point), let paired = row.paired else { return text + padding }
        let change = Figures.percent(paired.relative)
        let space = String(repeating: " ", count: max(1, 10 - change.count))
        // A metric that describes and does not judge gets a mark only when nothing changed.
        let judges = plan.metrics.entries[metric].better != .neutral || row.verdict == .equivalent
        return text + space + change + " " + (judges ? paint(mark(row.verdict), row.verdict) : " ")
    }

    private var padding: String { String(repeating: " ", count: 12) }

    private func interval(_ policy: Int, _ point: Int) -> String {
        guard let mean = summary(primary, policy, point) else { return "-" }
        return Figures.interval(mean.mean, mean.halfWidth)
    }

    private func summary(_ metric: Int, _ policy: Int, _ point: Int) -> MeanInterval? {
        judgement.summaryRow(metric: metric, policy: policy, point: point).interval
    }

    private func comparison(_ metric: Int, _ policy: Int, _ point: Int) -> ComparisonRow? {
        judgement.comparisonRow(metric: metric, policy: policy, point: point)
    }

    private func direction(_ metric: MetricList.Entry) -> String {
        switch metric.better {
        case .lower: "lower is better"
        case .higher: "higher is better"
        case .neutral: "neither way is better"
        }
    }

    private func words(_ verdict: Verdict, _ paired: PairedComparison) -> String {
        guard verdict == .undecided else { return paint(verdict.rawValue, verdict) }
        if paired.isTooRare { return "undecided: differs in \(paired.differing) of \(count(paired.n, "replication"))" }
        return paired.halfWidth.isFinite
            ? "undecided: more replications may tell" : "undecided: differs by the same in every replication"
    }

    private func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .better: "+"
        case .worse: "-"
        case .equivalent: "="
        case .undecided: "?"
        }
    }

    private func paint(_ text: String, _ verdict: Verdict) -> String {
        guard isColored, verdict == .better || verdict == .worse else { return text }
        return "\u{1b}[\(verdict == .better ? 32 : 31)m\(text)\u{1b}[0m"
    }
}
