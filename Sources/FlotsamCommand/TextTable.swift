// SPDX-License-Identifier: GPL-3.0-or-later

/// A table for people: columns padded to their widest cell, two spaces apart.

struct TextTable {
    /// How a column's cells stand.
    enum Side {
        case left, right
    }

    private let sides: [Side]
    private var rows: [[String]] = []

    init(_ sides: [Side]) { self.sides = sides }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The lines, each ending in a line end.
    var text: String {
        let widths = sides.indices.map { column in
            rows.map { $0.indices.contains(column) ? Self.width($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.indices.map { column -> String in
                let space = String(repeating: " ", count: max(0, widths[column] - Self.width(row[column])))
                return sides[column] == .left ? row[column] + space : space + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// Characters that take room; escape sequences for colour take none.
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

/// A sentence on lines of so many columns, the further ones indented by two more.
func wrapped(_ sentence: String, width: Int, indent: String = "") -> String {
    var lines = [""]
    // A sign of per cent stays with its number.
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
