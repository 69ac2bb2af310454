// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Quantities

/// A buffer of bytes to which texts and numbers are appended, for fast writing of CSV.
///
/// Numbers are written in the shortest form that reads back to the same bits. Real numbers have a point, so that
/// readers can infer the type of a column. NaN is written as an empty field.
public struct ByteBuffer: Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// The bytes so far.
    public var bytes: [UInt8] { storage }

    /// Creates an empty buffer.
    public init() {}

    /// Number of bytes.
    @inlinable public var count: Int { storage.count }

    /// Removes the content and keeps the memory.
    public mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    /// Appends one byte.
    @inlinable
    public mutating func append(byte: UInt8) { storage.append(byte) }

    /// Appends bytes unchanged.
    public mutating func append(contentsOf other: some Sequence<UInt8>) { storage.append(contentsOf: other) }

    /// Appends text unchanged.
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

    /// Appends a real number in its shortest round-trip form, "1.0" for a whole one.
    ///
    /// Infinity and NaN are written as nothing.
    public mutating func append(_ value: Double) {
        guard value.isFinite else { return }
        if let whole = Self.whole(value) {
            append(whole)
            append(text: ".0")
        } else {
            append(text: value.description)
        }
    }

    /// Appends a finite number in its shortest round-trip form, "1" for a whole one.
    public mutating func append(plain value: Double) {
        if let whole = Self.whole(value) { append(whole) } else { append(text: value.description) }
    }

    /// The integer equal to the number.
    ///
    /// Nil for negative zero, and for numbers outside the range in which a double represents every integer.
    private static func whole(_ value: Double) -> Int64? {
        guard let whole = Int64(exactly: value), whole.magnitude < 1 << 53, value != 0 || value.sign == .plus else {
            return nil
        }
        return whole
    }

    /// Appends an instant in exact seconds with a decimal point; nothing for an instant that is never reached.
    public mutating func append(_ time: SimTime) {
        if time == .distantFuture { return }
        let nanoseconds = time.nanoseconds
        if nanoseconds < 0 { storage.append(UInt8(ascii: "-")) }
        let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        appendDigits(seconds, atLeast: 1)
        if rest == 0 { return append(text: ".0") }
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

    /// Appends a text field of a CSV row, in quotes if necessary.
    ///
    /// A text that a spreadsheet would evaluate as a formula gets a leading apostrophe.
    public mutating func append(field text: String) {
        append(quoted: SpreadsheetText.guarded(text))
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
