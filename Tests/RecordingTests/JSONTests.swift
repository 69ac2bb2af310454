// SPDX-License-Identifier: GPL-3.0-or-later
import Recording
import Testing

@Suite struct JSONTests {
    private let value = JSONValue.object([
        "b": .array([.integer(1), .number(0.5), .null, .bool(true)]), "a": .string("x\"\n\u{1}é"), "c": .object([:]),
    ])

    @Test func `keys are sorted and text is escaped`() {
        #expect(value.compact == "{\"a\":\"x\\\"\\n\\u0001é\",\"b\":[1,0.5,null,true],\"c\":{}}")
        #expect(JSONValue.object(["k": .integer(1)]).pretty == "{\n  \"k\": 1\n}\n")
    }

    @Test func `what acts on a terminal is escaped and reads back`() throws {
        let text = "\u{1b}[31m\u{9b}\u{7f}\u{202e}\u{2066}\u{2028}é\n\t\r\"\\"
        let written = JSONValue.string(text).compact
        #expect(written == #""\u001b[31m\u009b\u007f\u202e\u2066\u2028é\n\t\r\"\\""#)
        #expect(try JSONValue(parsing: written) == .string(text))
    }

    @Test func `what is written reads back`() throws {
        #expect(try JSONValue(parsing: value.compact) == value)
        #expect(try JSONValue(parsing: value.pretty) == value)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\" 1}", "tru", "1 2", "\"open", "{a:1}", "+1", "01", "1.", ".5", "1e", "-", "0x1", "nan",
        "\"\u{1}\"", "\"a\nb\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\u{feff}1",
    ])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(arguments: [
        ("\"ab\\ud83d\"", "not valid JSON at byte 3: half of a surrogate pair"),
        ("\"\\ude00\"", "not valid JSON at byte 1: half of a surrogate pair"),
        ("\"\\ud83d\\u0041\"", "not valid JSON at byte 1: half of a surrogate pair"),
        ("\"\\ud83d\\ud83d\\ude00\"", "not valid JSON at byte 1: half of a surrogate pair"),
        ("1e400", "not valid JSON at byte 0: the number is too large"),
        ("[-1e400]", "not valid JSON at byte 1: the number is too large"),
        ("{\"a\": 1, \"a\": 2}", "not valid JSON at byte 9: duplicate key"),
        ("{\"a\": 1, \"\\u0061\": 2}", "not valid JSON at byte 9: duplicate key"),
    ]) func `what could be read in two ways is refused with its position`(text: String, expected: String) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.description == expected)
    }

    @Test func `bytes that are no text are refused, not replaced`() {
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0xbd], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [32, 34] + bytes + [34]) }
            #expect(error?.description == "not valid JSON at byte 1: the text that begins here is not UTF-8")
        }
    }

    @Test func `numbers keep their value and their sign, however large`() throws {
        #expect(try JSONValue(parsing: "-0") == .number(-0.0))
        #expect(try JSONValue(parsing: "-0").number?.sign == .minus)
        #expect(try JSONValue(parsing: "9223372036854775807") == .integer(.max))
        #expect(try JSONValue(parsing: "-9223372036854775808") == .integer(.min))
        #expect(try JSONValue(parsing: "9223372036854775808") == .number(0x1p63))
        #expect(try JSONValue(parsing: "1E2") == .number(100))
        #expect(try JSONValue(parsing: "1e-400") == .number(0))
    }

    /// Every character of every plane, as itself, as Python escapes it and as it is written here.
    @Test func `text of all planes reads back`() throws {
        for start in stride(from: UInt32(0), to: 0x11_0000, by: 0x1000) {
            let scalars = (start..<start + 0x1000).compactMap(Unicode.Scalar.init)
            let text = String(String.UnicodeScalarView(scalars))
            #expect(try JSONValue(parsing: JSONValue.string(text).compact).string == text)
            let escaped = text.utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
            let again = try JSONValue(parsing: "\"" + escaped + "\"").string
            #expect(again.map { Array($0.unicodeScalars) } == scalars)
        }
    }

    @Test func `deep nesting is refused instead of overflowing the stack`() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
    }
}
