// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Statistics

/// Formats numbers for people, in all sentences and in the tables that people read.
///
/// A number below `PairedComparison.resolution`, the tolerance of comparisons, is printed as zero. Negative zero is
/// printed as zero. Numbers below 10^15 have no exponent.
public enum Figures {
    /// Smallest number that is printed with an exponent.
    private static let largest = 1e15

    /// Number with the given count of significant digits; a number with more digits before the point is rounded to a
    /// whole number.
    public static func short(_ value: Double, digits: Int = 4) -> String {
        guard value.isFinite else { return value.isNaN ? "-" : (value < 0 ? "-inf" : "inf") }
        guard abs(value) >= PairedComparison.resolution else { return "0" }
        if abs(value) >= largest { return format("%.\(digits)g", value).replacing("e+", with: "e") }
        // The exponent is taken after rounding: 9.9996 has one digit before the point, but rounds to 10.00, which has
        // two.
        let exponent = format("%.\(digits - 1)e", value).split(separator: "e").last.flatMap { Int($0) } ?? 0
        let decimals = digits - 1 - exponent
        guard decimals > 0 else { return format("%.0f", value) }
        var text = format("%.\(decimals)f", value)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// Number rounded as by `rough`, with its sign; zero has no sign.
    public static func signed(_ value: Double) -> String {
        let text = rough(value)
        return value > 0 && text != "0" ? "+" + text : text
    }

    /// Number with the half-width of its interval; the number alone if there is no interval.
    public static func interval(_ value: Double, _ halfWidth: Double) -> String {
        halfWidth.isFinite ? short(value) + " ± " + short(halfWidth, digits: 2) : short(value)
    }

    /// Share as a signed percentage with one digit after the point.
    public static func percent(_ share: Double) -> String {
        share.isFinite ? tenths(share * 100) + " %" : "-"
    }

    /// Difference with the ends of its interval; the difference alone if there is no interval.
    public static func interval(_ paired: PairedComparison, times factor: Double = 1) -> String {
        let difference = short(paired.difference * factor)
        guard paired.halfWidth.isFinite else { return difference }
        let ends = [paired.low, paired.high].map { short($0 * factor, digits: 3) }
        return difference + " [" + ends.joined(separator: ", ") + "]"
    }

    /// Difference of percentages, in points.
    public static func points(_ difference: Double) -> String { tenths(difference) + " points" }

    /// Signed number with one digit after the point; it has no sign if it rounds to zero.
    private static func tenths(_ value: Double) -> String {
        if abs(value) >= largest { return (value > 0 ? "+" : "") + short(value) }
        let text = format("%+.1f", value)
        return text == "+0.0" || text == "-0.0" ? "0.0" : text
    }

    /// Number for a sentence: whole from 10 on, otherwise with two significant digits.
    public static func rough(_ value: Double) -> String { short(value, digits: 2) }

    /// Share as a percentage without the sign `%`; a share below 0 or above 1 becomes a bound in words.
    public static func closed(_ share: Double) -> String {
        share > 1 ? "100 or more" : share < 0 ? "0 or less" : rough(share * 100)
    }

    /// P-value; a very small p-value is printed as a bound.
    public static func probability(_ p: Double) -> String {
        if !p.isFinite { return "-" }
        return p < 0.0001 ? "< 0.0001" : format("%.4f", p)
    }

    /// Size in bytes, in the decimal unit that suits it.
    public static func bytes(_ count: Double) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = count
        var unit = 0
        while value >= 1000 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return short(value < 1000 ? (value * 10).rounded() / 10 : value) + " " + units[unit]
    }

    /// Size in bytes, in decimal units if `other` has a shorter number in them, otherwise in binary units.
    ///
    /// The user most likely wrote the other size in these units: 90 MB for 180 MB, 200 MiB for 400 MiB.
    public static func size(_ bytes: Double, like other: Double) -> String {
        func length(_ step: Double) -> Int { scaled(other, step).number.description.utf8.count }
        guard length(1000) < length(1024) else { return binary(bytes) }
        let (number, power) = scaled(bytes, 1000)
        return "\(short(number)) \(["B", "kB", "MB", "GB", "TB"][power])"
    }

    /// Size in bytes, in the largest binary unit in which the number is at least one.
    public static func binary(_ bytes: Double) -> String {
        let (number, power) = scaled(bytes, 1024)
        return "\(short(number)) \(["B", "KiB", "MiB", "GiB", "TiB"][power])"
    }

    private static func scaled(_ bytes: Double, _ step: Double) -> (number: Double, power: Int) {
        var (number, power) = (bytes, 0)
        while abs(number) >= step, power < 4 { (number, power) = (number / step, power + 1) }
        return (number, power)
    }

    private static func format(_ pattern: String, _ value: Double) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([value]) { vsnprintf(&buffer, buffer.count, pattern, $0) }
        return String(decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// List of names, with "and" before the last.
    public static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
