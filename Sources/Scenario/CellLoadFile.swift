// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import ConfigText
import Diagnostics
import Quantities

/// Reads the load of a cell from a CSV file.
///
/// The file has one of three forms. In `t_s,power_w` and `t_s,current_a`, each row contains a time and the power or
/// current from then on, positive when discharging. The last row applies until the cell is empty or full; if its value
/// is zero, it ends the experiment. One row of `cc_current_a,cv_voltage_v,end_current_a` is a charge at constant
/// current up to a voltage. Then the voltage is constant until the current falls to the end current. Empty lines and
/// lines that begin with `#` are ignored.
///
/// - Throws: The problems of all rows.
public func loadCellLoad(path: String) throws(Diagnostics) -> CellLoad {
    try loadCellLoad(SourceText.read(path: path).get())
}

/// Reads the load of a cell from a text.
public func loadCellLoad(_ source: SourceText) throws(Diagnostics) -> CellLoad {
    var reader = CellLoadReader(source: source)
    guard let load = reader.read(), reader.problems.isEmpty else { throw reader.problems }
    return load
}

/// Reads the rows of a load.
private struct CellLoadReader {
    static let headers = ["t_s,power_w", "t_s,current_a", "cc_current_a,cv_voltage_v,end_current_a"]

    let source: SourceText
    var problems = Diagnostics()

    mutating func read() -> CellLoad? {
        var rows: [(line: Int, text: String)] = []
        for (index, text) in source.lines.enumerated() {
            let line = index == 0 && text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
            if line.allSatisfy({ $0 == " " || $0 == "\t" }) || line.hasPrefix("#") { continue }
            rows.append((index + 1, line))
        }
        guard let header = rows.first else {
            problems.append(Diagnostic("\(source.name) has no rows", hint: hint))
            return nil
        }
        let name = header.text.filter { $0 != " " }
        switch name {
        case Self.headers[0]: return steps(rows.dropFirst()) { .power(.watts($0)) }
        case Self.headers[1]: return steps(rows.dropFirst()) { .current(.amperes($0)) }
        case Self.headers[2]: return charge(rows.dropFirst(), after: header.line)
        default:
            fail(header.line, "unknown columns of a load", hint: hint)
            return nil
        }
    }

    private var hint: String { "one of: " + Self.headers.map { "\"\($0)\"" }.joined(separator: ", ") }

    private mutating func steps(
        _ rows: ArraySlice<(line: Int, text: String)>, _ demand: (Double) -> CellDemand
    ) -> CellLoad? {
        var steps: [CellLoad.Step] = []
        for row in rows {
            guard let values = numbers(row, count: 2) else { continue }
            if let last = steps.last, values[0] <= last.start {
                fail(row.line, "times must increase, found \(values[0]) after \(last.start)")
            }
            if values[0] < 0 { fail(row.line, "times must not be negative, found \(values[0])") }
            steps.append(.init(start: values[0], demand: demand(values[1])))
        }
        if steps.isEmpty && problems.isEmpty {
            problems.append(Diagnostic("\(source.name) has no rows", hint: "for instance \"0,1\""))
        }
        return .steps(steps)
    }

    private mutating func charge(_ rows: ArraySlice<(line: Int, text: String)>, after line: Int) -> CellLoad? {
        guard let row = rows.first else {
            fail(
                line, "after this line, a row with the three values must follow",
                hint: "for instance \"3.349,4.2,0.16745\"")
            return nil
        }
        if rows.count > 1 { fail(rows[rows.startIndex + 1].line, "a charge must have only one row of values") }
        guard let values = numbers(row, count: 3) else { return nil }
        for value in values where value <= 0 {
            fail(
                row.line,
                "the numbers of a charge must be positive, found \(value)")
        }
        return .charge(.amperes(values[0]), limit: .volts(values[1]), end: .amperes(values[2]))
    }

    private mutating func numbers(_ row: (line: Int, text: String), count: Int) -> [Double]? {
        let words = row.text.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count == count else {
            fail(row.line, "expected \(count) values, found \(words.count)")
            return nil
        }
        var values: [Double] = []
        for word in words {
            let trimmed = word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            guard let value = Double(String(trimmed)), value.isFinite, abs(value) <= 1e9 else {
                fail(row.line, "expected a number, found \"\(word)\"")
                return nil
            }
            values.append(value)
        }
        return values
    }

    private mutating func fail(_ line: Int, _ message: String, hint: String? = nil) {
        let text = source.lines[line - 1]
        let location = Node.Location(source: source, line: line, column: 1, length: max(text.count, 1))
        problems.append(location.problem(message, hint: hint))
    }
}
