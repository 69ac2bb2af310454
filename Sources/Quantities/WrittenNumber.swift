// SPDX-License-Identifier: GPL-3.0-or-later

/// A number as a user wrote it, plain or with a unit.
public struct WrittenNumber: Sendable {
    /// Dimension of the number; nil for a plain number.
    public let dimension: Dimension?
    /// Unit as written; empty for a plain number.
    public let unit: String
    /// Number in front of the unit.
    public let value: Double
    /// Value in the base unit of the dimension.
    public let base: Double

    /// Reads a text; nil unless it is a finite number, plain or with a known unit.
    public init?(_ text: String) {
        if let number = Double(text), number.isFinite {
            (dimension, unit, value, base) = (nil, "", number, number)
            return
        }
        for dimension in Dimension.allCases {
            guard let base = try? UnitText.parse(text, as: dimension),
                let unit = dimension.units.filter({ text.hasSuffix($0.symbol) }).max(by: {
                    $0.symbol.utf8.count < $1.symbol.utf8.count
                }), let value = Double(text.dropLast(unit.symbol.count).filter { !$0.isWhitespace })
            else { continue }
            self.dimension = dimension
            self.unit = unit.symbol
            self.value = value
            self.base = base
            return
        }
        return nil
    }

    /// Value in the unit of another number; nil if the dimensions differ.
    public func value(in other: WrittenNumber) -> Double? {
        if unit == other.unit { return value }
        guard dimension == other.dimension else { return nil }
        return dimension?.units.first { $0.symbol == other.unit }?.scaled(base)
    }
}
