// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Quantities
import Recording
import Scenario

/// `flotsam repeat`: repeats a sample of stored runs and compares each with its record, bit for bit.
enum RepeatSampleVerb: Verb {
    static let name = "verify"
    static let summary = "Repeats a sample of the stored runs bit for bit; exit code 4 when one differs"
    static let example = "flotsam repeat results/quickstart --sample '5 %'"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let text = arguments.option("--sample", value: "SHARE", help: "Share of the finished runs", default: "1 %")
        let seed = arguments.option("--seed", value: "S", help: "Seed of the sample", default: UInt64(0))
        let experiment = arguments.experimentFile()
        arguments.declareForeign()
        let paths = arguments.operands("DIR", help: "Directory of results", 1...1)
        let share = try? UnitText.parse(text, as: .fraction)
        if share.map({ $0 > 0 && $0 <= 1 }) != true {
            arguments.report("--sample expects a share above 0 up to 100 %, found \"\(text)\"")
        }
        if let code = arguments.settled() { return code }
        let directory = ResultDirectory(paths[0])
        let verification = try Verification(
            directory, share: share ?? 0, seed: seed, policies: setting.policies, experimentPath: experiment)
        var failed = 0
        for run in verification.sample {
            let differences = try verification.differences(of: run)
            guard !differences.isEmpty else { continue }
            failed += 1
            Console.diagnose(
                "run \(run.number) of \(directory.path) differs: "
                    + differences.prefix(6).joined(separator: ", ") + "\n")
        }
        let runs = count(verification.sample.count, "run")
        guard failed == 0 else {
            Console.diagnose("error: not deterministic: \(failed) of \(runs) differ\n")
            return ExitCode.nonDeterminism
        }
        let all = verification.sample.count == 1 ? "the result matches" : "all results match"
        return Console.out("\(directory.path): \(runs) repeated; \(all) bit for bit\n")
    }
}
