import Diagnostics
import Files
import Phone
import Recording
import Scenario

/// Works a figure out from the rows that runs left in their segments.
struct TableFigureReading {
    private let figure: TableFigure
    private let valuePlaces: [Int]
    private let minusPlace: Int?
    private let appPlace: Int?
    private let timePlace: Int
    private let timeUnit: Double
    private let conditions: [(place: Int, unit: Double, wish: TableFigure.Condition.Wish)]

    /// Prepares the reading; columns that the table lacks have been reported before and yield no value.
    init?(_ figure: TableFigure) {
        let columns = TableFigureReading.columns(of: figure.table).map(\.name)
        let places = figure.columns.map { columns.firstIndex(of: $0) }
        let wishes = figure.conditions.map { condition in
            columns.firstIndex(of: condition.column).map {
                ($0, Self.secondsPerUnit(condition.column), condition.wish)
            }
        }
        guard !places.contains(nil), !wishes.contains(where: { $0 == nil }),
            let time = columns.firstIndex(of: Self.timeColumn(of: figure.table))
        else { return nil }
        if let minus = figure.minus, !columns.contains(minus) { return nil }
        self.figure = figure
        valuePlaces = places.compactMap { $0 }
        minusPlace = figure.minus.flatMap { columns.firstIndex(of: $0) }
        appPlace = columns.firstIndex(of: "app")
        timePlace = time
        timeUnit = Self.secondsPerUnit(columns[time])
        conditions = wishes.compactMap { $0 }.map { (place: $0.0, unit: $0.1, wish: $0.2) }
    }

    /// The columns that a run writes itself, without those that say whose row it is.
    static func columns(of table: TableSet) -> [Column] {
        Array(TableCatalog.schema(of: table, axes: []).columns.dropFirst(3))
    }

    /// The column that says when a row is: when it was written, for requests.
    private static func timeColumn(of table: TableSet) -> String {
        switch table {
        case .deviceHours: "hour"
        case .appDays: "day"
        case .requests: "ended_s"
        default: "t_s"
        }
    }

    private static func secondsPerUnit(_ column: String) -> Double {
        switch column {
        case "hour": 3600
        case "day": 86400
        default: 1
        }
    }

    /// The figure of one run; NaN when it has no row to say it.
    func value(of run: FinishedRun) throws -> Double {
        guard run.tables.isSuperset(of: figure.table) else { return .nan }
        var values: [Double] = []
        var count = 0
        var last: [String: Double] = [:]
        var seen: Set<[String]> = []
        for chunk in run.chunks where chunk.table == figure.table {
            let text = try InputFile(chunk.path).read(at: chunk.offset, count: chunk.length)
            for line in text.split(separator: 10) {
                let cells = Self.cells(line)
                guard takes(cells) else { continue }
                count += 1
                if figure.statistic == .distinct {
                    seen.insert(valuePlaces.map { cells[$0] })
                    continue
                }
                guard let value = rowValue(cells) else { continue }
                guard figure.gaps else {
                    values.append(value)
                    continue
                }
                let app = appPlace.map { cells[$0] } ?? ""
                if let before = last[app] { values.append(value - before) }
                last[app] = value
            }
        }
        switch figure.statistic {
        case .count: return Double(count)
        case .distinct: return Double(seen.count)
        default: return figure.statistic.value(of: values, days: figure.days)
        }
    }

    /// The sum of the columns, less another; nil where one of them is empty.
    private func rowValue(_ cells: [String]) -> Double? {
        var sum = 0.0
        for place in valuePlaces {
            guard let value = Double(cells[place]) else { return nil }
            sum += value
        }
        guard let minusPlace else { return sum }
        return Double(cells[minusPlace]).map { sum - $0 }
    }

    private func takes(_ cells: [String]) -> Bool {
        guard let time = Double(cells[timePlace]), time * timeUnit >= figure.warmupSeconds else { return false }
        return conditions.allSatisfy { condition in
            let cell = cells[condition.place]
            switch condition.wish {
            case .words(let words): return words.contains(cell)
            case .range(let range): return Double(cell).map(range.contains) ?? false
            case .hours(let from, let to):
                guard let seconds = Double(cell) else { return false }
                let hour = (seconds * condition.unit / 3600).truncatingRemainder(dividingBy: 24)
                return from < to ? hour >= from && hour < to : hour >= from || hour < to
            }
        }
    }

    /// The cells of a line of a table, quotes taken off.
    static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        let quote = UInt8(ascii: "\"")
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var place = line.startIndex
        while place < line.endIndex {
            let byte = line[place]
            place += 1
            if byte == quote {
                // Inside quotes a doubled quote stands for one.
                if isQuoted, place < line.endIndex, line[place] == quote {
                    cell.append(quote)
                    place += 1
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
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
}
