// SPDX-License-Identifier: GPL-3.0-or-later

/// Reason why a text is not a quantity of the expected dimension.
public enum UnitTextError: Error, Equatable, Sendable {
    /// The text does not begin with a number.
    case notANumber(text: String, expected: Dimension)
    /// The number has no unit.
    case missingUnit(text: String, expected: Dimension)
    /// The unit belongs to another dimension.
    case wrongDimension(text: String, found: Dimension, expected: Dimension)
    /// No dimension has the unit.
    case unknownUnit(text: String, unit: String, expected: Dimension)

    /// Message for the user.
    public var message: String { message(example: nil) }

    /// Message with an example of a valid text; if the example is nil, the dimension's own example is used.
    public func message(example: String?) -> String {
        func wanted(_ dimension: Dimension) -> String {
            "expected \(dimension.name) such as \"\(example ?? dimension.example)\""
        }
        switch self {
        case .notANumber(let text, let expected): return "\(wanted(expected)), found \"\(text)\""
        case .missingUnit(let text, let expected):
            return "\(wanted(expected)), found \"\(text)\" without a unit"
        case .wrongDimension(let text, let found, let expected):
            return "\(wanted(expected)), found \(found.name), \"\(text)\""
        case .unknownUnit(let text, let unit, let expected):
            return "\(wanted(expected)), found \"\(text)\" with the unknown unit \"\(unit)\""
        }
    }
}

/// The only reader and writer of numbers with units in the program.
public enum UnitText {
    /// Value of a text such as `350 mW`, in the SI base unit of the dimension; the space is optional.
    ///
    /// Sizes are in bytes, times in seconds, temperatures in degrees Celsius. Shares are from 0 to 1.
    public static func parse(_ text: String, as dimension: Dimension) throws(UnitTextError) -> Double {
        let (digits, unit) = split(text)
        guard let number = Double(digits), number.isFinite else {
            throw .notANumber(text: text, expected: dimension)
        }
        if unit.isEmpty { throw .missingUnit(text: text, expected: dimension) }
        if let known = dimension.units.first(where: { $0.symbol == unit }) { return known.base(number) }
        for other in Dimension.allCases where other.units.contains(where: { $0.symbol == unit }) {
            throw .wrongDimension(text: text, found: other, expected: dimension)
        }
        throw .unknownUnit(text: text, unit: unit, expected: dimension)
    }

    /// Text of a value as a user would write it, in the unit in which the number is at least 1 and shortest.
    ///
    /// The text reads back as exactly this value, except for shares that no decimal percentage equals exactly (off by
    /// one bit).
    public static func format(_ value: Double, as dimension: Dimension) -> String {
        let base = dimension.units[0]
        var best: (number: String, unit: UnitOfMeasure)?
        for unit in dimension.units where unit.isShown && abs(unit.scaled(value)) >= 1 {
            guard let number = exactText(value, in: unit) else { continue }
            if let best, best.number.utf8.count < number.utf8.count { continue }
            if let best, best.number.utf8.count == number.utf8.count, unit.base(1) < best.unit.base(1) { continue }
            best = (number, unit)
        }
        if let best { return "\(best.number) \(best.unit.symbol)" }
        return "\(exactText(value, in: base) ?? plain(base.scaled(value))) \(base.symbol)"
    }

    /// Text of a value to six digits, in the unit of a user's text; without a suitable unit, the result of
    /// `format(_:as:)`.
    public static func format(_ value: Double, as dimension: Dimension, like text: String) -> String {
        let symbol = split(text).unit
        guard let unit = dimension.units.first(where: { $0.symbol == symbol }), abs(value) < 1e15 else {
            return format(value, as: dimension)
        }
        let number = unit.scaled(value)
        guard number == 0 || (1..<1e9).contains(abs(number)) else { return format(value, as: dimension) }
        if number == number.rounded() { return "\(plain(number)) \(symbol)" }
        var scale = 1.0
        while abs(number) * scale < 1e5 { scale *= 10 }
        return "\(plain((number * scale).rounded() / scale)) \(symbol)"
    }

    /// Shortest number that, with the unit, reads back as exactly the value; scaling alone may be off by one bit.
    private static func exactText(_ value: Double, in unit: UnitOfMeasure) -> String? {
        let scaled = unit.scaled(value)
        return [scaled, scaled.nextUp, scaled.nextDown].filter { unit.base($0) == value }.map(plain)
            .min { $0.utf8.count < $1.utf8.count }
    }

    /// A number without a needless `.0`.
    public static func plain(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A number to one decimal, without a needless `.0`.
    public static func tenths(_ value: Double) -> String { plain((value * 10).rounded() / 10) }

    /// Splits a text into its leading decimal number and the rest, both without surrounding spaces.
    private static func split(_ text: String) -> (number: String, unit: String) {
        let characters = Array(text.unicodeScalars)
        var index = 0
        func skip(_ test: (Unicode.Scalar) -> Bool) {
            while index < characters.count, test(characters[index]) { index += 1 }
        }
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }
        func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\u{A0}" }
        skip(isSpace)
        let start = index
        if index < characters.count, characters[index] == "-" || characters[index] == "+" { index += 1 }
        skip(isDigit)
        if index < characters.count, characters[index] == "." {
            index += 1
            skip(isDigit)
        }
        if index + 1 < characters.count, characters[index] == "e" || characters[index] == "E" {
            let signed = characters[index + 1] == "-" || characters[index + 1] == "+"
            let first = index + (signed ? 2 : 1)
            if first < characters.count, isDigit(characters[first]) {
                index = first
                skip(isDigit)
            }
        }
        let end = index
        skip(isSpace)
        var last = characters.count
        while last > index, isSpace(characters[last - 1]) { last -= 1 }
        return (string(characters[start..<end]), string(characters[index..<last]))
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
