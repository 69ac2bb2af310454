// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Recording
import Scenario

/// `flotsam coverage`: how often intervals of small experiments hold what a large one found.
enum CoverageVerb: Verb {
    static let name = "coverage"
    static let summary = "Shows how often intervals from few replications hold what all of them found"
    static let example = "flotsam coverage results/quickstart --group 5"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let group = arguments.option("--group", value: "N", help: "Replications in a group", default: 10)
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if group < 2 { arguments.report("--group expects at least 2, found \(group)") }
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let plan = try directory.plan()
        guard plan.replications >= 2 * group else {
            throw Diagnostics(
                "groups of \(group) need \(2 * group) replications or more, and \(plan.name) has \(plan.replications)",
                hint: "run it with --set replications=1000, or give a smaller --group")
        }
        let store = try RunStore(plan: plan, directory: directory, build: try directory.build())
        let judgement = Judgement(plan: plan, store: store)
        let study = CoverageStudy(judgement, store: store, group: group)
        let metrics = plan.metrics.entries.indices.filter { index in study.rows.contains { $0.metric == index } }
        let without = Findings(judgement).withoutValue(of: metrics).map { "\n" + wrapped($0, width: 100) } ?? ""
        return Console.out(text(study, plan) + without)
    }

    private static func text(_ study: CoverageStudy, _ plan: Plan) -> String {
        let level = Figures.short(study.level * 100)
        var text = "\(plan.name): \(plan.replications) replications in groups of \(study.group), "
        text += "paired against \(plan.policies[plan.baseline].name)\n\n"
        text += classes(study).text
        text += "\nby metric, over policies with at least \(CoverageStudy.fewestIntervals) intervals\n"
        text += metrics(study, plan).text
        return text + "\nnominal \(level) %; an interval is given where at least five pairs of a group differ; "
            + "holds: to 2 points\n"
    }

    /// Coverage by the share of replications in which two policies differ at all.
    private static func classes(_ study: CoverageStudy) -> TextTable {
        var table = TextTable([.left, .right, .right, .right, .right])
        table.add(["replications that differ", "comparisons", "with interval", "coverage", "wrong verdicts"])
        let bounds = [0, 0.02, 0.1, 0.3, 0.7, 0.95, 1]
        for (low, high) in zip(bounds, bounds.dropFirst()) {
            let rows = study.rows.filter { $0.differing > low && $0.differing <= high }
            let label = "\(Figures.short(low * 100)) to \(Figures.short(high * 100)) %"
            table.add([label, String(rows.count)] + sums(rows))
        }
        table.add(["all", String(study.rows.count)] + sums(study.rows))
        return table
    }

    private static func sums(_ rows: [CoverageStudy.Row]) -> [String] {
        let sum = { (value: (CoverageStudy.Row) -> Int) in rows.reduce(0) { $0 + value($1) } }
        let decided = sum(\.decided)
        return [
            percent(decided, of: sum(\.groups)), percent(sum(\.covered), of: decided),
            percent(sum(\.wrong), of: decided),
        ]
    }

    /// Coverage of each metric: the lowest of its policies, and over all of them.
    private static func metrics(_ study: CoverageStudy, _ plan: Plan) -> TextTable {
        var table = TextTable([.left, .right, .right, .right, .right, .left])
        table.add(["metric", "policies", "with interval", "coverage, lowest", "all", "at \(study.group)"])
        for (index, metric) in plan.metrics.entries.enumerated() {
            let all = study.rows.filter { $0.metric == index }
            let rows = all.filter { $0.decided >= CoverageStudy.fewestIntervals }
            guard !all.isEmpty else { continue }
            let decided = all.reduce(0) { $0 + $1.decided }
            let lowest = rows.min { $0.coverage < $1.coverage }
            let kept = rows.reduce(0) { $0 + $1.decided }
            let covered = rows.reduce(0) { $0 + $1.covered }
            let groups = all.reduce(0) { $0 + $1.groups }
            let standing = CoverageStudy.Standing(
                covered: covered, of: kept, isRare: 2 * decided < groups, level: study.level, spread: metric.spread,
                group: study.group)
            table.add([
                metric.name, String(rows.count), percent(decided, of: groups),
                lowest.map { percent($0.covered, of: $0.decided) } ?? "",
                rows.isEmpty ? "" : percent(covered, of: kept), words(standing, study.group),
            ])
        }
        return table
    }

    private static func words(_ standing: CoverageStudy.Standing, _ group: Int) -> String {
        switch standing {
        case .tooRare: "too rare for \(group)"
        case .tooFewGroups: "too few groups to tell"
        case .tellsFrom(let fewest): "too uneven for \(group), tells from \(fewest) on"
        case .tooUneven: "holds too seldom"
        case .holds: "holds"
        case .cautious: "holds, wider than need be"
        }
    }

    private static func percent(_ part: Int, of whole: Int) -> String {
        whole == 0 ? "-" : Figures.short(Double(part) / Double(whole) * 100, digits: 3) + " %"
    }
}
