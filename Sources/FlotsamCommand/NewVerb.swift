// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Files
import Glibc
import Recording
import Scenario

/// `flotsam new`: a commented experiment to start from.
enum NewVerb: Verb {
    static let name = "new"
    static let summary = "Writes a commented experiment to start from"
    static let example = "flotsam new experiments/mine.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let isApp = arguments.flag("--app", help: "An experiment about an app of one's own, for flotsam ask")
        let files = arguments.operands("FILE.yaml", help: "File to write; it must not exist yet", 1...1)
        if let code = arguments.settled() { return code }
        let path = files[0]
        if access(path, F_OK) == 0 {
            Console.diagnose("error: \(path) exists already; nothing was written\n")
            return ExitCode.usage
        }
        let text = isApp ? ExperimentTemplate.appText : ExperimentTemplate.text
        try replaceFile(path, with: text(experimentName(path), path))
        let next = "flotsam \(isApp ? "ask" : "run") \(shellWord(path))"
        return Console.out(Console.named("\(path) written; next: flotsam check \(shellWord(path)), \(next)\n"))
    }

    /// The file's name without folder and ending, in lower-case words joined by hyphens.
    private static func experimentName(_ path: String) -> String {
        let file = path.split(separator: "/").last ?? "experiment"
        let stem = file.prefix { $0 != "." }.lowercased()
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        let name = String(stem.prefix(100).map { allowed.contains($0) ? $0 : "-" }.drop { $0 == "-" })
        return name.isEmpty ? "experiment" : name
    }
}
