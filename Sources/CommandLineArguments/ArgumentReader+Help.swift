// SPDX-License-Identifier: GPL-3.0-or-later

extension ArgumentReader {
    /// Help text on lines of 80 columns, built from all declared options and operands.
    public var help: String { help(width: 80) }

    /// Help text on lines of the given width.
    public func help(width: Int) -> String {
        let described = description
        let rows = chosen.map { word in described.rows.filter { $0.scope.isEmpty || $0.scope.contains(word) } }
        let operands = (rows ?? described.rows).filter(\.isOperand)
        let options = (rows ?? described.rows).filter { !$0.isOperand }
        var text = folded(summary, width: width) + "\n" + folded("Usage: " + described.usage, width: width)
        text += section("Arguments", operands, width: width)
        text += section("Options", options, width: width)
        if !example.isEmpty { text += "\nExample:\n  \(example)\n" }
        return text
    }

    /// All declared options and operands, for completions and manual pages.
    public var description: CommandDescription {
        let last = CommandDescription.Row(option: "--help", "-h", value: nil, help: "Show this help")
        let usageLine = ([command] + usage + ["[options]"]).joined(separator: " ")
        return CommandDescription(
            name: command.split(separator: " ").last.map(String.init) ?? command, summary: summary, usage: usageLine,
            example: example, rows: rows + [last])
    }

    private func section(_ title: String, _ rows: [CommandDescription.Row], width: Int) -> String {
        guard !rows.isEmpty else { return "" }
        let left = min(30, rows.map(\.spelled.count).max() ?? 0)
        return "\n\(title):\n"
            + rows.map { row in
                // The scope precedes the help of an option, unless the help covers only one function.
                let scope = row.scope.isEmpty || chosen != nil ? "" : row.scope.joined(separator: ", ") + ": "
                return tableLine(row.spelled, scope + row.help, left: left, width: width)
            }.joined()
    }
}

/// One row of a help table.
///
/// A long left column moves the right column to the next line; a long right column is wrapped.
func tableLine(_ left: String, _ right: String, left size: Int, width: Int = 80) -> String {
    let indent = String(repeating: " ", count: size + 4)
    let lines = folded(right, width: max(20, width - size - 4)).split(separator: "\n").map(String.init)
    let body = lines.joined(separator: "\n" + indent) + "\n"
    if left.count > size { return "  \(left)\n" + indent + body }
    return "  \(left)\(String(repeating: " ", count: size - left.count))  " + body
}

/// Wraps a text between words to lines of the given width; every line ends with a newline.
public func folded(_ text: String, width: Int, indent: String = "") -> String {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
        let line = lines[lines.count - 1]
        if line.isEmpty || line.count + 1 + word.count <= width {
            lines[lines.count - 1] = line.isEmpty ? indent + word : line + " " + word
        } else {
            lines.append(indent + word)
        }
    }
    return lines.joined(separator: "\n") + "\n"
}
