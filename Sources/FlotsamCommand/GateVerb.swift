// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Measures
import Recording

/// `flotsam gate`: checks conditions on results, with an exit code for continuous integration.
enum GateVerb: Verb {
    static let name = "gate"
    static let summary = "Checks conditions on results; exit code 2 if one is not met"
    static let example = "flotsam gate results/quickstart 'relaunches_per_day(lru+opportunistic) <= 30'"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let words = arguments.operands(
            "DIR 'METRIC(POLICY) <= X'", help: "Directory of results, then one condition or more", 2...Int.max)
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(words[0])
        let plan = try directory.plan()
        let build = try directory.build()
        let store = try RunStore(plan: plan, directory: directory, build: build)
        let gates = try words.dropFirst().map { try Gate($0, plan: plan) }
        var table = TextTable([.left, .left, .right, .right, .right, .left])
        table.add(["condition", "at", "found", "n", "detectable miss", ""])
        var isMet = true
        for gate in gates {
            for finding in gate.findings(plan, store) {
                isMet = isMet && finding.outcome == .met
                table.add([
                    gate.text, plan.points[finding.point].values.joined(separator: ", "), found(finding),
                    String(finding.n), Figures.short(finding.detectable, digits: 2),
                    finding.outcome.rawValue
                        + (finding.wanted.map { ": all values are equal; \($0) replications would decide" } ?? "")
                        + (finding.withoutValue > 0 ? "; \(finding.withoutValue) without a value" : ""),
                ])
            }
        }
        let written = Console.out(table.text)
        return isMet ? written : ExitCode.missed
    }

    private static func found(_ finding: GateFinding) -> String {
        guard let mean = finding.mean else { return "-" }
        guard finding.low.isFinite, finding.high.isFinite else { return Figures.short(mean) }
        let ends = [finding.low, finding.high].map { Figures.short($0) }
        return Figures.short(mean) + " [" + ends.joined(separator: ", ") + "]"
    }
}
