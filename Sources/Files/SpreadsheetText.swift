// SPDX-License-Identifier: GPL-3.0-or-later

/// Protects texts of CSV files that a spreadsheet would evaluate as formulas.
///
/// A spreadsheet evaluates a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return. Such a text gets an
/// apostrophe in front. A text with apostrophes before one of these characters also gets one, so that readers can
/// always remove the first apostrophe. A number with a sign stays unchanged, with or without a unit.
public enum SpreadsheetText {
    /// The text as written into a field.
    public static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// The original text of a field.
    public static func plain(_ field: Substring) -> Substring {
        let isGuarded = field.utf8.first == UInt8(ascii: "'") && isFormula(field)
        return isGuarded ? field.dropFirst() : field
    }

    /// Whether a text gets an apostrophe, because a spreadsheet may evaluate the text without its leading apostrophes.
    private static func isFormula(_ text: some StringProtocol) -> Bool {
        let apostrophe = UInt8(ascii: "'")
        guard let first = text.utf8.first, first == apostrophe || isSign(first) else { return false }
        let body = text.utf8.drop { $0 == apostrophe }
        guard let start = body.first, isSign(start) else { return false }
        return first == apostrophe || !isNumber(Array(body))
    }

    /// Whether a formula can begin with this byte.
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 13: true
        default: false
        }
    }

    /// Whether a text is a signed number, followed by at most a unit of letters, `%` and `/`.
    private static func isNumber(_ text: some Collection<UInt8>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let first = text.dropFirst().first, isDigit(first)
        else { return false }
        let rest = text.dropFirst().drop { isDigit($0) || $0 == UInt8(ascii: ".") }
        let exponent = rest.first == UInt8(ascii: "e") ? rest.dropFirst().drop { $0 == 43 || $0 == 45 } : rest
        return exponent.allSatisfy { byte in
            isDigit(byte) || byte == 32 || byte == 37 || byte == 47 || (65...90).contains(byte)
                || (97...122).contains(byte)
        }
    }
}
