// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Phone
import Quantities
import Recording
import Scenario

/// `flotsam compare`: paired differences against a baseline, in a table.
enum CompareVerb: Verb {
    static let name = "compare"
    static let summary = "Shows which policy is better, by how much, and with what certainty"
    static let example = "flotsam compare results/quickstart --metric energy_wh_per_day --baseline lru+immediate"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let metrics: [String] = arguments.options(
            "--metric", "-m", value: "M", help: "Metric to show; the first is the primary one",
            choices: MetricCatalog.catalogue.names)
        let baseline = arguments.option(
            "--baseline", value: "NAME", help: "Policy to compare with (default: the experiment's)", as: String.self)
        let level = arguments.option(
            "--level", value: "'95 %'", help: "Confidence level (default: the experiment's)", as: String.self)
        let json = arguments.flag("--json", help: "Prints JSON")
        let isBrief = arguments.flag("--sentences", help: "Prints only the sentences below the tables")
        let isWhole = arguments.flag("--points", help: "Prints every point of a large sweep")
        let isColored = arguments.color()
        let who = arguments.flag("--who", help: "Prints the groups of a population that are better or worse off")
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        let share = level.flatMap { (try? UnitText.parse($0, as: .fraction)) ?? Double($0) }
        if let level, !(share.map { (0.5...0.9999).contains($0) } ?? false) {
            arguments.report(
                "--level expects a share from 50 % to 99.99 %, found \(level)", hint: "for instance '95 %'")
        }
        for metric in metrics {
            do throws(MetricRequestError) {
                _ = try MetricCatalog.catalogue.request(metric)
            } catch {
                arguments.report(error.message, hint: error.hint)
            }
        }
        if let code = arguments.settled() { return code }
        let text = try text(
            paths[0], metrics: metrics, baseline: baseline, level: share, isColored: isColored, isWhole: isWhole)
        if who { return Console.out(try whoLoses(text.judgement, paths[0])) }
        return Console.out(
            json ? text.json.pretty : isBrief ? text.sentences + text.answer : text.text,
            isColored: isColored && !json && !isBrief)
    }

    /// Groups of people that lose under a policy; requires the runs of a population.
    private static func whoLoses(_ judgement: Judgement, _ path: String) throws(Diagnostics) -> String {
        guard judgement.plan.people != nil else {
            throw Diagnostics(
                "the runs of \(path) have no population, and all users of a persona are alike",
                hint: "write \"user: {population: smartphone-users, size: 200}\" in the experiment")
        }
        return WhoText(judgement: judgement).text
    }

    /// Comparison of the runs of a directory, including runs of another build, with a note about them.
    static func text(
        _ path: String, metrics: [String] = [], baseline: String? = nil, level: Double? = nil,
        isColored: Bool = false, isWhole: Bool = false
    ) throws -> ComparisonText {
        let directory = ResultDirectory(path)
        let plan = try directory.plan()
        let build = try directory.build()
        let store = try RunStore(plan: plan, directory: directory, build: build)
        if build != Build.current {
            Console.diagnose("\(directory.path): another build of flotsam made these results\n")
        }
        try store.checkWorkloads(of: plan)
        for metric in metrics where plan.metrics.index(of: metric) == nil {
            throw Diagnostics(
                "the runs of \(directory.path) do not have the metric \(metric)",
                hint: "to get a metric of an app, list the metric in the experiment under metrics: or targets:")
        }
        var rules = plan.analysis
        if let level { rules.level = level }
        if let first = metrics.first {
            rules.primary = first
            rules.shown = Array(metrics.dropFirst())
        }
        let chosen = try baseline.map { try plan.policy($0) }
        let judgement = Judgement(plan: plan, store: store, baseline: chosen, analysis: rules)
        return ComparisonText(
            judgement, store: store, in: directory, onlyNamed: !metrics.isEmpty, isColored: isColored,
            isWhole: isWhole)
    }
}
