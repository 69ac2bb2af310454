// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Experiments
import Files
import ForeignPolicies
import Platform
import Recording
import Scenario

/// `flotsam new`: writes an experiment with comments, as a starting point.
enum NewVerb: Verb {
    static let name = "new"
    static let summary = "Writes a commented experiment, or a policy, to start from"
    static let example = "flotsam new experiments/mine.yaml"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let isApp = arguments.flag("--app", help: "Writes an experiment about your own app, for flotsam ask")
        let language = arguments.option(
            "--policy", value: "LANGUAGE", help: "Writes a policy of your own instead: c, rust, swift or python",
            as: String.self)
        let kit = language.flatMap { PolicyKit(rawValue: $0) }
        if let language, kit == nil {
            arguments.report("--policy expects c, rust, swift or python, found \"\(language)\"")
        }
        if isApp, language != nil { arguments.report("--app and --policy exclude each other") }
        let files = arguments.operands("FILE", help: "File to write; it must not exist yet", 1...1)
        if let kit, let file = files.first, !file.hasSuffix(kit.ending) || FilePath.name(of: file) == kit.ending {
            arguments.report(
                "a policy in \(kit.rawValue) needs a file name such as mine\(kit.ending), found \"\(file)\"")
        }
        if let code = arguments.settled() { return code }
        let path = files[0]
        if access(path, F_OK) == 0 {
            Console.diagnose("error: \(path) exists already; nothing was written\n")
            return ExitCode.usage
        }
        if let kit { return try write(kit, path) }
        if !path.hasSuffix(".yaml"), !path.hasSuffix(".yml") {
            Console.diagnose("warning: \(path) will contain YAML, which editors recognise by the ending .yaml\n")
        }
        let text = isApp ? ExperimentTemplate.appText : ExperimentTemplate.text
        try replaceFile(path, with: text(experimentName(path), path))
        let next = "flotsam \(isApp ? "ask" : "run") \(shellWord(path))"
        return Console.out(Console.named("\(path) written; next: flotsam check \(shellWord(path)), \(next)\n"))
    }

    /// Writes a policy and the files that it needs next to it.
    private static func write(_ kit: PolicyKit, _ path: String) throws -> Int32 {
        var written: [String] = []
        for file in kit.files(path) {
            if file.isShared, FilePath.exists(file.path) {
                if try readFile(file.path) == Array(file.text.utf8) { continue }
                Console.diagnose("warning: \(file.path) exists and differs from the new file; the old one is kept\n")
                continue
            }
            try replaceFile(file.path, with: file.text)
            written.append(file.path)
        }
        let folder = FilePath.folder(of: path)
        let change = folder == "." ? "" : "cd \(shellWord(folder)) && "
        let build = kit.build(path).map { "; next:\n  \(change)\($0)\n" } ?? "\n"
        return Console.out(written.joined(separator: ", ") + " written" + build)
    }

    /// File name without folder and extension, as lower-case words joined by hyphens.
    private static func experimentName(_ path: String) -> String {
        let file = path.split(separator: "/").last ?? "experiment"
        let stem = file.prefix { $0 != "." }.lowercased()
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        let name = String(stem.prefix(100).map { allowed.contains($0) ? $0 : "-" }.drop { $0 == "-" })
        return name.isEmpty ? "experiment" : name
    }
}
