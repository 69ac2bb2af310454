// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

extension ValueReader where T == Double {
    /// A plain number within a range.
    public static func number(_ range: ClosedRange<Double> = -1e300...1e300, example: String? = nil) -> ValueReader {
        .scalar("a number", example: example, shape: .number(range)) { text, cursor in
            guard let value = Double(text), value.isFinite else {
                cursor.expected("a number")
                return nil
            }
            guard range.contains(value) else {
                let low = range.lowerBound > -1e300 ? "at least \(range.lowerBound)" : ""
                let high = range.upperBound < 1e300 ? "at most \(range.upperBound)" : ""
                cursor.fail("expected \([low, high].filter { !$0.isEmpty }.joined(separator: " and ")), found \(text)")
                return nil
            }
            return value
        }
    }

    /// A number with a unit, converted to the SI base unit.
    ///
    /// The range is in this unit too.
    public static func quantity(
        _ dimension: Dimension, _ range: ClosedRange<Double> = -1e300...1e300, example: String? = nil
    ) -> ValueReader {
        let example = example ?? dimension.example
        return .scalar(
            dimension.name + " such as \"\(example)\"", example: example,
            shape: dimension == .fraction && range.lowerBound >= 0 && range.upperBound <= 1
                ? .share : .quantity(dimension)
        ) { text, cursor in
            do throws(UnitTextError) {
                let value = try UnitText.parse(text, as: dimension)
                if range.contains(value) { return value }
                let bound =
                    value < range.lowerBound
                    ? "at least \(UnitText.format(range.lowerBound, as: dimension, like: text))"
                    : "at most \(UnitText.format(range.upperBound, as: dimension, like: text))"
                cursor.fail("expected \(dimension.name) of \(bound), found \"\(text)\"")
            } catch {
                cursor.fail(error.message(example: example), hint: unitHint(error, example: example))
            }
            return nil
        }
    }

    /// A share from 0 % to 100 %, as a number from 0 to 1.
    public static var share: ValueReader { .quantity(.fraction, 0...1) }
}

/// Hint for an invalid quantity.
///
/// - Parameter example: A valid value of the key; nil for the example of the dimension.
public func unitHint(_ error: UnitTextError, example: String? = nil) -> String? {
    switch error {
    case .notANumber: return nil
    case .missingUnit(let text, let expected):
        let unit = (example ?? expected.example).split(separator: " ").last ?? ""
        return "write the unit, for instance \"\(text) \(unit)\"; units: \(symbols(expected))"
    case .wrongDimension(_, _, let expected): return "units: \(symbols(expected))"
    case .unknownUnit(_, let unit, let expected):
        let all = expected.units.map(\.symbol)
        let own =
            all.first { $0 == unitWords[unit.lowercased()] } ?? all.first { $0.lowercased() == unit.lowercased() }
            // A unit with another prefix is not suggested, because it has another size: TiB is not a misspelt KiB.
            ?? (unit.count > 2
                ? nearest(to: unit, in: all).flatMap { $0.dropFirst() == unit.dropFirst() ? nil : $0 } : nil)
        return own.map { "did you mean \"\($0)\"?" } ?? "units: \(symbols(expected))"
    }
}

/// Words for units that users may write.
private let unitWords: [String: String] = {
    let words: [(String, [String])] = [
        ("d", ["day", "days"]), ("h", ["hour", "hours", "hr", "hrs"]), ("min", ["minute", "minutes", "mins"]),
        ("s", ["second", "seconds", "sec", "secs"]), ("ms", ["millisecond", "milliseconds", "msec"]),
        ("%", ["percent", "pct"]), ("degC", ["c", "°c", "celsius"]), ("GiB", ["gigabyte", "gigabytes"]),
        ("MiB", ["megabyte", "megabytes"]), ("W", ["watt", "watts"]), ("J", ["joule", "joules"]),
    ]
    let pairs = words.flatMap { symbol, all in all.map { ($0, symbol) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
}()

private func symbols(_ dimension: Dimension) -> String {
    dimension.units.map(\.symbol).joined(separator: ", ")
}

extension ValueReader where T == SimDuration {
    /// A duration; not negative and at most a year, unless the range allows it.
    public static func duration(
        _ range: ClosedRange<Double> = 0...SimDuration.longestStated, example: String? = nil
    ) -> ValueReader {
        ValueReader<Double>.quantity(.time, range, example: example).map { .seconds($0) }
    }
}

extension ValueReader where T == ByteCount {
    /// A size in bytes; not negative, unless the range allows it.
    public static func bytes(_ range: ClosedRange<Double> = 0...1e12) -> ValueReader {
        ValueReader<Double>.quantity(.bytes, range).map { ByteCount(Int64($0.rounded())) }
    }
}

extension ValueReader where T: Quantity {
    /// A quantity of a dimension within a plausible range; not negative, unless the range allows it.
    public static func amount(_ dimension: Dimension, _ range: ClosedRange<Double> = 0...1e15) -> ValueReader {
        ValueReader<Double>.quantity(dimension, range).map { T(rawValue: $0) }
    }
}

/// Text of a value as in files; nil for lists, maps and other values that have no text.
func valueText(_ value: Any, _ shape: ValueShape) -> String? {
    switch value {
    case let text as String: text
    case let number as Double:
        switch shape {
        case .quantity(let dimension): UnitText.format(number, as: dimension)
        case .share: UnitText.format(number, as: .fraction)
        default: UnitText.plain(number)
        }
    case let number as any BinaryInteger: String(number)
    case let flag as Bool: String(flag)
    case let time as SimDuration: UnitText.format(time.seconds, as: .time)
    case let size as ByteCount: UnitText.format(Double(size.bytes), as: .bytes)
    case let choice as any RawRepresentable<String>: choice.rawValue
    default: nil
    }
}
