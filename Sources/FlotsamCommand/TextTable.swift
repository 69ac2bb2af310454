// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments

/// Table for people: columns padded to their widest cell, two spaces apart.
///
/// A table wider than the terminal is folded: texts of the last column continue on further lines. If that is not
/// enough, further columns follow in blocks below, each with the names of the rows. A column without any text is
/// omitted.
struct TextTable {
    /// Alignment of the cells of a column.
    enum Side {
        case left, right
    }

    private let sides: [Side]
    /// Whether the first row is the head.
    private let hasHead: Bool
    private var rows: [[String]] = []

    init(_ sides: [Side], hasHead: Bool = false) {
        self.sides = sides
        self.hasHead = hasHead
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The lines, each with a line end, folded to the width of the terminal.
    var text: String { text(width: Console.width) }

    /// Lines within a width; without a width, each row is on one line.
    func text(width: Int?) -> String {
        let widths = sides.indices.map { column in rows.map { Self.width(cell($0, column)) }.max() ?? 0 }
        guard let width else { return lines(Array(sides.indices), widths) }
        let last = sides.count - 1
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        if sides.last == .left, last > 0, before + widths[last] > width, width - before >= Self.leastText {
            return narrowed(to: width - before, indent: before).lines(Array(sides.indices), widths)
        }
        return blocks(widths, width).map { lines($0, widths) }.joined(separator: "\n")
    }

    /// Smallest width of folded texts, in columns.
    private static let leastText = 30

    /// This table with the texts of the last column on several lines.
    private func narrowed(to width: Int, indent: Int) -> TextTable {
        var table = self
        let below = "\n" + String(repeating: " ", count: indent)
        table.rows = rows.map { row in
            guard row.count == sides.count, let text = row.last else { return row }
            return row.dropLast() + [folded(text, width: width).split(separator: "\n").joined(separator: below)]
        }
        return table
    }

    private func cell(_ row: [String], _ column: Int) -> String { row.indices.contains(column) ? row[column] : "" }

    /// Columns of each block; each block begins with the names of the rows.
    private func blocks(_ widths: [Int], _ width: Int) -> [[Int]] {
        let full = sides.indices.filter { column in
            column == 0 || rows.dropFirst(hasHead ? 1 : 0).contains { !cell($0, column).isEmpty }
        }
        func sum(_ columns: [Int]) -> Int { columns.reduce(0) { $0 + widths[$1] + 2 } - 2 }
        guard sum(full) > width, let name = full.first else { return [full] }
        var blocks = [[name]]
        for column in full.dropFirst() {
            let last = blocks[blocks.count - 1]
            if last.count > 1, sum(last + [column]) > width { blocks.append([name]) }
            blocks[blocks.count - 1].append(column)
        }
        return blocks
    }

    private func lines(_ columns: [Int], _ widths: [Int]) -> String {
        rows.map { row in
            let cells = columns.map { column -> String in
                let cell = cell(row, column)
                let space = String(repeating: " ", count: max(0, widths[column] - Self.width(cell)))
                return sides[column] == .left ? cell + space : space + cell
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// Width of a text in columns; escape sequences for colour have no width.
    private static func width(_ text: String) -> Int {
        var count = 0
        var inEscape = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1b}" { inEscape = true }
            if !inEscape { count += 1 }
            if inEscape && scalar == "m" { inEscape = false }
        }
        return count
    }
}

/// Width of sentences: 100 columns, or the width of a narrower terminal.
var textWidth: Int { min(100, Console.width ?? 100) }

/// Line, folded only on a terminal.
func fitting(_ line: String) -> String { Console.width.map { wrapped(line, width: $0) } ?? line + "\n" }

/// Sentence folded to a number of columns; further lines have two more columns of indentation.
func wrapped(_ sentence: String, width: Int, indent: String = "") -> String {
    var lines = [""]
    // A percent sign stays with its number.
    for word in sentence.replacing(" %", with: "\u{a0}%").split(separator: " ") {
        let line = lines[lines.count - 1]
        if line.isEmpty || line.count + 1 + word.count <= width {
            lines[lines.count - 1] = line.isEmpty ? indent + word : line + " " + word
        } else {
            lines.append(indent + "  " + word)
        }
    }
    return lines.joined(separator: "\n").replacing("\u{a0}", with: " ") + "\n"
}
