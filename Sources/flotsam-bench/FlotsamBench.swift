// SPDX-License-Identifier: GPL-3.0-or-later
// flotsam-bench measures the kernel, random streams, the killer and the whole phone, alone or beside peers doing the
// same work.
// In: the names of cases and a few options. Out: a table (or JSON lines) of medians, and ratios to peers and targets.
// It pins itself to one core, counts processor time, and draws fresh random numbers: short tables are learnt by the
// branch predictor. It holds no model of its own beyond the textbook ones.
// Read first: this file, then `Measurement.swift`, then a case, for instance `HoldCase.swift`.

import CommandLineArguments
import Platform

@main
struct FlotsamBench {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "steady" { exit(SteadyRun.main(Array(words.dropFirst()))) }
        exit(run(words))
    }

    private static func run(_ words: [String]) -> Int32 {
        let arguments = ArgumentReader(
            "flotsam-bench",
            summary: "Measures the speed of the event kernel, random streams, killer and phone on one core.",
            example: "flotsam-bench hold reschedule --peers", words: words)
        let withPeers = arguments.flag("--peers", help: "Run the same work in other engines and print ratios")
        let asJSON = arguments.flag("--json", help: "Print one JSON object per measurement")
        let core = arguments.option(
            "--core", value: "N", help: "Number of the processor that runs the benchmark", default: 0)
        let mostRuns = arguments.option(
            "--runs", value: "N", help: "Largest number of runs of an artificial experiment (case experiments)",
            default: 100_000)
        let names = arguments.operands("CASE", help: "\(Case.allNames), or all (the default)", 0...20)
        if arguments.wantsHelp {
            print(arguments.help)
            return 0
        }
        let unknown = names.filter { $0 != "all" && Case(rawValue: $0) == nil }
        for name in unknown {
            arguments.report("unknown case \"\(name)\"", hint: "the cases are \(Case.allNames) and all")
        }
        if let problem = arguments.problem {
            fputs(problem, stderrStream())
            return 2
        }
        let isPinned = pinToCore(core)
        let cases = names.isEmpty || names.contains("all") ? Case.allCases : names.compactMap(Case.init)
        let report = Report(asJSON: asJSON)
        if !isPinned { report.remark("could not stay on processor \(core), so results may vary") }
        #if DEBUG
            report.remark("this is a debug build, so its results are meaningless")
        #endif
        for one in cases { one.run(into: report, mostRuns: mostRuns) }
        if withPeers { Peers.run(cases: cases, into: report) }
        report.printComparisons()
        return 0
    }
}

/// Cases that can be measured.
enum Case: String, CaseIterable {
    case hold, reschedule, phold, mm1, random, energy, phone, memory, background, policies, workload, experiments

    static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

    func run(into report: Report, mostRuns: Int) {
        switch self {
        case .hold: HoldCase.run(into: report)
        case .reschedule: RescheduleCase.run(into: report)
        case .phold: PholdCase.run(into: report)
        case .mm1: StationCase.run(into: report)
        case .random: RandomCase.run(into: report)
        case .energy: EnergyCase.run(into: report)
        case .phone: PhoneCase.run(into: report)
        case .memory: MemoryCase.run(into: report)
        case .background: BackgroundCase.run(into: report)
        case .policies: PoliciesCase.run(into: report)
        case .workload: WorkloadCase.run(into: report)
        case .experiments: ExperimentsCase.run(into: report, mostRuns: mostRuns)
        }
    }
}
