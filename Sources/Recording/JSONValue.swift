// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures

/// A JSON value.
///
/// Keys are written in sorted order, so that equal values have equal texts.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Value of a key; nil if this is not an object, or if it does not have the key.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// Text; nil if the value is not a text.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// Whole number; nil if the value is not a whole number.
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

    /// Number; nil if the value is not a number.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Members of an object; nil if the value is not an object.
    public var members: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// Elements of an array; nil if the value is not an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// JSON text on one line.
    public var compact: String {
        var out = ByteBuffer()
        write(to: &out, indent: nil)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    /// JSON text on several lines, indented by two spaces.
    ///
    /// The text ends with a line end.
    public var pretty: String {
        var out = ByteBuffer()
        write(to: &out, indent: 0)
        out.newline()
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private func write(to out: inout ByteBuffer, indent: Int?) {
        switch self {
        case .null: out.append(text: "null")
        case .bool(let value): out.append(text: value ? "true" : "false")
        case .integer(let value): out.append(value)
        case .number(let value): value.isFinite ? out.append(plain: value) : out.append(text: "null")
        case .string(let value): Self.write(value, to: &out)
        case .array(let elements):
            Self.writeList(elements, open: "[", close: "]", to: &out, indent: indent) { element, out, inner in
                element.write(to: &out, indent: inner)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            Self.writeList(sorted, open: "{", close: "}", to: &out, indent: indent) { member, out, inner in
                Self.write(member.key, to: &out)
                out.append(text: inner == nil ? ":" : ": ")
                member.value.write(to: &out, indent: inner)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element], open: String, close: String, to out: inout ByteBuffer, indent: Int?,
        element write: (Element, inout ByteBuffer, Int?) -> Void
    ) {
        out.append(text: open)
        for (index, element) in elements.enumerated() {
            if index > 0 { out.comma() }
            newline(&out, indent.map { $0 + 1 })
            write(element, &out, indent.map { $0 + 1 })
        }
        if !elements.isEmpty { newline(&out, indent) }
        out.append(text: close)
    }

    private static func newline(_ out: inout ByteBuffer, _ indent: Int?) {
        guard let indent else { return }
        out.newline()
        for _ in 0..<indent { out.append(text: "  ") }
    }

    private static func write(_ text: String, to out: inout ByteBuffer) {
        out.append(byte: UInt8(ascii: "\""))
        defer { out.append(byte: UInt8(ascii: "\"")) }
        if text.firstControl != nil { return writeControls(text, to: &out) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                out.append(byte: UInt8(ascii: "\\"))
                out.append(byte: byte)
            case 0..<32: write(escape: UInt32(byte), to: &out)
            default: out.append(byte: byte)
            }
        }
    }

    /// Appends a text and escapes its control characters, including those outside ASCII.
    ///
    /// JSON allows control characters outside ASCII, but terminals obey them.
    private static func writeControls(_ text: String, to out: inout ByteBuffer) {
        for scalar in text.unicodeScalars {
            if scalar.isControl || scalar == "\n" || scalar == "\t" {
                write(escape: scalar.value, to: &out)
            } else {
                if scalar == "\"" || scalar == "\\" { out.append(byte: UInt8(ascii: "\\")) }
                out.append(text: String(Character(scalar)))
            }
        }
    }

    private static func write(escape code: UInt32, to out: inout ByteBuffer) {
        switch code {
        case 9: out.append(text: "\\t")
        case 10: out.append(text: "\\n")
        case 13: out.append(text: "\\r")
        default:
            let digits = String(code, radix: 16)
            out.append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
    }
}
