// SPDX-License-Identifier: GPL-3.0-or-later

/// The longest part of a line that is shown; longer lines are cut around what is meant.
private let shownWidth = 100

extension Diagnostic: CustomStringConvertible {
    /// The problem as the user sees it: head line, the line itself, the underline, the hint.
    public var description: String { rendered(isColored: false) }

    /// The same, on a terminal with colours: what it is in red or yellow, as is what is meant; the location in bold.
    public func rendered(isColored: Bool) -> String {
        // Colours are put around text whose own control characters are visible already.
        func painted(_ text: String, _ code: String) -> String {
            isColored ? "\u{1b}[\(code)m\(text.visible)\u{1b}[0m" : text.visible
        }
        let tone = severity == .error ? "1;31" : "1;33"
        var text = ""
        if let location {
            text += painted("\(location.file.shortened.oneLine):\(location.line):\(location.column):", "1") + " "
        }
        text += painted("\(severity.rawValue):", tone) + " \(message.visible)\n"
        if let location, let line { text += excerpt(of: line, at: location) { painted($0, tone) } }
        if let hint { text += "  " + painted("hint:", "36") + " \(hint.visible)\n" }
        return text
    }

    private func excerpt(of line: String, at location: SourceLocation, _ paint: (String) -> String) -> String {
        let scalars = line.unicodeScalars
        let count = scalars.count
        let start = min(max(location.column - 1, 0), count)
        // Of a long line the part around the column is shown.
        let from = max(0, min(start - shownWidth / 3, count - shownWidth))
        let shown = scalars.dropFirst(from).prefix(shownWidth)
        let isCutBehind = from + shown.count < count
        let text =
            (from > 0 ? "…" : "") + String(shown.map { $0.isControl || $0 == "\t" ? " " : Character($0) })
            + (isCutBehind ? "…" : "")
        let indent = start - from + (from > 0 ? 1 : 0)
        let length = max(1, min(location.length, text.unicodeScalars.count - indent))
        let number = String(location.line)
        let gutter = String(repeating: " ", count: number.count)
        let underline = String(repeating: " ", count: indent) + paint("^" + String(repeating: "~", count: length - 1))
        return "  \(number) | \(text)\n  \(gutter) | \(underline)\n"
    }
}

extension Diagnostics: CustomStringConvertible {
    /// All problems as the user sees them, in order of location.
    public var description: String { rendered(isColored: false) }

    /// The same with colours for a terminal.
    public func rendered(isColored: Bool) -> String { shown.map { $0.rendered(isColored: isColored) }.joined() }
}
