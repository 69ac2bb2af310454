// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Text under construction, as bytes: the fast way to CSV.
///
/// Numbers are written in the shortest form that reads back to the same bits; what is not a number is left empty.
public struct ByteBuffer: Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// The bytes so far.
    public var bytes: [UInt8] { storage }

    /// Creates an empty buffer.
    public init() {}

    /// Number of bytes.
    @inlinable public var count: Int { storage.count }

    /// Forgets the content and keeps the room.
    public mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    /// Appends one byte.
    @inlinable
    public mutating func append(byte: UInt8) { storage.append(byte) }

    /// Appends bytes as they are.
    public mutating func append(contentsOf other: some Sequence<UInt8>) { storage.append(contentsOf: other) }

    /// Appends text as it is.
    public mutating func append(text: String) { storage.append(contentsOf: text.utf8) }

    /// Appends a whole number in decimal digits.
    @inlinable
    public mutating func append(_ value: some BinaryInteger) {
        append(magnitude: UInt64(value.magnitude), isNegative: value < 0)
    }

    @usableFromInline
    mutating func append(magnitude: UInt64, isNegative: Bool) {
        if isNegative { storage.append(UInt8(ascii: "-")) }
        appendDigits(magnitude, atLeast: 1)
    }

    /// Appends a number in its shortest round-trip form; nothing when it is infinite or not a number.
    public mutating func append(_ value: Double) {
        guard value.isFinite else { return }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, value != 0 || value.sign == .plus {
            append(whole)
        } else {
            append(text: value.description)
        }
    }

    /// Appends an instant in seconds, exactly; nothing for an instant that is never reached.
    public mutating func append(_ time: SimTime) {
        if time == .distantFuture { return }
        let nanoseconds = time.nanoseconds
        if nanoseconds < 0 { storage.append(UInt8(ascii: "-")) }
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        appendDigits(seconds, atLeast: 1)
        if rest == 0 { return }
        storage.append(UInt8(ascii: "."))
        appendDigits(rest, atLeast: 9)
        while storage.last == UInt8(ascii: "0") { storage.removeLast() }
    }

    /// Appends 16 hexadecimal digits.
    public mutating func append(hexadecimal value: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15
            storage.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Appends a text field of a CSV row, in quotes where it needs them.
    ///
    /// A spreadsheet computes what begins with `=`, `+`, `-`, `@`, a tab or a carriage return: such a text gets an
    /// apostrophe in front, as does one that begins with apostrophes and goes on like that, so that readers can take
    /// the first apostrophe away. A number, also with a unit, keeps its sign.
    public mutating func append(field text: String) {
        if Self.isFormula(text) { return append(quoted: "'" + text) }
        append(quoted: text)
    }

    /// Whether a spreadsheet may take a text for a formula, apostrophes in front left out.
    private static func isFormula(_ text: String) -> Bool {
        let apostrophe = UInt8(ascii: "'")
        guard let first = text.utf8.first, first == apostrophe || isSign(first) else { return false }
        let body = text.utf8.drop { $0 == apostrophe }
        guard let start = body.first, isSign(start) else { return false }
        return first == apostrophe || !isNumber(body)
    }

    /// Whether a formula may begin with a byte.
    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 9, 13: true
        default: false
        }
    }

    /// Whether a text is a number with its sign and at most a unit of letters, `%` and `/` behind.
    private static func isNumber(_ text: Substring.UTF8View) -> Bool {
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

    private mutating func append(quoted text: String) {
        let needsQuotes = text.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 10 || byte == 13
        }
        if !needsQuotes { return append(text: text) }
        storage.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { storage.append(byte) }
            storage.append(byte)
        }
        storage.append(UInt8(ascii: "\""))
    }

    /// Appends the comma between two fields.
    @inlinable
    public mutating func comma() { storage.append(UInt8(ascii: ",")) }

    /// Ends a row.
    @inlinable
    public mutating func newline() { storage.append(10) }

    private mutating func appendDigits(_ value: UInt64, atLeast width: Int) {
        let start = storage.count
        var rest = value
        repeat {
            storage.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0 || storage.count - start < width
        storage[start...].reverse()
    }
}
