// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Statistics

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

/// Numbers for people.
enum Figures {
    /// A number with so many significant digits.
    static func short(_ value: Double, digits: Int = 4) -> String {
        guard value.isFinite else { return value.isNaN ? "-" : (value < 0 ? "-inf" : "inf") }
        if abs(value) >= limit(digits), abs(value) < 1e15 { return format("%.0f", value) }
        return format("%.\(digits)g", value)
    }

    /// The smallest number with more digits before the point than are asked for.
    private static func limit(_ digits: Int) -> Double { (0..<digits).reduce(1.0) { value, _ in value * 10 } }

    /// A figure with the half-width of its interval; without it where replications do not tell how sure the figure is.
    static func interval(_ value: Double, _ halfWidth: Double) -> String {
        halfWidth.isFinite ? short(value) + " ± " + short(halfWidth, digits: 2) : short(value)
    }

    /// A difference with the ends of its interval; without them where the pairs do not tell.
    static func interval(_ paired: PairedComparison) -> String {
        guard paired.halfWidth.isFinite else { return short(paired.difference) }
        let ends = [paired.low, paired.high].map { short($0, digits: 3) }
        return short(paired.difference) + " [" + ends.joined(separator: ", ") + "]"
    }

    /// A share as a percentage with one digit behind the point.
    static func percent(_ share: Double) -> String {
        share.isFinite ? format("%+.1f", share * 100) + " %" : "-"
    }

    /// A p-value; very small ones as a bound.
    static func probability(_ p: Double) -> String {
        if !p.isFinite { return "-" }
        return p < 0.0001 ? "< 0.0001" : format("%.4f", p)
    }

    /// A size in the unit that suits it.
    static func bytes(_ count: Double) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = count
        var unit = 0
        while value >= 1000 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return (unit == 0 ? format("%.0f", value) : format("%.1f", value)) + " " + units[unit]
    }

    private static func format(_ pattern: String, _ value: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([value]) { vsnprintf(&buffer, buffer.count, pattern, $0) }
        return String(decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
