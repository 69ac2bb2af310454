// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import ForeignPolicies
import Measures
import Phone
import Quantities
import Recording
import Scenario

/// `flotsam report`: writes one page about a directory of results, small enough for mail.
///
/// The script that draws the page replaces this process.
enum ReportVerb: Verb {
    static let name = "report"
    static let summary = "Writes one page that you can mail; --trace: a timeline of one run"
    static let example = "flotsam report results/quickstart"
    static var modes: [(flag: String, verb: any Verb.Type)] { [("--trace", ReportTraceVerb.self)] }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "FILE", help: "File to write (default: DIR/report.html)", as: String.self)
        let metric = arguments.option(
            "--metric", value: "M", help: "Primary metric of the page (default: the experiment's)",
            choices: MetricCatalog.catalogue.names, as: String.self)
        let again = arguments.option(
            "--again", value: "N", help: "Replications to repeat for the charts of hours, kills and apps", default: 10)
        let user = arguments.option(
            "--user", value: "N", help: "Replication whose day is shown, from 0", default: 0)
        let day = arguments.option(
            "--day", value: "N", help: "Day that is shown, from 0 (default: the first after the warm-up)", as: Int.self)
        let opens = arguments.flag("--open", help: "Shows the page in the browser")
        let json = arguments.flag("--json", help: "Prints the data of the page, and writes no page")
        arguments.declareForeign()
        arguments.declareModes(Self.self)
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if again < 0 { arguments.report("--again expects at least 0, found \(again)") }
        if let code = arguments.settled() { return code }
        if json {
            let shown = (user: user, day: day)
            return Console.out(try material(paths[0], metric: metric, again: again, shown, setting).compact)
        }
        // Problems of the directory are reported here, before the script starts.
        _ = try ResultDirectory(paths[0]).plan()
        var words = [paths[0], "--again", String(again), "--user", String(user)] + (output.map { ["-o", $0] } ?? [])
        if let day { words += ["--day", String(day)] }
        if setting.allowsForeign { words.append(ForeignGate.option) }
        if opens { words.append("--open") }
        return try PlotScript.handOver("report", words + (metric.map { ["--metric", $0] } ?? []))
    }

    /// Data of the page in addition to the tables.
    private static func material(
        _ path: String, metric: String?, again: Int, _ shown: (user: Int, day: Int?), _ setting: Setting
    ) throws -> JSONValue {
        let text = try CompareVerb.text(path, metrics: metric.map { [$0] } ?? [])
        guard case .object(var members) = text.json else { return .null }
        members["fingerprints"] = .array(text.fingerprints.map { $0.map { .string(hexadecimal($0)) } ?? .null })
        if again > 0 {
            do {
                members["details"] = try ReportDetails(path, replications: again, policies: setting.policies).json
            } catch let problem as Diagnostics {
                members["without_details"] = .string(problem.description)
            }
            if members["details"] != nil { members["days"] = try days(path, text, shown, setting) }
        }
        return .object(members)
    }

    /// Largest number of sweep points with a day on the page; if the sweep has more points, it is sampled evenly.
    private static let mostPoints = 4

    /// Days of one user at some points, under the baseline and the best other policy at each point.
    private static func days(
        _ path: String, _ text: ComparisonText, _ shown: (user: Int, day: Int?), _ setting: Setting
    ) throws -> JSONValue {
        let first = try RunReplay(path + "#0", policies: setting.policies)
        let plan = first.plan
        let (warmup, duration) = (first.experiment.warmup / .day, first.experiment.duration / .day)
        let day = shown.day ?? Int(min(warmup.rounded(.up), duration.rounded(.up) - 1))
        let count = min(plan.points.count, mostPoints)
        return .array(
            try (0..<count).map { number in
                let point = number * (plan.points.count - 1) / max(1, count - 1)
                let ranked = text.findings.ranking(point)?.entries.map(\.policy) ?? []
                let policies = [plan.baseline] + ranked.filter { $0 != plan.baseline }.prefix(1)
                let picture = try DayPicture(
                    first, replication: shown.user, point: point, policies: policies, day: day, share: 1 / Double(count)
                )
                return picture.json(at: text.findings.label(point))
            })
    }
}
