// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

/// Works a figure out from the rows that runs left in their segments.
struct TableFigureReading {
    private let figure: TableFigure
    private let values: [Int]
    private let minus: Int?
    private let conditions: [(column: Int, unit: Double, requirement: TableFigure.Condition.Requirement)]

    /// Prepares the reading; nil when a manifest of another build names columns that the table lacks.
    init?(_ figure: TableFigure) {
        let columns = figure.table.columns
        func index(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }
        values = figure.columns.compactMap(index)
        minus = figure.minus.flatMap(index)
        conditions = figure.conditions.compactMap { condition in
            index(condition.column).map { ($0, columns[$0].seconds ?? 1, condition.requirement) }
        }
        self.figure = figure
        guard values.count == figure.columns.count, conditions.count == figure.conditions.count,
            (minus == nil) == (figure.minus == nil)
        else { return nil }
    }

    /// The figure of one run; NaN when it has no row to say it.
    func value(of run: FinishedRun) throws -> Double {
        guard run.tables.isSuperset(of: figure.table.set) else { return .nan }
        var found: [Double] = []
        var count = 0
        var last: [String: Double] = [:]
        var seen: Set<[String]> = []
        for chunk in run.chunks where chunk.table == figure.table.set {
            let text = try InputFile(chunk.path).read(at: chunk.offset, count: chunk.length)
            for line in text.split(separator: 10) {
                let cells = Self.cells(line)
                guard counts(cells) else { continue }
                count += 1
                if figure.statistic == .distinct {
                    seen.insert(values.map { cells[$0] })
                    continue
                }
                guard let value = rowValue(cells) else { continue }
                guard figure.gaps else {
                    found.append(value)
                    continue
                }
                let app = figure.table.app.map { cells[$0] } ?? ""
                if let before = last[app] { found.append(value - before) }
                last[app] = value
            }
        }
        switch figure.statistic {
        case .count: return Double(count)
        case .distinct: return Double(seen.count)
        default: return figure.statistic.value(of: found, days: figure.days)
        }
    }

    /// The sum of the columns, less another; nil where one of them is empty.
    private func rowValue(_ cells: [String]) -> Double? {
        var sum = 0.0
        for index in values {
            guard let value = Double(cells[index]) else { return nil }
            sum += value
        }
        guard let minus else { return sum }
        return Double(cells[minus]).map { sum - $0 }
    }

    /// Whether a row lies after the warm-up and meets all conditions; rows about the whole run have no time.
    private func counts(_ cells: [String]) -> Bool {
        if let time = figure.table.time {
            guard let value = Double(cells[time.index]), value * time.unit >= figure.warmupSeconds else { return false }
        }
        return conditions.allSatisfy { condition in
            let cell = cells[condition.column]
            switch condition.requirement {
            case .words(let words): return words.contains(cell)
            case .range(let range): return Double(cell).map(range.contains) ?? false
            case .hours(let from, let to):
                guard let seconds = Double(cell) else { return false }
                let hour = (seconds * condition.unit / 3600).truncatingRemainder(dividingBy: 24)
                return from < to ? hour >= from && hour < to : hour >= from || hour < to
            }
        }
    }

    /// The cells of a line of a table, without their quotes.
    static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        let quote = UInt8(ascii: "\"")
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            index += 1
            if byte == quote {
                // Inside quotes a doubled quote stands for one.
                if isQuoted, index < line.endIndex, line[index] == quote {
                    cell.append(quote)
                    index += 1
                } else {
                    isQuoted.toggle()
                }
            } else if byte == UInt8(ascii: ","), !isQuoted {
                cells.append(String(decoding: cell, as: UTF8.self))
                cell.removeAll(keepingCapacity: true)
            } else {
                cell.append(byte)
            }
        }
        cells.append(String(decoding: cell, as: UTF8.self))
        return cells
    }
}

extension TableFigure.Statistic {
    /// The statistic of some values; NaN when there are too few.
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

    /// Standard deviation over mean.
    private static func variation(_ values: [Double]) -> Double {
        guard values.count > 1 else { return .nan }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot() / mean
    }

    /// The quantile between neighbouring values of the sorted row.
    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        let position = share * Double(sorted.count - 1)
        let below = Int(position)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
    }
}
