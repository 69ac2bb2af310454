// SPDX-License-Identifier: GPL-3.0-or-later

extension ArgumentReader {
    /// The help text, made of everything that was declared by reading.
    public var help: String {
        let operands = rows.filter(\.isOperand)
        let options =
            rows.filter { !$0.isOperand } + [Row(names: "-h, --help", help: "Show this help", isOperand: false)]
        let usageLine = ([command] + usage + ["[options]"]).joined(separator: " ")
        var text = "\(summary)\n\nUsage: \(usageLine)\n"
        text += section("Arguments", operands)
        text += section("Options", options)
        if !example.isEmpty { text += "\nExample:\n  \(example)\n" }
        return text
    }

    private func section(_ title: String, _ rows: [Row]) -> String {
        guard !rows.isEmpty else { return "" }
        let width = min(30, rows.map(\.names.count).max() ?? 0)
        return "\n\(title):\n" + rows.map { tableLine($0.names, $0.help, width: width) }.joined()
    }
}

/// One line of a help table; a long left column puts the right one on the next line.
func tableLine(_ left: String, _ right: String, width: Int) -> String {
    if left.count > width { return "  \(left)\n  \(String(repeating: " ", count: width))  \(right)\n" }
    return "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)\n"
}
