// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Recording
import Scenario

/// `flotsam lab coverage`: estimates the coverage of intervals of small experiments from the results of a large one.
enum LabCoverageVerb: Verb {
    static let name = "coverage"
    static let summary = "Estimates the coverage of confidence intervals that use few replications"
    static let example = "flotsam lab coverage results/quickstart --group 5"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let group = arguments.option("--group", value: "N", help: "Replications in a group", default: 10)
        let json = arguments.flag("--json", help: "Prints JSON")
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if group < 2 { arguments.report("--group expects at least 2, found \(group)") }
        if group > RunLimit.replications {
            arguments.report("--group expects at most \(RunLimit.replications), found \(group)")
        }
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let plan = try directory.plan()
        guard plan.replications >= 2 * group else {
            throw Diagnostics(
                "groups of \(group) need \(2 * group) replications or more, and \(plan.name) has \(plan.replications)",
                hint: "run the experiment with --set replications=1000, or give a smaller --group")
        }
        let store = try RunStore(plan: plan, directory: directory, build: try directory.build())
        let study = CoverageStudy(Judgement(plan: plan, store: store), store: store, group: group)
        return report(study, plan).out(json: json)
    }

    private static func report(_ study: CoverageStudy, _ plan: Plan) -> Report {
        let baseline = plan.policies[plan.baseline].name
        var report = Report()
        report.give([
            "name": .string(plan.name), "replications": .integer(plan.replications), "group": .integer(study.group),
            "baseline": .string(baseline), "level": .number(study.level),
        ])
        report.say("\(plan.name): \(plan.replications) replications in groups of \(study.group), ")
        report.say("paired against \(baseline)\n\n")
        report.table("classes", classes(study), Class.columns)
        report.say("\nby metric, over policies with at least \(CoverageStudy.fewestIntervals) intervals\n")
        report.table(
            "metrics", plan.metrics.entries.indices.compactMap { Class($0, study, plan) },
            [
                .left("metric", "metric") { Report.Cell($0.label) },
                .right("policies", "policies") { Report.Cell($0.kept.count) },
                .right("with interval", "with_interval") { share($0.decided, of: $0.sum(\.groups)) },
                .right("coverage, lowest", "lowest_coverage") { group in
                    group.lowest.map { share($0.covered, of: $0.decided) } ?? Report.Cell("", .null)
                },
                .right("all", "coverage") { group in
                    group.kept.isEmpty
                        ? Report.Cell("", .null)
                        : share(group.kept.reduce(0) { $0 + $1.covered }, of: group.kept.reduce(0) { $0 + $1.decided })
                },
                .left("at \(study.group)", "standing") { group in
                    Report.Cell(group.standing.map { words($0, study.group) } ?? "")
                },
            ])
        addFamilies(of: study, plan, to: &report)
        if !study.withoutValue.isEmpty { report.say("\npairs without a value, which are left out of all groups\n") }
        report.table(
            "without_value", study.withoutValue, isHeaded: !study.withoutValue.isEmpty,
            [
                .left("metric", "metric") { Report.Cell(plan.metrics.entries[$0.metric].name) },
                .right("pairs", "pairs") { Report.Cell($0.pairs) }, .right("of", "of") { Report.Cell($0.of) },
            ])
        report.say(
            "\nthe nominal coverage is \(Figures.short(study.level * 100)) %; an interval is computed if at least ")
        report.say("five pairs of a group differ; the verdict \"nominal\" means a coverage within 2 points of it\n")
        return report
    }

    /// Joint results of the comparisons of each metric, the primary metric first.
    private static func addFamilies(of study: CoverageStudy, _ plan: Plan, to report: inout Report) {
        let families = study.families.filter { $0.decided >= CoverageStudy.fewestIntervals }
        guard !families.isEmpty else { return }
        report.say(
            "\nall comparisons of a metric together, with intervals corrected for their number "
                + "(\(plan.analysis.correction.rawValue))\n"
        )
        let lines = families.map { (plan.metrics.entries[$0.metric].name, [$0]) } + [("all", families)]
        report.table(
            "families", lines,
            [
                .left("metric", "metric") { Report.Cell($0.0) },
                .right("comparisons", "comparisons") { Report.Cell($0.1.reduce(0) { $0 + $1.comparisons }) },
                .right("groups", "groups") { Report.Cell($0.1.reduce(0) { $0 + $1.decided }) },
                .right("all cover", "coverage") { share(of: $0.1, \.covered) },
                .right("any wrong verdict", "wrong_verdicts") { share(of: $0.1, \.wrong) },
            ])
    }

    private static func share(of families: [CoverageStudy.Family], _ part: (CoverageStudy.Family) -> Int) -> Report.Cell
    {
        share(families.reduce(0) { $0 + part($1) }, of: families.reduce(0) { $0 + $1.decided })
    }

    /// Rows of a study that get one joint verdict.
    private struct Class {
        let label: String
        let rows: [CoverageStudy.Row]
        /// Reliability of the intervals of the metric; nil if the rows belong to several metrics.
        var standing: CoverageStudy.Standing?

        var decided: Int { sum(\.decided) }
        /// Rows with enough intervals for an estimate of coverage.
        var kept: [CoverageStudy.Row] { rows.filter { $0.decided >= CoverageStudy.fewestIntervals } }
        var lowest: CoverageStudy.Row? { kept.min { $0.coverage < $1.coverage } }

        init(_ label: String, _ rows: [CoverageStudy.Row]) { (self.label, self.rows) = (label, rows) }

        /// Creates the class of all rows of a metric; nil if the metric has no rows, because it never differs.
        init?(_ index: Int, _ study: CoverageStudy, _ plan: Plan) {
            let metric = plan.metrics.entries[index]
            self.init(metric.name, study.rows.filter { $0.metric == index })
            if rows.isEmpty { return nil }
            standing = CoverageStudy.Standing(
                covered: kept.reduce(0) { $0 + $1.covered }, of: kept.reduce(0) { $0 + $1.decided },
                isRare: 2 * decided < sum(\.groups), level: study.level, spread: metric.spread, group: study.group)
        }

        func sum(_ value: (CoverageStudy.Row) -> Int) -> Int { rows.reduce(0) { $0 + value($1) } }

        static var columns: [Report.Column<Class>] {
            [
                .left("replications that differ", "differing") { Report.Cell($0.label) },
                .right("comparisons", "comparisons") { Report.Cell($0.rows.count) },
                .right("with interval", "with_interval") { share($0.decided, of: $0.sum(\.groups)) },
                .right("coverage", "coverage") { share($0.sum(\.covered), of: $0.decided) },
                .right("wrong verdicts", "wrong_verdicts") { share($0.sum(\.wrong), of: $0.decided) },
            ]
        }
    }

    /// Rows grouped by the share of replications in which two policies differ.
    private static func classes(_ study: CoverageStudy) -> [Class] {
        let bounds = [0, 0.02, 0.1, 0.3, 0.7, 0.95, 1]
        return zip(bounds, bounds.dropFirst()).map { low, high in
            Class(
                "\(Figures.short(low * 100)) to \(Figures.short(high * 100)) %",
                study.rows.filter { $0.differing > low && $0.differing <= high })
        } + [Class("all", study.rows)]
    }

    private static func words(_ standing: CoverageStudy.Standing, _ group: Int) -> String {
        switch standing {
        case .tooRare: "differences too rare for \(group)"
        case .tooFewGroups: "too few groups to judge"
        case .tellsFrom(let fewest): "too uneven for \(group); needs \(fewest)"
        case .tooUneven: "coverage too low"
        case .holds: "nominal"
        case .cautious: "coverage above nominal"
        }
    }

    private static func share(_ part: Int, of whole: Int) -> Report.Cell {
        let share = whole == 0 ? .nan : Double(part) / Double(whole)
        return Report.Cell(whole == 0 ? "-" : Figures.short(share * 100, digits: 3) + " %", share)
    }
}
