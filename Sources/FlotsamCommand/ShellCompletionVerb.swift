// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Diagnostics
import Files
import Phone

/// `flotsam shell completion`: prints the completion script for a shell.
enum ShellCompletionVerb: Verb {
    static let name = "completion"
    static let summary = "Prints the completion script of a shell"
    static let example = "flotsam shell completion bash"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let shells = Completion.Shell.allCases.map(\.rawValue)
        let words = arguments.operands("SHELL", help: shells.joined(separator: ", "), 1...1, choices: shells)
        if let word = words.first, !shells.contains(word) {
            arguments.report("no completion for \"\(word)\"", hint: nameHint(word, in: shells))
        }
        if let code = arguments.settled() { return code }
        guard let shell = Completion.Shell(rawValue: words[0]) else { return ExitCode.usage }
        return Console.out(Completion.script(shell, program: "flotsam", commands: Commands.descriptions(setting)))
    }
}

/// `flotsam shell man`: prints manual pages, with the same content as `-h`.
enum ShellManVerb: Verb {
    static let name = "man"
    static let summary = "Prints a manual page, or writes all of them"
    static let example = "flotsam shell man run"

    static func run(_ arguments: ArgumentReader, _ setting: Setting) throws -> Int32 {
        let folder = arguments.option(
            "--output", "-o", value: "DIR", help: "Writes every page into this directory", as: String.self)
        let names = Commands.all.map { $0.name }
        let words = arguments.operands("COMMAND", help: "Command (default: the program itself)", 0...1)
        if let word = words.first, !names.contains(word) {
            arguments.report("no command \"\(word)\"", hint: nameHint(word, in: names))
        }
        if let code = arguments.settled() { return code }
        let manual = ManualPage(program: "flotsam", version: "flotsam \(FlotsamCommand.version)")
        let commands = Commands.descriptions(setting)
        let whole = manual.page(summary: FlotsamCommand.summary, commands: commands, sections: sections)
        guard let folder else {
            let command = words.first.flatMap { word in commands.first { $0.name == word } }
            return Console.out(command.map(manual.page) ?? whole)
        }
        try createDirectory(folder)
        try replaceFile("\(folder)/flotsam.1", with: whole)
        for command in commands {
            try replaceFile("\(folder)/flotsam-\(command.name).1", with: manual.page(command))
        }
        return Console.out("\(folder): \(count(commands.count + 1, "page"))\n")
    }

    private static var sections: [(title: String, lines: [(String, String)])] {
        [
            ("Exit status", ExitCode.meanings.map { (String($0.code), $0.meaning) }),
            (
                "Environment",
                [
                    ("FLOTSAM_MODELS", "the folder of models to read first"),
                    ("FLOTSAM_PYTHON", "the Python that runs submit and tune (default: python3)"),
                    ("PAGER", "program that shows lists longer than the screen; cat prints them whole (default: less)"),
                    ("NO_COLOR", "turns off colours on a terminal"),
                ]
            ),
            (
                "Files",
                [
                    (
                        "models/",
                        "devices, apps, personas and other models; searched in the folders of the experiment, the "
                            + "working directory and the program, in the folders above each, and in share/flotsam of "
                            + "the program's prefix"
                    ),
                    ("results/NAME/", "output of flotsam run; columns.csv explains every column of every table"),
                ]
            ),
        ]
    }
}
