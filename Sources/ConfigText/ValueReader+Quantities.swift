// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

extension ValueReader where T == Double {
    /// A plain number in a range.
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

    /// A number with a unit, in SI base units; the range is in the same unit.
    public static func quantity(
        _ dimension: Dimension, _ range: ClosedRange<Double> = -1e300...1e300
    ) -> ValueReader {
        .scalar(
            dimension.name + " such as \"\(dimension.example)\"", example: dimension.example,
            shape: .quantity(dimension)
        ) { text, cursor in
            do throws(UnitTextError) {
                let value = try UnitText.parse(text, as: dimension)
                if range.contains(value) { return value }
                let bound =
                    value < range.lowerBound
                    ? "at least \(UnitText.format(range.lowerBound, as: dimension))"
                    : "at most \(UnitText.format(range.upperBound, as: dimension))"
                cursor.fail("expected \(dimension.name) of \(bound), found \"\(text)\"")
            } catch {
                cursor.fail(error.message, hint: unitHint(error))
            }
            return nil
        }
    }

    /// A share from 0 % to 100 %, as a number from 0 to 1.
    public static var share: ValueReader { .quantity(.fraction, 0...1) }
}

/// How to mend a wrong quantity.
public func unitHint(_ error: UnitTextError) -> String? {
    switch error {
    case .notANumber: return nil
    case .missingUnit(let text, let expected):
        let unit = expected.example.split(separator: " ")[1]
        return "write the unit, for instance \"\(text) \(unit)\"; units: \(symbols(expected))"
    case .wrongDimension(_, _, let expected): return "units: \(symbols(expected))"
    case .unknownUnit(_, let unit, let expected):
        let all = expected.units.map(\.symbol)
        let own =
            all.first { $0.lowercased() == unit.lowercased() } ?? (unit.count > 2 ? nearest(to: unit, in: all) : nil)
        return own.map { "did you mean \"\($0)\"?" } ?? "units: \(symbols(expected))"
    }
}

private func symbols(_ dimension: Dimension) -> String {
    dimension.units.map(\.symbol).joined(separator: ", ")
}

extension ValueReader where T == SimDuration {
    /// A length of time, not negative unless the range says so.
    public static func duration(_ range: ClosedRange<Double> = 0...9e9) -> ValueReader {
        ValueReader<Double>.quantity(.time, range).map { .seconds($0) }
    }
}

extension ValueReader where T == ByteCount {
    /// A size in bytes, not negative.
    public static func bytes(_ range: ClosedRange<Double> = 0...1e12) -> ValueReader {
        ValueReader<Double>.quantity(.bytes, range).map { ByteCount(Int64($0.rounded())) }
    }
}

extension ValueReader where T: Quantity {
    /// A quantity of the given dimension, not negative unless the range says so, and nothing that no phone could have.
    public static func amount(_ dimension: Dimension, _ range: ClosedRange<Double> = 0...1e15) -> ValueReader {
        ValueReader<Double>.quantity(dimension, range).map { T(rawValue: $0) }
    }
}
