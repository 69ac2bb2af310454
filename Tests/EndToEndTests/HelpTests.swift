// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// Help, completion, manual and installation, all made of what the verbs declare.
@Suite(.serialized) struct HelpTests {
    /// The commands of an overview: of the program, or of a command that stands for several verbs.
    static func commands(of words: String...) throws -> [String] {
        let laboratory = try Laboratory()
        let lines = try laboratory.start(words + ["-h"]).ending().out
            .split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { ["Main commands, in order of use:", "Commands:"].contains($0) })
        return lines[(first + 1)...].prefix { !$0.isEmpty }.filter { $0.hasPrefix("  ") && !$0.hasPrefix("     ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// What a user types for each verb: commands, their words, and the flags that make another verb of one.
    static func verbs() throws -> [String] {
        var found = try commands()
        for group in ["cluster", "lab", "data", "shell"] {
            found += try commands(of: group).map { "\(group) \($0)" }
        }
        return found + ["check --plan", "run --status", "why --sensitivity", "report --trace"]
            + ["repeat DIR", "repeat report.html"]
    }

    private static let ofPython: Set<String> = ["cluster submit", "tune"]
    private static let without: Set<String> = ["lab environment"]  // no example: the Python package starts it

    @Test func `the first screen has 24 lines of 80 columns at most, and shows the road`() throws {
        let laboratory = try Laboratory()
        let lines = try laboratory.run().out.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(lines.count)")
        #expect(try Self.commands().prefix(8) == ["new", "check", "run", "compare", "why", "ask", "twin", "report"])
        #expect(try Self.commands().count == 18)
    }

    @Test func `old names work, and say what they are now`() throws {
        let laboratory = try Laboratory()
        for (old, new) in [
            ("plan", "check --plan"), ("status", "run --status"), ("weigh", "why --sensitivity"),
            ("trace", "report --trace"), ("show", "list --whole"), ("verify", "repeat"), ("replay", "repeat"),
            ("reproduce", "repeat"), ("init", "cluster init"), ("exec", "cluster exec"), ("merge", "cluster merge"),
            ("submit", "cluster submit"), ("battery", "lab battery"), ("scenario", "lab scenario"),
            ("would-kill", "lab would-kill"), ("coverage", "lab coverage"), ("environment", "lab environment"),
            ("import", "data import"), ("workload", "data workload"), ("completion", "shell completion"),
            ("man", "shell man"),
        ] {
            let ending = try laboratory.run(old, "-h")
            if new == "cluster submit" { continue }  // help comes from the Python package, or says how to install it
            #expect(
                ending.errors == "note: \(old) is now flotsam \(new); the old name works in this version only\n",
                "\(old): \(ending.errors)")
            #expect(ending.out == (try laboratory.shell("flotsam \(new) -h").out), "\(old)")
        }
        try laboratory.write("small.yaml")
        let old = try laboratory.run("plan", "small.yaml")
        let new = try laboratory.run("check", "--plan", "small.yaml")
        // What follows are estimates of time.
        #expect(old.code == 0 && old.out.prefix(80) == new.out.prefix(80))
    }

    @Test func `no table of a comparison is wider than the terminal, and none loses a cell`() throws {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 3, tables: "[runs]")
        #expect(try laboratory.run("run", "small.yaml", "-o", "a", "--quiet").code == 0)
        let wide = try laboratory.run("compare", "a").out
        #expect(wide.split(separator: "\n").contains { $0.count > 100 })
        for width in [100, 80] {
            let narrow = try laboratory.shell("COLUMNS=\(width) flotsam compare a").out
            for line in narrow.split(separator: "\n") where !line.contains("flotsam ") {
                #expect(line.count <= width, "\(line)")
            }
            let words = { (text: String) in Set(text.split { " \n(),".contains($0) }) }
            // A column without a cell is left out with its head.
            #expect(words(wide).subtracting(words(narrow)).isSubset(of: ["variance"]), "\(width)")
        }
    }

    @Test func `every verb helps on lines of 80 columns, with a usage and an example`() throws {
        let laboratory = try Laboratory()
        let verbs = try Self.verbs()
        #expect(verbs.count >= 30 && Set(verbs).count == verbs.count)
        for verb in verbs where !Self.ofPython.contains(verb) {
            let ending = try laboratory.shell("flotsam \(verb) -h")
            #expect(ending.code == 0 && ending.errors == "", "\(verb): \(ending.errors)")
            let typed = verb.hasPrefix("repeat ") ? "repeat" : verb
            #expect(ending.out.contains("Usage: flotsam \(typed)"), "\(verb)")
            if Self.without.contains(verb) { continue }
            let lines = ending.out.split(separator: "\n").map(String.init)
            let example = try #require(lines.firstIndex(of: "Example:"))
            #expect(lines[example + 1].contains("flotsam \(typed)"), "\(verb)")
            for line in lines[..<example] where line.count > 80 {
                // A list of words without a space cannot be folded.
                #expect(!line.dropFirst(40).contains(" "), "\(verb): \(line)")
            }
        }
    }

    @Test func `help about one thing a verb does shows the options of that alone`() throws {
        let laboratory = try Laboratory()
        let stats = try laboratory.run("data", "workload", "stats", "-h").out
        #expect(stats.contains("--json") && !stats.contains("--seed S") && !stats.contains("\n      --persona"))
        let generate = try laboratory.run("data", "workload", "generate", "-h").out
        #expect(generate.contains("--seed S") && !generate.contains("--json"))
        let aware = try laboratory.run("data", "import", "power-profile", "-h").out
        #expect(aware.contains("--output") && !aware.contains("--zone"))
        #expect(try laboratory.run("data", "import", "-h").out.contains("--zone"))
    }

    /// A folder as a fresh clone is after `make demo`, but with a smaller quickstart.
    private static func clone() throws -> Laboratory {
        let laboratory = try Laboratory()
        for name in ["docs", "models", "Tests", "plots", "python"] {
            try laboratory.link(name)
        }
        try FileManager.default.copyItem(
            at: Laboratory.package.appending(path: "experiments"), to: laboratory.folder.appending(path: "experiments"))
        var text = try laboratory.text("experiments/quickstart.yaml")
        for (key, value) in [("replications", "10"), ("duration", "3 d"), ("apps", "{catalog: everyday, count: 40}")] {
            text = text.replacing(try Regex("(?m)^\(key): .*$"), with: "\(key): \(value)")
        }
        text = text.replacing(try Regex("(?m)^policies:.*\n(  .*\n)+")) { _ in
            "policies: {eviction: [jetsam, lru], scheduling: [opportunistic, immediate]}\n"
        }
        try text.write(
            to: laboratory.folder.appending(path: "experiments/quickstart.yaml"), atomically: true, encoding: .utf8)
        let ending = try laboratory.run(
            "run", "experiments/quickstart.yaml", "-o", "results/quickstart", "--quiet")
        #expect(ending.code == 0, "\(ending.errors)")
        return laboratory
    }

    @Test func `every example in help works as it is printed`() throws {
        let laboratory = try Self.clone()
        let hasPackage = try laboratory.shell("python3 -c 'import flotsam, dask, optuna'").code == 0
        var tried = 0
        for verb in try Self.verbs() where !Self.without.contains(verb) {
            if !hasPackage, Self.ofPython.contains(verb) { continue }
            let lines = try laboratory.shell("flotsam \(verb) -h").out.split(separator: "\n").map(String.init)
            let index = try #require(lines.firstIndex { $0.hasPrefix("Example") }, "\(verb)")
            let ending = try laboratory.shell(lines[index + 1])
            #expect(ending.code == 0, "\(lines[index + 1]): \(ending.out.suffix(600)) \(ending.errors.suffix(600))")
            tried += 1
        }
        #expect(tried >= 29)
    }

    @Test func `bash completes commands, options, words and files`() throws {
        let laboratory = try Laboratory()
        try Data().write(to: laboratory.folder.appending(path: "mine.yaml"))
        func completed(_ words: String...) throws -> Set<String> {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            let script = """
                eval "$(flotsam shell completion bash)"; COMP_WORDS=(flotsam \(list)); COMP_CWORD=\(words.count)
                _flotsam; printf '%s\\n' "${COMPREPLY[@]}"
                """
            return Set(try laboratory.shell(script).out.split(separator: "\n").map(String.init))
        }
        #expect(try completed("c") == ["check", "compare", "cluster", "cite"])
        #expect(try completed("run", "--q") == ["--quiet"])
        #expect(try completed("run", "--color", "a") == ["auto", "always"])
        #expect(try completed("list", "pe") == ["personas"])
        #expect(try completed("run", "mi") == ["mine.yaml"])
        #expect(try completed("compare", "--me") == ["--metric"])
        #expect(try completed("compare", "--metric", "relaunches") == ["relaunches_per_day"])
        #expect(try completed("lab", "would-kill", "--policy", "lru") == ["lru", "lru-2"])
        #expect(try completed("lab", "b") == ["battery"])
        #expect(try completed("data", "import", "jets") == ["jetsam-report"])
    }

    @Test(arguments: ["zsh", "fish"]) func `scripts for other shells are read without an error`(shell: String) throws {
        let laboratory = try Laboratory()
        let script = try laboratory.run("shell", "completion", shell).out
        // Every verb and every option stands in it; the shell itself reads it where it is installed.
        for verb in try Self.commands() { #expect(script.contains(verb), "\(verb)") }
        #expect(script.contains(shell == "zsh" ? "--on-error" : "-l on-error"))
        guard try laboratory.shell("command -v \(shell)").code == 0 else { return }
        let ending = try laboratory.shell("flotsam shell completion \(shell) > c; \(shell) -n c")
        #expect(ending.code == 0 && ending.errors == "", "\(ending.errors)")
    }

    @Test func `an unknown shell is named with the nearest one`() throws {
        let ending = try Laboratory().run("shell", "completion", "bahs")
        #expect(ending.code == 1)
        #expect(
            ending.errors == """
                flotsam shell completion: no completion for "bahs"
                hint: did you mean "bash"?
                Try 'flotsam shell completion --help'.

                """)
    }

    @Test func `manual pages hold what help holds`() throws {
        let laboratory = try Laboratory()
        let verbs = try Self.commands()
        let all = try laboratory.run("shell", "man", "-o", "man1")
        #expect(all.code == 0 && all.out == "man1: \(verbs.count + 1) pages\n", "\(all.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: laboratory.folder.path + "/man1")
        #expect(Set(names) == Set(["flotsam.1"] + verbs.map { "flotsam-\($0).1" }))
        let run = try laboratory.text("man1/flotsam-run.1")
        #expect(run.hasPrefix(".TH FLOTSAM\\-RUN 1 "))
        #expect(run.contains(".TP\n.B \\-o, \\-\\-output DIR\nDirectory of results"))
        #expect(run.contains(".SH EXAMPLE\n.nf\nflotsam run experiments/quickstart.yaml"))
        let page = try laboratory.run("shell", "man").out
        #expect(page.contains(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\n"))
        for verb in verbs {
            let escaped = "flotsam\\-" + verb.replacing("-", with: "\\-")
            #expect(page.contains(".BR \(escaped) (1)\n"), "\(verb)")
        }
    }

    @Test func `an installed program finds its models, and its own name on the path`() throws {
        let laboratory = try Laboratory()
        let prefix = laboratory.folder.path + "/prefix"
        let source = Laboratory.package.path
        let installed = try laboratory.shell("'\(source)/packaging/install' \(Laboratory.program("flotsam")) \(prefix)")
        #expect(installed.code == 0, "\(installed.errors)")
        for file in [
            "share/flotsam/models/devices/iphone-13.yaml", "share/flotsam/experiments/quickstart.yaml",
            "share/bash-completion/completions/flotsam", "share/zsh/site-functions/_flotsam",
            "share/fish/vendor_completions.d/flotsam.fish", "share/man/man1/flotsam.1", "share/man/man1/flotsam-why.1",
            "include/flotsam_policy.h", "share/doc/flotsam/examples/foreign-policies/lru.c",
            "share/doc/flotsam/examples/foreign-policies/flotsam_policy.py",
        ] { #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(file)"), "\(file)") }
        let models = "cd / && unset FLOTSAM_MODELS && "
        let shown = try laboratory.shell(models + "\(prefix)/bin/flotsam list device iphone-14")
        let file = "\(prefix)/share/flotsam/models/devices/iphone-14.yaml"
        #expect(shown.out.contains(file), "\(shown.out)\(shown.errors)")
        // A hint names the program as the shell finds it: by its path, or by its name once the path leads there.
        let far = try laboratory.shell("'\(prefix)/bin/flotsam' new far.yaml")
        #expect(far.out.contains("next: \(prefix)/bin/flotsam check far.yaml, \(prefix)/bin/flotsam run far.yaml"))
        let near = try laboratory.shell("PATH='\(prefix)/bin':$PATH flotsam new near.yaml")
        #expect(near.out.contains("next: flotsam check near.yaml, flotsam run near.yaml"), "\(near.out)")
    }

    @Test func `the version names the model, the build and the commit, and is that of its file`() throws {
        let text = try Laboratory().run("--version").out
        let form = #/flotsam (\d+\.\d+\.\d+) \(model \d+, build [0-9a-f]{16}(?:, commit [0-9a-f]{12})?\)\n/#
        let version = try #require(text.wholeMatch(of: form)?.1, "\(text)")
        #expect(try SourceTree.text("VERSION") == version + "\n")
    }

    @Test func `a stripped copy of the program is the same build`() throws {
        let laboratory = try Laboratory()
        let copy = laboratory.folder.appending(path: "flotsam").path
        let words = ["-s", "-o", copy, Laboratory.program("flotsam")]
        #expect(try laboratory.start(words, program: "/usr/bin/strip").ending().code == 0)
        #expect(try laboratory.run("--version", program: copy).out == laboratory.run("--version").out)
    }
}
