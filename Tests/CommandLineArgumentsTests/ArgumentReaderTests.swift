// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Testing

@Suite struct ArgumentReaderTests {
    func reader(_ words: String...) -> ArgumentReader {
        ArgumentReader("flotsam run", summary: "Runs an experiment.", words: words)
    }

    @Test func `options, flags and operands are taken in any order`() {
        let arguments = reader("a.yaml", "-j", "4", "--quiet", "--set", "a=1", "--set=b=2", "--output=dir")
        #expect(arguments.option("--jobs", "-j", value: "N", help: "", as: Int.self) == 4)
        #expect(arguments.option("--output", "-o", value: "DIR", help: "", as: String.self) == "dir")
        #expect(arguments.options("--set", value: "KEY=VALUE", help: "", as: String.self) == ["a=1", "b=2"])
        #expect(arguments.flag("--quiet", "-q", help: ""))
        #expect(arguments.operands("EXPERIMENT", help: "", 1...1) == ["a.yaml"])
        #expect(arguments.problem == nil)
    }

    @Test func `a short option may touch its value`() {
        let arguments = reader("-j8")
        #expect(arguments.option("--jobs", "-j", value: "N", help: "", default: 1) == 8)
    }

    @Test func `an unknown option is reported with the nearest one`() {
        let arguments = reader("a.yaml", "--outptu", "x")
        _ = arguments.option("--output", "-o", value: "DIR", help: "", as: String.self)
        _ = arguments.operands("EXPERIMENT", help: "", 1...2)
        #expect(
            arguments.problem == """
                flotsam run: unknown option --outptu
                hint: did you mean --output?
                Try 'flotsam run --help'.

                """)
    }

    @Test func `every problem is reported at once`() {
        let arguments = reader("--jobs", "many", "--output", "--level=high")
        _ = arguments.option("--jobs", value: "N", help: "", default: 1)
        _ = arguments.option("--output", value: "DIR", help: "", as: String.self)
        _ = arguments.option("--level", value: "L", help: "", default: 0.95)
        _ = arguments.operands("EXPERIMENT", help: "", 1...1)
        #expect(
            arguments.problem == """
                flotsam run: --jobs expects a whole number, found "many"
                flotsam run: --output needs a value DIR
                flotsam run: --level expects a number, found "high"
                flotsam run: EXPERIMENT is missing
                Try 'flotsam run --help'.

                """)
    }

    @Test func `too many words, a repeated option and a flag with a value are problems`() {
        let arguments = reader("a", "b", "-j", "1", "-j", "2", "--quiet=yes")
        _ = arguments.option("--jobs", "-j", value: "N", help: "", as: Int.self)
        _ = arguments.flag("--quiet", help: "")
        _ = arguments.operands("EXPERIMENT", help: "", 1...1)
        #expect(
            arguments.problem == """
                flotsam run: --jobs is given 2 times, expected once
                flotsam run: --quiet takes no value, found "--quiet=yes"
                flotsam run: unexpected argument "b"
                Try 'flotsam run --help'.

                """)
    }

    @Test func `words behind two hyphens and negative numbers are operands`() {
        let arguments = reader("-5", "-", "--", "--quiet", "-h")
        #expect(!arguments.flag("--quiet", help: ""))
        #expect(arguments.operands("X", help: "", 0...9) == ["-5", "-", "--quiet", "-h"])
        #expect(arguments.problem == nil)
        #expect(!arguments.wantsHelp)
    }

    @Test func `help shows what was declared`() {
        let arguments = ArgumentReader(
            "flotsam run", summary: "Runs an experiment.", example: "flotsam run a.yaml -j 2", words: ["-h"])
        _ = arguments.option("--jobs", "-j", value: "N", help: "Runs at once", default: 2)
        _ = arguments.flag("--quiet", help: "No progress")
        _ = arguments.operands("EXPERIMENT", help: "Experiment file", 1...1)
        #expect(arguments.wantsHelp)
        #expect(
            arguments.help == """
                Runs an experiment.

                Usage: flotsam run EXPERIMENT [options]

                Arguments:
                  EXPERIMENT  Experiment file

                Options:
                  -j, --jobs N  Runs at once (default: 2)
                      --quiet   No progress
                  -h, --help    Show this help

                Example:
                  flotsam run a.yaml -j 2

                """)
    }
}

@Suite struct VerbTableTests {
    let table = VerbTable(
        program: "flotsam", summary: "Simulates a phone.",
        verbs: [.init("run", "Run an experiment"), .init("compare", "Compare policies")])

    @Test func `a verb takes the words behind it`() {
        #expect(table.choose(["run", "a.yaml"]) == .verb("run", words: ["a.yaml"]))
        #expect(table.choose([]) == .help)
        #expect(table.choose(["--help"]) == .help)
        #expect(table.choose(["--version"]) == .version)
    }

    @Test func `an unknown verb is reported with the nearest one`() {
        #expect(
            table.choose(["comapre"])
                == .problem("flotsam: unknown command comapre\nhint: did you mean compare?\nTry 'flotsam --help'.\n"))
    }

    @Test func `help of a verb and misspelt options of the program are understood`() {
        #expect(table.choose(["help", "run"]) == .verb("run", words: ["--help"]))
        let text = "flotsam: unknown option --verison\nhint: did you mean --version?\nTry 'flotsam --help'.\n"
        #expect(table.choose(["--verison"]) == .problem(text))
    }

    @Test func `the overview lists every verb`() {
        #expect(
            table.help == """
                Simulates a phone.

                Usage: flotsam COMMAND [options]; for details, add --help

                Commands:
                  run      Run an experiment
                  compare  Compare policies

                """)
    }

    @Test func `the road of a newcomer comes first, and names of before lead to those of now`() {
        let table = VerbTable(
            program: "flotsam", summary: "Simulates a phone.",
            verbs: [.init("run", "Run an experiment"), .init("lab", "Try a part")], road: 1,
            renamed: ["battery": ["lab", "battery"]])
        #expect(
            table.help == """
                Simulates a phone.
                Usage: flotsam COMMAND [options]; for details, add --help

                Main commands, in order of use:
                  run  Run an experiment
                Other commands:
                  lab  Try a part

                """)
        #expect(table.choose(["battery", "-h"]) == .renamed(["lab", "battery"], words: ["-h"]))
        #expect(table.choose(["help", "battery"]) == .renamed(["lab", "battery"], words: ["--help"]))
        #expect(
            table.choose(["batery"])
                == .problem(
                    "flotsam: unknown command batery\nhint: did you mean flotsam lab battery?\nTry 'flotsam --help'.\n")
        )
    }
}
