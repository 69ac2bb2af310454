// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Phone
import Recording
import Scenario

/// `flotsam cite`: prints a citation for the program, or for the results of a directory.
enum CiteVerb: Verb {
    static let name = "cite"
    static let summary = "Prints a citation for the program, or for a directory of results"
    static let example = "flotsam cite results/quickstart"

    private static let title = "Flotsam: a discrete-event simulator of a phone under energy and memory pressure"
    private static let authors = "The Flotsam engineers"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let paths = arguments.operands("DIR", help: "Directory of results (default: the program alone)", 0...1)
        if let code = arguments.settled() { return code }
        var (model, build, used) = (modelVersion, hexadecimal(Build.current), "")
        if let path = paths.first {
            let directory = ResultDirectory(path)
            let plan = try directory.plan()
            let versions = try directory.manifest()?["versions"]
            model = versions?["model"]?.string ?? model
            build = versions?["build"]?.string ?? build
            used =
                "\nExperiment: \(plan.name), \(count(plan.wantedRuns, "run")), seed \(plan.seed), "
                + "plan \(hexadecimal(plan.hash)).\n"
        }
        let version = FlotsamCommand.version
        return Console.out(
            """
            \(authors). \(title).
            Version \(version), model \(model), build \(build). GPL-3.0-or-later.
            \(used)
            @software{flotsam,
              title   = {{\(title)}},
              author  = {{\(authors)}},
              version = {\(version)},
              note    = {model \(model), build \(build)},
              license = {GPL-3.0-or-later}
            }

            """)
    }
}
