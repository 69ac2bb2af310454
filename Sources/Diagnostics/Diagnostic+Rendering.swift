// SPDX-License-Identifier: GPL-3.0-or-later

/// Longest part of a line that is shown, in characters.
///
/// Longer lines are cut around the marked text.
private let shownWidth = 100

extension Diagnostic: CustomStringConvertible {
    /// The problem in the form for users: head line, source line, underline and hint.
    public var description: String { rendered(isColored: false) }

    /// The problem with colours for a terminal: severity and marked text are red or yellow, and the location is bold.
    public func rendered(isColored: Bool) -> String {
        // Colours are added after control characters in the text are made visible.
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
        // A long line is cut to the part around the column.
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
    /// All problems in the form for users: errors in the order of their locations, then warnings.
    public var description: String { rendered(isColored: false) }

    /// All problems with colours for a terminal.
    public func rendered(isColored: Bool) -> String { shown.map { $0.rendered(isColored: isColored) }.joined() }
}
