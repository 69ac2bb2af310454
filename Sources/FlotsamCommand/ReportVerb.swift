// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import ForeignPolicies
import Measures
import Phone
import Recording

/// `flotsam report`: one page to mail about a directory of results; hands over to the script that draws it.
enum ReportVerb: Verb {
    static let name = "report"
    static let summary = "Writes one page to mail; --trace: a timeline of one run"
    static let example = "flotsam report results/quickstart"
    static var modes: [(flag: String, verb: any Verb.Type)] { [("--trace", TraceVerb.self)] }

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "FILE", help: "File to write (default: DIR/report.html)", as: String.self)
        let metric = arguments.option(
            "--metric", value: "M", help: "Metric that decides (default: the experiment's)",
            choices: MetricCatalog.catalogue.names, as: String.self)
        let again = arguments.option(
            "--again", value: "N", help: "Replications to do again for hours, kills and apps", default: 10)
        let opens = arguments.flag("--open", help: "Shows the page in the browser")
        let json = arguments.flag("--json", help: "Print what the page is made of, and write no page")
        arguments.declareForeign()
        arguments.declareModes(Self.self)
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        if again < 0 { arguments.report("--again expects at least 0, found \(again)") }
        if let code = arguments.settled() { return code }
        if json { return Console.out(try material(paths[0], metric: metric, again: again, setting).compact) }
        // What is wrong with the directory is better said here than by the script.
        _ = try ResultDirectory(paths[0]).plan()
        var words = [paths[0], "--again", String(again)] + (output.map { ["-o", $0] } ?? [])
        if setting.allowsForeign { words.append(ForeignGate.option) }
        if opens { words.append("--open") }
        return try PlotScript.handOver("report", words + (metric.map { ["--metric", $0] } ?? []))
    }

    /// What the page is made of, beside the tables.
    private static func material(
        _ path: String, metric: String?, again: Int, _ setting: Setting
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
        }
        return .object(members)
    }
}
