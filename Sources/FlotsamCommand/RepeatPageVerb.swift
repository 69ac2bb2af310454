// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Recording
import Scenario

/// `flotsam repeat`: repeats the results of a page from the page alone, and compares them with the page.
enum RepeatPageVerb: Verb {
    static let name = "reproduce"
    static let summary = "Repeats the runs of a report and checks that the results match the page"
    static let example = "flotsam repeat results/quickstart/report.html -o results/again"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "DIR", help: "Directory of the new results (default: results/NAME-again)",
            as: String.self)
        let replications = arguments.option(
            "--replications", value: "N", help: "Only the first N replications (default: all of the page)", as: Int.self
        )
        let jobs = arguments.option(
            "--jobs", "-j", value: "N", help: "Number of runs at the same time", default: HostDescription.processors)
        let quiet = arguments.flag("--quiet", "-q", help: "No progress")
        arguments.declareForeign()
        let pages = arguments.operands("report.html", help: "A page that flotsam report wrote", 1...1)
        if jobs < 1 { arguments.report("--jobs expects at least 1, found \(jobs)") }
        if let replications, replications < 1 {
            arguments.report("--replications expects at least 1, found \(replications)")
        }
        if let code = arguments.settled() { return code }
        let page = try Reproduction(page: pages[0])
        let directory = ResultDirectory(output ?? "results/\(page.name)-again")
        let file = try page.experimentFile(beside: directory.path)
        let number = min(replications ?? page.replications, page.replications)
        let overrides = page.overrides.filter { !$0.hasPrefix("replications=") } + ["replications=\(number)"]
        let experiment = try loadExperiment(
            path: file, overrides: overrides, catalog: setting.policies, recordsValues: true)
        let plan = Plan(experiment)
        let session = RunSession(
            plan: plan, directory: directory, content: ManifestContent(experiment, overrides: overrides))
        let printer = ProgressPrinter(isQuiet: quiet)
        let outcome = try session.carryOut(
            jobs: jobs, worker: WorkerVerb.command(experiment), report: { printer.show($0) },
            notice: { printer.interrupt(with: $0) })
        printer.clear()
        guard outcome.exitCode == ExitCode.ok else {
            Console.diagnose(
                "\(outcome.done) of \(count(outcome.total, "run")) done; run the same command again for the rest\n")
            if let problem = outcome.problem { Console.diagnose(problem + "\n") }
            return outcome.exitCode
        }
        return conclude(page.findings(plan, outcome.store), directory.path)
    }

    private static func conclude(_ findings: Reproduction.Findings, _ path: String) -> Int32 {
        if findings.different.isEmpty {
            let all = findings.runs == 1 ? "the run matches" : "all \(findings.runs) runs match"
            return Console.out("\(path): \(all) the page bit for bit\n")
        }
        let listed = findings.different.prefix(6).map(String.init).joined(separator: ", ")
        let more = findings.different.count > 6 ? ", …" : ""
        let text = "\(path): \(findings.different.count) of \(count(findings.runs, "run")) differ from those on "
        let code = Console.out(text + "the page (\(listed)\(more))\n")
        if findings.isContradiction {
            Console.diagnose(
                "error: model, libraries and arithmetic are the same, but the runs differ: this program is another "
                    + "build, or one of the two builds is not deterministic\n")
        } else {
            Console.diagnose(
                "this machine differs from the one that made the page: \(findings.versions.joined(separator: "; "))\n")
        }
        let missed = findings.isContradiction ? ExitCode.nonDeterminism : ExitCode.missed
        return code == ExitCode.ok ? missed : code
    }
}
