// SPDX-License-Identifier: GPL-3.0-or-later

/// Manual pages in the format of man(7), built from a program's declarations.
public struct ManualPage: Sendable {
    /// The program's name.
    public let program: String
    /// Name and version, for the foot of the page.
    public let version: String

    /// Creates pages of a program.
    public init(program: String, version: String) {
        self.program = program
        self.version = version
    }

    /// The page of a command, `PROGRAM-COMMAND(1)`.
    public func page(_ command: CommandDescription) -> String {
        let name = "\(program)-\(command.name)"
        var text = head(name, command.summary, usage: command.usage)
        text += section("ARGUMENTS", command.rows.filter(\.isOperand))
        text += section("OPTIONS", command.options)
        if !command.example.isEmpty { text += ".SH EXAMPLE\n.nf\n\(Self.escaped(command.example))\n.fi\n" }
        return text + ".SH SEE ALSO\n.BR \(Self.escaped(program)) (1)\n"
    }

    /// The page of the program, with one line for each command.
    ///
    /// - Parameter sections: further sections; each has a title and pairs of a term and its explanation.
    public func page(
        summary: String, commands: [CommandDescription], sections: [(title: String, lines: [(String, String)])]
    ) -> String {
        var text = head(program, summary, usage: "\(program) COMMAND [options]")
        text += ".SH COMMANDS\n"
        for command in commands {
            text += ".TP\n.BR \(Self.escaped("\(program)-\(command.name)")) (1)\n\(Self.escaped(command.summary))\n"
        }
        for section in sections {
            text += ".SH \(section.title.uppercased())\n"
            for (name, meaning) in section.lines {
                text += ".TP\n.B \(Self.escaped(name))\n\(Self.escaped(meaning))\n"
            }
        }
        return text
    }

    private func head(_ name: String, _ summary: String, usage: String) -> String {
        let short = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
        return """
            .TH \(Self.escaped(name.uppercased())) 1 "" "\(Self.escaped(version))" "\(Self.escaped(program))"
            .SH NAME
            \(Self.escaped(name)) \\- \(Self.escaped(short))
            .SH SYNOPSIS
            \(Self.escaped(usage))

            """
    }

    private func section(_ title: String, _ rows: [CommandDescription.Row]) -> String {
        if rows.isEmpty { return "" }
        return ".SH \(title)\n"
            + rows.map { row in
                let name = row.spelled.drop { $0 == " " }
                let scope = row.scope.isEmpty ? "" : row.scope.joined(separator: ", ") + ": "
                return ".TP\n.B \(Self.escaped(String(name)))\n\(Self.escaped(scope + row.help))\n"
            }.joined()
    }

    /// Text on its own line, with the control characters of man(7) escaped.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
