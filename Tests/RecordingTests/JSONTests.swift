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

    @Test(arguments: ["", "{", "[1,]", "{\"a\" 1}", "tru", "1 2", "\"open", "{a:1}"])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test func `deep nesting is refused instead of overflowing the stack`() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
    }
}
