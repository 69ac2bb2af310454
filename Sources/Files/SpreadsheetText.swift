// SPDX-License-Identifier: GPL-3.0-or-later

/// Texts of CSV files that a spreadsheet would take for formulas.
///
/// A spreadsheet computes what begins with `=`, `+`, `-`, `@`, a tab or a carriage return: such a text gets an
/// apostrophe in front, as does one that begins with apostrophes and goes on like that, so that readers can take the
/// first apostrophe away. A number, also with a unit, keeps its sign.
public enum SpreadsheetText {
    /// The text as a field holds it.
    public static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// The text that a field was written for.
    public static func plain(_ field: Substring) -> Substring {
        let isGuarded = field.utf8.first == UInt8(ascii: "'") && isFormula(field)
        return isGuarded ? field.dropFirst() : field
    }

    /// Whether a spreadsheet may take a text for a formula, apostrophes in front left out.
    private static func isFormula(_ text: some StringProtocol) -> Bool {
        let apostrophe = UInt8(ascii: "'")
        guard let first = text.utf8.first, first == apostrophe || isSign(first) else { return false }
        let body = text.utf8.drop { $0 == apostrophe }
        guard let start = body.first, isSign(start) else { return false }
        return first == apostrophe || !isNumber(Array(body))
    }

    /// Whether a formula may begin with a byte.
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 13: true
        default: false
        }
    }

    /// Whether a text is a number with its sign and at most a unit of letters, `%` and `/` behind.
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
