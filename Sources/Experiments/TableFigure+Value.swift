// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

/// Computes a figure from the table rows in the segments of runs.
struct TableFigureReading {
    private let figure: TableFigure
    private let values: [Int]
    private let minus: Int?
    /// Columns by which rows are grouped; only the smallest value of each group is used.
    private let group: [Int]
    private let conditions: [(column: Int, unit: Double, requirement: TableFigure.Condition.Requirement)]

    /// Prepares the computation; nil when the figure names columns that the table does not have, as in other builds.
    init?(_ figure: TableFigure) {
        let columns = figure.table.columns
        func index(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }
        values = figure.columns.compactMap(index)
        minus = figure.minus.flatMap(index)
        let shared = [figure.least?.column, figure.least?.minus].compactMap(\.self)
        group = shared.compactMap(index)
        conditions = figure.conditions.compactMap { condition in
            index(condition.column).map { ($0, columns[$0].seconds ?? 1, condition.requirement) }
        }
        self.figure = figure
        guard values.count == figure.columns.count, conditions.count == figure.conditions.count,
            group.count == shared.count, (minus == nil) == (figure.minus == nil)
        else { return nil }
    }

    /// Figure of one run; NaN when the run lacks the table or has too few values.
    func value(of run: FinishedRun) throws -> Double {
        guard run.tables.isSuperset(of: figure.table.set) else { return .nan }
        var found = FoundValues()
        var cells = RowCells()
        for chunk in run.chunks where chunk.table == figure.table.set {
            let text = try chunk.text()
            text.withUnsafeBytes { bytes in
                var start = 0
                while start < bytes.count {
                    start = cells.split(bytes, from: start)
                    if !cells.isEmpty, counts(cells, bytes) { add(cells, bytes, into: &found) }
                }
            }
        }
        // Values are sorted, so that their sum does not depend on the order in a hash table.
        if figure.least != nil { found.values = found.least.values.sorted() }
        switch figure.statistic {
        case .count: return Double(found.count)
        case .distinct: return Double(found.seen.count)
        default: return figure.statistic.value(of: found.values, days: figure.days)
        }
    }

    /// Values that were found in the rows so far.
    private struct FoundValues {
        var values: [Double] = []
        var count = 0
        /// Value of the previous row of each app.
        var last: [String: Double] = [:]
        /// Distinct cells so far.
        var seen: Set<[String]> = []
        /// Smallest value of each group.
        var least: [Double: Double] = [:]
    }

    /// Counts a row and keeps its value.
    private func add(_ cells: RowCells, _ bytes: UnsafeRawBufferPointer, into found: inout FoundValues) {
        found.count += 1
        if figure.statistic == .distinct {
            found.seen.insert(values.map { cells.text($0, bytes) })
            return
        }
        guard let value = rowValue(cells, bytes) else { return }
        if figure.least != nil {
            if let key = groupKey(cells, bytes) { found.least[key] = min(value, found.least[key] ?? .infinity) }
        } else if figure.gaps {
            let app = figure.table.app.map { cells.text($0, bytes) } ?? ""
            if let before = found.last[app] { found.values.append(value - before) }
            found.last[app] = value
        } else {
            found.values.append(value)
        }
    }

    /// Sum of the columns, minus the subtracted column; nil if a cell is empty.
    private func rowValue(_ cells: RowCells, _ bytes: UnsafeRawBufferPointer) -> Double? {
        var sum = 0.0
        for index in values {
            guard let value = cells.number(index, bytes) else { return nil }
            sum += value
        }
        guard let minus else { return sum }
        return cells.number(minus, bytes).map { sum - $0 }
    }

    /// Key of a row's group, with times rounded to microseconds; nil if a cell is empty.
    private func groupKey(_ cells: RowCells, _ bytes: UnsafeRawBufferPointer) -> Double? {
        let values = group.compactMap { cells.number($0, bytes) }
        guard values.count == group.count else { return nil }
        return ((values[0] - (values.count > 1 ? values[1] : 0)) * 1e6).rounded()
    }

    /// Whether a row meets all conditions and is after the warm-up; rows without a time only need to meet the
    /// conditions.
    private func counts(_ cells: RowCells, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let meetsAll = conditions.allSatisfy { condition in
            switch condition.requirement {
            case .words(let words): return words.contains { cells.holds($0, condition.column, bytes) }
            case .range(let range): return cells.number(condition.column, bytes).map(range.contains) ?? false
            case .hours(let from, let to):
                guard let seconds = cells.number(condition.column, bytes) else { return false }
                let hour = (seconds * condition.unit / 3600).truncatingRemainder(dividingBy: 24)
                return from < to ? hour >= from && hour < to : hour >= from || hour < to
            }
        }
        guard meetsAll, let time = figure.table.time else { return meetsAll }
        return cells.number(time.index, bytes).map { $0 * time.unit >= figure.warmupSeconds } ?? false
    }
}

/// Positions of one row's cells in the bytes of a table.
///
/// A cell is only converted when it is needed.
private struct RowCells {
    /// Bounds of the cells, including quotes; an end is the position after the last byte.
    private var bounds: [(start: Int, end: Int)] = []

    /// Whether the row is an empty line.
    var isEmpty: Bool { bounds.count == 1 && bounds[0].start == bounds[0].end }

    /// Splits the row that starts at a position; returns the start of the next row.
    mutating func split(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        bounds.removeAll(keepingCapacity: true)
        var isQuoted = false
        var cell = start
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                bounds.append((cell, index))
                cell = index + 1
            } else if byte == UInt8(ascii: "\n") {
                break
            }
            index += 1
        }
        bounds.append((cell, index))
        return index + 1
    }

    /// Bytes of a cell; empty if the row has fewer cells, as in a segment of another program.
    private func cell(_ column: Int, _ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        column < bounds.count ? bytes[bounds[column].start..<bounds[column].end] : bytes[0..<0]
    }

    /// Text of a cell without enclosing quotes; a doubled quote inside becomes a single one.
    func text(_ column: Int, _ bytes: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: cell(column, bytes), as: UTF8.self)
        guard text.first == "\"" else { return text }
        return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }

    /// Whether the text of a cell is exactly this word.
    func holds(_ word: String, _ column: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let cell = cell(column, bytes)
        if cell.first == UInt8(ascii: "\"") { return text(column, bytes) == word }
        return cell.elementsEqual(word.utf8)
    }

    /// Number in a cell; nil if the cell is empty or contains a word.
    func number(_ column: Int, _ bytes: UnsafeRawBufferPointer) -> Double? {
        Double(String(decoding: cell(column, bytes), as: UTF8.self))
    }
}

extension TableFigure.Statistic {
    /// Statistic of values; NaN when there are too few values.
    func value(of values: [Double], days: Double) -> Double {
        if self == .sum { return values.reduce(0, +) }
        if self == .perDay { return values.reduce(0, +) / days }
        guard !values.isEmpty else { return .nan }
        switch self {
        case .mean: return values.reduce(0, +) / Double(values.count)
        case .minimum: return values.min() ?? .nan
        case .maximum: return values.max() ?? .nan
        case .variation: return Self.variation(values)
        case .p05: return Self.quantile(values, 0.05)
        case .p25: return Self.quantile(values, 0.25)
        case .median: return Self.quantile(values, 0.5)
        case .p75: return Self.quantile(values, 0.75)
        case .p95: return Self.quantile(values, 0.95)
        case .sum, .perDay, .count, .distinct: return .nan
        }
    }

    /// Coefficient of variation: standard deviation divided by the mean.
    private static func variation(_ values: [Double]) -> Double {
        guard values.count > 1 else { return .nan }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot() / mean
    }

    /// Quantile with linear interpolation between neighbouring values.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
    }
}
