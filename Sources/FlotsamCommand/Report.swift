// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Measures
import Recording

/// Results of a verb: text for people, in order, and values with keys for programs.
struct Report {
    /// One cell of a table: text for people, value for programs.
    struct Cell: ExpressibleByStringInterpolation {
        let text: String
        let value: JSONValue

        init(_ text: String, _ value: JSONValue? = nil) {
            self.text = text
            self.value = value ?? .string(text)
        }

        init(_ number: Int) { self.init("\(number)", .integer(number)) }

        /// A number for programs, with its text for people, which may contain the unit.
        init(_ text: String, _ number: Double) { self.init(text, .number(number)) }

        init(stringLiteral text: String) { self.init(text) }

        /// A change, with its sign.
        static func signed(_ number: Int) -> Cell { Cell(signedText(number), .integer(number)) }
    }

    /// One column of a table.
    struct Column<Row> {
        fileprivate let side: TextTable.Side
        /// Heading for people; nil if the column is only for programs.
        fileprivate let head: String?
        /// Key for programs; nil if the column is only for people.
        fileprivate let key: String?
        fileprivate let cell: (Row) -> Cell

        static func left(_ head: String = "", _ key: String? = nil, _ cell: @escaping (Row) -> Cell) -> Column {
            Column(side: .left, head: head, key: key, cell: cell)
        }

        static func right(_ head: String = "", _ key: String? = nil, _ cell: @escaping (Row) -> Cell) -> Column {
            Column(side: .right, head: head, key: key, cell: cell)
        }

        /// Column for programs only.
        static func data(_ key: String, _ value: @escaping (Row) -> JSONValue) -> Column {
            Column(side: .left, head: nil, key: key) { Cell("", value($0)) }
        }
    }

    /// Text for people, with its line ends.
    private(set) var text = ""
    private var members: [String: JSONValue] = [:]

    /// The report for programs: values, tables and figures by their keys, and no sentences.
    var json: JSONValue { .object(members) }

    /// Adds text for people only, with its line ends.
    mutating func say(_ text: String) { self.text += text }

    /// Adds a sentence on separate lines.
    mutating func say(sentence: String, indent: String = "") {
        text += wrapped(sentence, width: textWidth, indent: indent)
    }

    /// Adds values for programs only.
    mutating func give(_ values: [String: JSONValue]) { members.merge(values) { _, last in last } }

    /// Adds a table.
    ///
    /// - Parameters:
    ///   - key: Key for programs; nil if the table is only for people.
    ///   - most: Largest number of rows for people; programs get all rows.
    ///   - isHeaded: Whether people see the headings of the columns.
    mutating func table<Row>(
        _ key: String?, _ rows: [Row], most: Int = .max, isHeaded: Bool = true, _ columns: [Column<Row>]
    ) {
        let shown = columns.filter { $0.head != nil }
        if !shown.isEmpty {
            var table = TextTable(shown.map(\.side), hasHead: isHeaded)
            if isHeaded { table.add(shown.map { $0.head ?? "" }) }
            for row in rows.prefix(most) { table.add(shown.map { $0.cell(row).text }) }
            text += table.text
        }
        if let key { members[key] = Self.json(rows, columns) }
    }

    /// Prints the report as text or as JSON; returns the exit code.
    func out(json isJSON: Bool) -> Int32 { Console.out(isJSON ? json.pretty : text) }

    /// One object for each row.
    static func json<Row>(_ rows: [Row], _ columns: [Column<Row>]) -> JSONValue {
        .array(
            rows.map { row in
                .object(
                    columns.reduce(into: [:]) { members, column in
                        if let key = column.key { members[key] = column.cell(row).value }
                    })
            })
    }

    /// Figures with the ends of their intervals and their units.
    static func json(_ figures: [Figure]) -> JSONValue {
        json(
            figures,
            [
                .data("name") { .string($0.name) }, .data("value") { .number($0.value) },
                .data("low") { .number($0.low) }, .data("high") { .number($0.high) },
                .data("unit") { .string($0.unit) }, .data("n") { .integer($0.n) },
                .data("without_value") { .integer($0.withoutValue) },
                .data("better") { .string($0.better.rawValue) },
                .data("values") { .array($0.values.map { .number($0) }) },
            ])
    }
}

/// A change for people, with its sign; zero has no sign.
func signedText(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }
