// SPDX-License-Identifier: GPL-3.0-or-later

/// The longest part of a line that is shown; longer lines are cut around what is meant.
private let shownWidth = 100

extension Diagnostic: CustomStringConvertible {
    /// The problem as the user sees it: head line, the line itself, the underline, the hint.
    public var description: String { rendered(isColored: false) }

    /// The same, on a terminal with colours: what it is in red or yellow, as is what is meant; the location in bold.
    public func rendered(isColored: Bool) -> String {
        func painted(_ text: String, _ code: String) -> String { isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
        let tone = severity == .error ? "1;31" : "1;33"
        var text = ""
        if let location { text += painted("\(location.file):\(location.line):\(location.column):", "1") + " " }
        text += painted("\(severity.rawValue):", tone) + " \(message)\n"
        if let location, let line { text += excerpt(of: line, at: location) { painted($0, tone) } }
        if let hint { text += "  " + painted("hint:", "36") + " \(hint)\n" }
        return text
    }

    private func excerpt(of line: String, at location: SourceLocation, _ paint: (String) -> String) -> String {
        var characters = line.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
        var start = min(max(location.column - 1, 0), characters.count)
        var length = max(1, min(location.length, characters.count - start))
        if characters.count > shownWidth {
            let from = max(0, min(start - shownWidth / 3, characters.count - shownWidth))
            let to = min(characters.count, from + shownWidth)
            let shown = characters[from..<to]
            characters = (from > 0 ? ["…"] : []) + shown + (to < line.unicodeScalars.count ? ["…"] : [])
            start += (from > 0 ? 1 : 0) - from
            length = max(1, min(length, characters.count - start))
        }
        let number = String(location.line)
        let gutter = String(repeating: " ", count: number.count)
        let underline = String(repeating: " ", count: start) + paint("^" + String(repeating: "~", count: length - 1))
        return "  \(number) | \(String(characters))\n  \(gutter) | \(underline)\n"
    }
}

extension Diagnostics: CustomStringConvertible {
    /// The problems, those with a location first, by file, line and column; equal ones once.
    public var sorted: [Diagnostic] {
        var seen: Set<Diagnostic> = []
        let unique = list.enumerated().filter { seen.insert($0.element).inserted }
        let files = unique.reduce(into: [String]()) { files, item in
            if let file = item.element.location?.file, !files.contains(file) { files.append(file) }
        }
        func key(_ item: (offset: Int, element: Diagnostic)) -> (Int, Int, Int, Int) {
            guard let location = item.element.location else { return (files.count, 0, 0, item.offset) }
            return (files.firstIndex(of: location.file) ?? files.count, location.line, location.column, item.offset)
        }
        return unique.sorted { key($0) < key($1) }.map(\.element)
    }

    /// All problems as the user sees them, in order of location.
    public var description: String { rendered(isColored: false) }

    /// The same with colours for a terminal.
    public func rendered(isColored: Bool) -> String { sorted.map { $0.rendered(isColored: isColored) }.joined() }
}
