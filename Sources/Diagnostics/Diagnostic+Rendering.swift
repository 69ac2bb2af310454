// SPDX-License-Identifier: GPL-3.0-or-later

/// The longest part of a line that is shown; longer lines are cut around what is meant.
private let shownWidth = 100

extension Diagnostic: CustomStringConvertible {
    /// The problem as the user sees it: head line, the line itself, the underline, the hint.
    public var description: String {
        var text = ""
        if let location { text += "\(location.file):\(location.line):\(location.column): " }
        text += "\(severity.rawValue): \(message)\n"
        if let location, let line { text += excerpt(of: line, at: location) }
        if let hint { text += "  hint: \(hint)\n" }
        return text
    }

    private func excerpt(of line: String, at location: SourceLocation) -> String {
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
        let underline = String(repeating: " ", count: start) + "^" + String(repeating: "~", count: length - 1)
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
    public var description: String { sorted.map(\.description).joined() }
}
