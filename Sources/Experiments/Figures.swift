// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Statistics

/// Numbers for people.
public enum Figures {
    /// A number with so many significant digits.
    public static func short(_ value: Double, digits: Int = 4) -> String {
        guard value.isFinite else { return value.isNaN ? "-" : (value < 0 ? "-inf" : "inf") }
        if abs(value) >= limit(digits), abs(value) < 1e15 { return format("%.0f", value) }
        return format("%.\(digits)g", value)
    }

    /// The smallest number with more digits before the point than are asked for.
    private static func limit(_ digits: Int) -> Double { (0..<digits).reduce(1.0) { value, _ in value * 10 } }

    /// A figure with the half-width of its interval; without it where replications do not tell how sure the figure is.
    public static func interval(_ value: Double, _ halfWidth: Double) -> String {
        halfWidth.isFinite ? short(value) + " ± " + short(halfWidth, digits: 2) : short(value)
    }

    /// A share as a percentage with one digit behind the point.
    public static func percent(_ share: Double) -> String {
        share.isFinite ? format("%+.1f", share * 100) + " %" : "-"
    }

    /// A difference with the ends of its interval; without them where the pairs do not tell.
    public static func interval(_ paired: PairedComparison, times factor: Double = 1) -> String {
        let difference = short(paired.difference * factor)
        guard paired.halfWidth.isFinite else { return difference }
        let ends = [paired.low, paired.high].map { short($0 * factor, digits: 3) }
        return difference + " [" + ends.joined(separator: ", ") + "]"
    }

    /// A difference between percentages.
    public static func points(_ difference: Double) -> String { format("%+.1f", difference) + " points" }

    /// A magnitude for a sentence: whole from 10 on, else two significant digits.
    public static func rough(_ value: Double) -> String {
        guard value.isFinite else { return short(value) }
        return abs(value) >= 9.95 ? format("%.0f", value) : format("%.2g", value)
    }

    /// A p-value; very small ones as a bound.
    public static func probability(_ p: Double) -> String {
        if !p.isFinite { return "-" }
        return p < 0.0001 ? "< 0.0001" : format("%.4f", p)
    }

    /// A size in the unit that suits it.
    public static func bytes(_ count: Double) -> String {
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

    /// Names in a row, "and" before the last.
    public static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
