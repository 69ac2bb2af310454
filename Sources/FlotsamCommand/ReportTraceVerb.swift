// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Experiments
import Recording

/// `flotsam report --trace`: writes a timeline of one run, or of two policies, for the Perfetto viewer.
enum ReportTraceVerb: Verb {
    static let name = "trace"
    static let summary = "Writes one run as a timeline for the Perfetto viewer (ui.perfetto.dev)"
    static let example = "flotsam report --trace results/quickstart#0 --against lru+opportunistic -o run.pftrace"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let output = arguments.option(
            "--output", "-o", value: "F.pftrace", help: "File to write (default: DIR/run-N.pftrace)", as: String.self)
        let against = arguments.option(
            "--against", value: "P", help: "Second policy to show below the first, for the same user", as: String.self)
        let experiment = arguments.experimentFile()
        let isForced = arguments.flag("--force", help: "Replaces a file that is not a timeline of flotsam")
        arguments.declareForeign()
        let references = arguments.operands(
            "DIR#RUN", help: "A run by number, token or policy/replication", 1...1)
        if let code = arguments.settled() { return code }
        let replay = try RunReplay(references[0], policies: setting.policies, experimentPath: experiment)
        let path = output ?? replay.directory.file("run-\(replay.run.number).pftrace")
        let target = OutputTarget(path, isForced: isForced, isNamed: output != nil)
        try target.check(mark: PerfettoTrace.mark)
        var timeline = Timeline()
        try timeline.add(replay, named: replay.policyName)
        if let against {
            let other = replay.sibling(policy: try replay.plan.policy(against))
            try timeline.add(other, named: other.policyName)
        }
        let bytes = timeline.bytes
        try target.write(bytes, mark: PerfettoTrace.mark)
        let size = Figures.short(Double(bytes.count) / 1e6, digits: 3)
        return Console.out("\(path) (\(size) MB): open it at https://ui.perfetto.dev, which keeps it on your machine\n")
    }
}
