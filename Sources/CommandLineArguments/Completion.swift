// SPDX-License-Identifier: GPL-3.0-or-later

/// Shell scripts that complete the command lines of a program.
public enum Completion {
    /// A shell.
    public enum Shell: String, Sendable, CaseIterable {
        case bash, zsh, fish
    }

    /// Script that completes the program's command lines in a shell.
    ///
    /// - Parameters:
    ///   - program: name of the program; letters, digits, hyphens.
    ///   - commands: commands of the program, in the order of its overview.
    public static func script(_ shell: Shell, program: String, commands: [CommandDescription]) -> String {
        let head = "\(program); written by: \(program) completion \(shell.rawValue)\n"
        switch shell {
        case .bash: return "# bash completion of " + head + bash(program, commands)
        case .zsh: return "#compdef \(program)\n# zsh completion of " + head + zsh(program, commands)
        case .fish: return "# fish completion of " + head + fish(program, commands)
        }
    }

    private static func bash(_ program: String, _ commands: [CommandDescription]) -> String {
        let function = "_" + program.replacing("-", with: "_")
        var values = ""
        var options = ""
        var operands = ""
        for command in commands {
            for option in command.options where option.value != nil {
                let words = [option.name, option.short].compactMap { $0 }.map { "\"\(command.name) \($0)\"" }
                let reply = option.choices.isEmpty ? "files" : "words \"\(option.choices.joined(separator: " "))\""
                values += "    \(words.joined(separator: " | "))) \(reply); return ;;\n"
            }
            for (word, choices) in command.following {
                values += "    \"\(command.name) \(word)\") words \"\(choices.joined(separator: " "))\"; return ;;\n"
            }
            options += "    \(command.name)) words \"\(command.options.map(\.name).joined(separator: " "))\" ;;\n"
            if !command.choices.isEmpty {
                operands += "    \(command.name)) words \"\(command.choices.joined(separator: " "))\" ;;\n"
            }
        }
        let names = (commands.map(\.name) + ["--help", "--version"]).joined(separator: " ")
        return """
            \(function)() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
                COMPREPLY=()
                words() { local IFS=$' \\n'; COMPREPLY=($(compgen -W "$1" -- "$cur")); }
                files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); }
                if [ "$COMP_CWORD" -eq 1 ]; then words "\(names)"; return; fi
                case "$verb $prev" in
            \(values)    esac
                if [[ $cur == -* ]]; then
                    case "$verb" in
            \(options)        esac
                    return
                fi
                if [ "$COMP_CWORD" -eq 2 ]; then
                    case "$verb" in
            \(operands)        esac
                fi
                [ ${#COMPREPLY[@]} -gt 0 ] || files
            }
            complete -F \(function) \(program)

            """
    }

    private static func zsh(_ program: String, _ commands: [CommandDescription]) -> String {
        func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
        func inBrackets(_ text: String) -> String {
            quoted(text).replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
        }
        func argument(_ row: CommandDescription.Row) -> String {
            let words = row.choices.isEmpty ? "_files" : "(\(row.choices.joined(separator: " ")))"
            let value = row.value.map { ":\(inBrackets($0)):\(words)" } ?? ""
            let names = row.short.map { "'(\($0) \(row.name))'{\($0),\(row.name)}" } ?? "'\(row.name)"
            return (row.short == nil ? names : names + "'") + "[\(inBrackets(row.help))]\(value)'"
        }
        let function = "_" + program.replacing("-", with: "_")
        var text = "\(function)() {\n  local -a verbs\n  verbs=(\n"
        for command in commands { text += "    '\(command.name):\(inBrackets(command.summary))'\n" }
        text += "  )\n  if (( CURRENT == 2 )); then _describe command verbs; return; fi\n"
        text += "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n"
        for command in commands {
            let first = command.choices.isEmpty ? [] : ["'1:what:(\(command.choices.joined(separator: " ")))'"]
            let all = command.options.map(argument) + first + ["'*:file:_files'"]
            text += "  \(command.name)) _arguments \(all.joined(separator: " \\\n      ")) ;;\n"
        }
        return text + "  esac\n}\n\(function) \"$@\"\n"
    }

    private static func fish(_ program: String, _ commands: [CommandDescription]) -> String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var text = ""
        for command in commands {
            text += "complete -c \(program) -n __fish_use_subcommand -f -a \(command.name)"
            text += " -d \(quoted(command.summary))\n"
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            if !command.choices.isEmpty {
                text += "complete -c \(program) \(condition) -f -a \(quoted(command.choices.joined(separator: " ")))\n"
            }
            for (word, choices) in command.following {
                text += "complete -c \(program) \(condition) -n '__fish_seen_subcommand_from \(word)' -f -a "
                text += quoted(choices.joined(separator: " ")) + "\n"
            }
            for row in command.options {
                let short = row.short.map { " -s \($0.dropFirst())" } ?? ""
                let value = row.value == nil ? " -f" : " -r"
                let words = row.choices.isEmpty ? "" : " -f -a \(quoted(row.choices.joined(separator: " ")))"
                text += "complete -c \(program) \(condition) -l \(row.name.dropFirst(2))\(short)\(value)\(words)"
                text += " -d \(quoted(row.help))\n"
            }
        }
        return text
    }
}
