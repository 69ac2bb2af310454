// SPDX-License-Identifier: GPL-3.0-or-later
import CommandLineArguments
import Recording

/// Rows under headings, for people and for programs.
struct Listing {
    /// A cell: text for people, value for programs.
    struct Cell: ExpressibleByStringLiteral {
        let text: String
        let value: JSONValue

        init(_ text: String, _ value: JSONValue? = nil) {
            self.text = text
            self.value = value ?? .string(text)
        }

        init(stringLiteral text: String) { self.init(text) }

        /// A number with its unit for people, and without it for programs.
        static func number(_ number: Double, _ text: String) -> Cell { Cell(text, .number(number)) }
    }

    /// The headings, which are the keys for programs.
    let columns: [String]
    /// Text above the table, with its line ends.
    var head = ""
    /// Text below the table, with its line ends.
    var foot = ""
    private(set) var rows: [[Cell]] = []
    /// Indices of the columns in the text for people.
    private let shown: [Int]

    /// - Parameter programsOnly: Columns that are not in the text.
    init(_ columns: [String], programsOnly: Set<String> = []) {
        self.columns = columns
        shown = columns.indices.filter { !programsOnly.contains(columns[$0]) }
    }

    mutating func add(_ cells: Cell...) { rows.append(cells) }
    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Keeps the rows that meet a condition.
    mutating func keep(_ condition: ([Cell]) -> Bool) { rows.removeAll { !condition($0) } }

    /// Keeps the rows that contain a text, regardless of case.
    mutating func keep(containing text: String) {
        let wanted = text.lowercased()
        keep { row in row.contains { $0.text.lowercased().contains(wanted) } }
    }

    /// Headings and one line per row; with a width, the last column continues on further lines.
    func text(width: Int?) -> String {
        let lines = [shown.map { columns[$0] }] + rows.map { row in shown.map { row[$0].text } }
        let widths = shown.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let left = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let right = width.map { max(24, $0 - left) } ?? Int.max
        var text = head
        for line in lines {
            var start = ""
            for (cell, width) in zip(line.dropLast(), widths) {
                start += cell + String(repeating: " ", count: width + 2 - cell.count)
            }
            let parts = folded(line.last ?? "", width: right).split(separator: "\n").map(String.init)
            var row = start + parts.joined(separator: "\n" + String(repeating: " ", count: left))
            while row.last == " " { row.removeLast() }
            text += row + "\n"
        }
        return text + foot
    }

    /// One object per row.
    var json: JSONValue {
        .array(
            rows.map { row in
                .object(Dictionary(zip(columns, row.map(\.value)), uniquingKeysWith: { first, _ in first }))
            })
    }
}
