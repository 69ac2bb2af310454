// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

/// Comparison for people: the primary metric in full, then a compact table of the other metrics.
struct ComparisonText {
    /// Metrics that are shown if the experiment does not name any.
    private static let common = [
        "launch_wait_s_per_day", "kills_per_day", "energy_wh_per_day", "background_energy_wh_per_day",
        "battery_pct_at_22h", "content_age_s_mean", "refreshes_per_day", "cellular_bytes_per_day",
    ]
    /// Metrics that are shown for each app for which the experiment requests all metrics.
    private static let commonOfApps = [
        "cold_launches_per_day", "relaunches_per_day", "kills_per_day", "launch_wait_s_per_day", "refreshes_per_day",
        "silent_push_delivered_share",
    ]
    private static let metricsPerTable = 2
    /// Smallest width of a terminal, in columns, for a compact table of the other metrics.
    private static let wideTable = 120

    let judgement: Judgement
    /// Findings of the comparison, computed once because the effects of a sweep take a while to compute.
    let findings: Findings
    /// Metrics shown in addition to the primary one.
    let others: [Int]
    private let store: RunStore
    private let results: ResultDirectory
    private var directory: String { shellWord(results.path) }
    private let isColored: Bool

    /// - Parameters:
    ///   - directory: Directory of the results, for the next command.
    ///   - isWhole: Whether every point of a large sweep is printed.
    init(
        _ judgement: Judgement, store: RunStore, in directory: ResultDirectory, onlyNamed: Bool = false,
        isColored: Bool = false, isWhole: Bool = false
    ) {
        self.judgement = judgement
        results = directory
        others = Self.others(judgement, onlyNamed: onlyNamed)
        findings = Findings(judgement, others: others, isWhole: isWhole)
        self.store = store
        self.isColored = isColored
    }

    var plan: Plan { judgement.plan }

    /// Fingerprints of the events of each run; nil for missing runs.
    var fingerprints: [UInt64?] { plan.runs.map { store[$0.number]?.outcome.fingerprint } }

    var primary: Int { plan.metrics.index(of: judgement.analysis.primary) ?? 0 }

    private static func others(_ judgement: Judgement, onlyNamed: Bool) -> [Int] {
        let (metrics, shown) = (judgement.plan.metrics, judgement.analysis.shown)
        var apps: [String] = []
        for request in metrics.ofApps {
            if let app = request.app, !apps.contains(app) { apps.append(app) }
        }
        let ofApps = apps.flatMap { app in commonOfApps.map { "\($0)(app=\(app))" } }
        let names = shown.isEmpty && !onlyNamed ? ofApps + common : shown
        let primary = metrics.index(of: judgement.analysis.primary) ?? 0
        return names.compactMap { metrics.index(of: $0) }.filter { $0 != primary }
    }

    /// Whole text: notes, tables, sentences, and last the answer, which stays on screen after a run.
    var text: String { body + answer }

    /// The text after runs: notes on the experiment, tables, names of files, then the answer.
    func text(after runs: ResultDirectory, notes: [String] = []) -> String {
        notes.map { wrapped("note: " + $0, width: textWidth) }.joined() + body
            + "\nresults: \(runs.file("runs.csv")) and the tables beside it\n" + answer
    }

    /// The text without the answer.
    private var body: String {
        var text =
            heading
            + findings.emptying.map { note in
                wrapped("note: " + note.prefix(1).lowercased() + note.dropFirst(), width: textWidth)
            }.joined()
        for point in tabled {
            if !plan.axes.isEmpty { text += "\n" + findings.label(point) + "\n" }
            text += "\n" + primaryTable(point)
            for table in [rankingTable(point), headroomTable(point)] where !table.isEmpty { text += "\n" + table }
            // At a single point, the sentences already contain it.
            if plan.points.count > 1 {
                for bound in [findings.bound(point), findings.fetchBound(point)] {
                    if let bound { text += wrapped(bound, width: textWidth) }
                }
            }
            var rest = others[...]
            while !rest.isEmpty {
                text += "\n" + otherTables(Array(rest.prefix(Self.metricsPerTable)), point)
                rest = rest.dropFirst(Self.metricsPerTable)
            }
        }
        text += quantileText + selectionText + sweepText + mapText + sensitivityText
        if !others.isEmpty { text += "\n" + fitting(judgement.exploratoryNote) }
        for policy in plan.policies {
            for remark in policy.remarks { text += "note: \(policy.name) \(remark)\n" }
        }
        let cautions = findings.cautions.map { wrapped("caution: " + $0, width: textWidth) }.joined()
        if tabled.isEmpty, plan.points.count > 1, judgement.analysis.design == nil {
            text += "\n\(plan.points.count) points: comparisons.csv and sweep_comparisons.csv contain all of them, and "
            text += "flotsam compare \(directory) --points prints them\n"
        }
        return (sentences.isEmpty ? text : text + "\n" + sentences) + cautions + oddities
    }

    /// The answer in five lines; empty if there is none.
    var answer: String {
        guard !answerLines.isEmpty else { return "" }
        let width = textWidth
        let text = answerLines.map { line in
            let head = "  \(line.name.prefix(1).uppercased() + line.name.dropFirst()): ".padded(to: 9)
            // A command stays on one line, so that it can be copied.
            if line.name == "next" { return head + line.text + "\n" }
            let lines = folded(line.text, width: width - 9).split(separator: "\n")
            return head + lines.joined(separator: "\n" + String(repeating: " ", count: 9)) + "\n"
        }
        return "\nThe answer\n" + Console.named(text.joined())
    }

    /// Lines of the answer, for the phone in the manifest.
    var answerLines: [Findings.AnswerLine] { findings.answer(in: directory, of: setting) }

    /// Phone, assumptions and validation in the manifest; nil if the manifest cannot be read.
    private var setting: Findings.AnswerSetting? {
        let manifest = try? results.manifest()
        let resolved = manifest?["experiment"]?["resolved"]?.string.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        let device = resolved?["experiment"]?["device"]
        let os = device?["os"]
        // A profile that the experiment sets replaces the system of the device, which is `base`.
        let system = os?.string ?? os?["profile"]?.string ?? os?["base"]?.string
        let phone = [device?["name"]?.string, system].compactMap { $0 }
        guard phone.count == 2 else { return nil }
        // The manifest has one phone; the predictions of the others depend on the swept device and system.
        let swept = ["device", "device.base", "device.os"].first(where: plan.axes.contains)
        let evidence =
            swept == nil
            ? Evidence(ModelLibrary.located()).clause(of: Evidence.Phone(device: phone[0], system: phone[1]))
            : "see each phone's validation"
        let text =
            switch swept {
            case nil: phone.joined(separator: " with ")
            case "device.os": "\(phone[0]) with each os of the sweep"
            default: "each device of the sweep"
            }
        let assumptions = manifest?["assumptions"]?.array?.count ?? 0
        return Findings.AnswerSetting(phone: text, assumptions: assumptions, evidence: evidence)
    }

    /// Sentences about the winner, the difference, its uncertainty and its costs, each on separate lines.
    var sentences: String { findings.sentences.map { wrapped($0, width: textWidth) }.joined() }

    /// Points whose tables are printed; none for a design or a large sweep, which have too many points.
    private var tabled: Range<Int> { judgement.analysis.design == nil ? findings.shownPoints : 0..<0 }

    private var heading: String {
        let rules = judgement.analysis
        var text = "\(plan.runs.count { store.holds($0.number) }) of \(count(plan.wantedRuns, "run")), "
        text += "\(count(plan.replications, "replication")); "
        let baseline = plan.policies[judgement.baseline].name
        text += "paired against \(baseline), \(Figures.short(rules.level * 100)) % intervals, "
        text += "equivalent within \(Figures.short(rules.equivalence(of: rules.primary) * 100)) %"
        return fitting(plan.question.isEmpty ? plan.name : plan.name + ": " + plan.question) + fitting(text)
    }

    private func primaryTable(_ point: Int) -> String {
        let metric = plan.metrics.entries[primary]
        let adjusted = judgement.analysis.correction.heading
        let scale = scale(primary, point)
        var table = TextTable([.left, .right, .right, .right, .right, .right, .right, .left], hasHead: true)
        table.add(["policy", "mean", "n", "difference", "relative", adjusted, "variance", "verdict"])
        for policy in plan.policies.indices {
            var cells = [plan.policies[policy].name, interval(policy, point, scale), "", "", "", "", "", ""]
            cells[2] = String(summary(primary, policy, point)?.n ?? 0)
            if policy == judgement.baseline {
                cells[7] = "baseline"
            } else if let row = comparison(primary, policy, point), let paired = row.paired {
                cells[2] = String(paired.n)
                cells[3] = scale.interval(paired)
                cells[4] = Figures.percent(paired.relative)
                cells[5] = Figures.probability(row.adjustedP)
                cells[6] = reduction(paired)
                cells[7] = words(row.verdict, paired)
            } else {
                cells[7] = "no pair of values"
            }
            table.add(cells)
        }
        return fitting("\(metric.name) (\(head(primary, scale))): \(metric.definition)") + table.text
            + fitting("variance: factor by which pairing on the same users reduced the variance of the difference")
    }

    /// Factor by which pairing reduced the variance of the difference; empty when unknown.
    private func reduction(_ paired: PairedComparison) -> String {
        let factor = paired.varianceReduction
        return factor.isFinite && factor > 0 && !paired.isTooRare ? "/ " + Figures.rough(factor) : ""
    }

    /// Ranks of the policies, with ties; empty for fewer than three rivals, because the verdicts already order them.
    private func rankingTable(_ point: Int) -> String {
        guard let ranking = findings.ranking(point), ranking.entries.count > 2 else { return "" }
        let scale = scale(primary, point)
        var table = TextTable([.right, .left, .right])
        table.add(["rank", "policy", "mean"])
        for entry in ranking.entries {
            table.add([entry.text, plan.policies[entry.policy].name, scale.short(entry.mean)])
        }
        let corrected = judgement.analysis.correction == .none ? "" : ", p corrected over all"
        return table.text
            + fitting(
                "rank: policies with the same rank are tied "
                    + "(\(count(ranking.comparisons, "comparison")) of pairs\(corrected))")
    }

    private func otherTables(_ metrics: [Int], _ point: Int) -> String {
        if Console.width ?? .max < Self.wideTable {
            return metrics.map { narrowTable($0, point) }.joined(separator: "\n")
        }
        let scales = metrics.map { scale($0, point) }
        var table = TextTable([.left] + metrics.flatMap { _ in [TextTable.Side.right, .right, .left] })
        table.add([""] + zip(metrics, scales).flatMap { ["", plan.metrics.entries[$0].name, head($0, $1)] })
        for policy in plan.policies.indices {
            let rest = zip(metrics, scales).flatMap { cells($0, policy, point, $1) }
            table.add([plan.policies[policy].name] + rest)
        }
        return table.text
    }

    /// Table of one metric, for a terminal that is too narrow for two metrics.
    private func narrowTable(_ metric: Int, _ point: Int) -> String {
        let scale = scale(metric, point)
        var table = TextTable([.left, .right, .right, .left])
        for policy in plan.policies.indices {
            table.add([plan.policies[policy].name] + cells(metric, policy, point, scale))
        }
        return fitting("\(plan.metrics.entries[metric].name) (\(head(metric, scale)))") + table.text
    }

    /// Mean, change from the baseline with its interval, and the verdict as a word.
    private func cells(_ metric: Int, _ policy: Int, _ point: Int, _ scale: ScaledUnit) -> [String] {
        guard let mean = summary(metric, policy, point)?.mean else { return ["-", "", ""] }
        let text = scale.short(mean)
        guard policy != judgement.baseline else { return [text, "", "baseline"] }
        guard let row = comparison(metric, policy, point), let paired = row.paired else { return [text, "", ""] }
        // For a metric without a preferred direction, the head of the table states this.
        let word = row.verdict == .neutral ? "" : paint(row.verdict.rawValue, row.verdict)
        return [text, change(paired, plan.metrics.entries[metric]), word]
    }

    /// Change as a share of the baseline, or in points for a metric that is a percentage.
    private func change(_ paired: PairedComparison, _ metric: MetricList.Entry) -> String {
        let isPercentage = metric.unit == "%"
        let text = isPercentage ? Figures.points(paired.difference) : Figures.percent(paired.relative)
        guard paired.halfWidth.isFinite, isPercentage || paired.baselineMean != 0 else { return text }
        let scale = isPercentage ? 1 : 100 / abs(paired.baselineMean)
        let ends = [paired.low, paired.high].map { Figures.rough($0 * scale) }
        return text + " [" + ends.joined(separator: ", ") + "]"
    }

    /// Unit and direction, for the head of a table.
    func head(_ metric: Int, _ scale: ScaledUnit) -> String {
        (scale.unit == "1" ? "" : scale.unit + ", ") + direction(plan.metrics.entries[metric])
    }

    /// Unit that fits the means of a metric at a point.
    func scale(_ metric: Int, _ point: Int) -> ScaledUnit {
        let means = plan.policies.indices.compactMap { summary(metric, $0, point)?.mean }
        return ScaledUnit(plan.metrics.entries[metric].unit, largest: means.map { abs($0) }.max() ?? 0)
    }

    private func interval(_ policy: Int, _ point: Int, _ scale: ScaledUnit) -> String {
        guard let mean = summary(primary, policy, point) else { return "-" }
        return Figures.interval(mean.mean * scale.factor, mean.halfWidth * scale.factor)
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

    func words(_ verdict: Verdict, _ paired: PairedComparison) -> String {
        guard verdict == .undecided else { return paint(verdict.rawValue, verdict) }
        return "undecided: " + (paired.reason ?? "more replications may decide")
    }

    private func paint(_ text: String, _ verdict: Verdict) -> String {
        guard isColored, verdict == .better || verdict == .worse else { return text }
        let colour = verdict == .better ? Console.Colour.green : .red
        return colour.rawValue + text + Console.Colour.none.rawValue
    }
}

extension String {
    /// The text padded with spaces to a number of columns.
    fileprivate func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - count))
    }
}
