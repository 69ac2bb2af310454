// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@Suite struct JSONTextTests {
    private func parse(_ text: String) -> Result<[Node], Diagnostics> {
        JSONText.parse(SourceText(name: "a.json", text: text))
    }

    /// The first problem as `line:column: message`.
    private func problem(_ text: String) -> String {
        guard case .failure(let problems) = parse(text), let first = problems.list.first, let location = first.location
        else { return "none" }
        return "\(location.line):\(location.column): \(first.message)"
    }

    @Test func `several values, numbers as written, keys in their order`() throws {
        let values = try parse(#"{"b": [1, 2.50, -3e+7], "a": {"t": true, "n": null}}"# + "\n[]\n").get()
        #expect(values.count == 2)
        #expect(JSONText.text(of: values[0]) == #"{"b":[1,2.50,-3e+7],"a":{"t":true,"n":null}}"#)
        #expect(JSONText.text(of: values[1]) == "[]")
    }

    @Test func `what is written is read back as it was, by JSON and by YAML`() throws {
        let nasty = "a\"b\\c/d\u{1}\n\t\u{85}\u{2028}\u{FEFF}\u{7F}ü😀"
        let text = JSONText.quoted(nasty)
        #expect(try parse(text).get().first?.scalar == nasty)
        // YAML is written by people, and refuses what acts on a terminal.
        let calm = "a\"b\\c/d\n\t\u{FEFF}ü😀"
        let written = SourceText(name: "a.yaml", text: JSONText.quoted(calm))
        #expect(try YAML.parse(written).get().scalar == calm)
        #expect(problems(of: text).contains("the text contains the control character U+0001"))
        #expect(try parse(#""😀\/\b\f""#).get().first?.scalar == "😀/\u{8}\u{c}")
    }

    @Test(arguments: [
        ("", "1:1: expected a value, found the end of the file"),
        ("{\"a\":\n 1,\n \"a\": 2}", "3:2: the key \"a\" appears twice"),
        ("{\"ä\": tru}", "1:7: expected a value, found \"tru\""),
        ("[1,]", "1:4: expected a value, found \"]\""), ("[01]", "1:2: expected a value, found \"01\""),
        ("[1.]", "1:2: expected a value, found \"1.\""), ("[1e]", "1:2: expected a value, found \"1e\""),
        ("[+1]", "1:2: expected a value, found \"+1\""),
        ("{\"a\" 1}", "1:6: expected a colon after the key, found \"1\""),
        ("{1:2}", "1:2: expected a key in quotes, found \"1\""),
        ("[\"ab", "1:2: the text that begins here is not closed"),
        ("[\"a\nb\"]", "1:2: the text that begins here is not closed on its line"),
        (#"["\x"]"#, "1:3: not a valid escape in JSON"), (#"["\ud83d"]"#, "1:3: half of a surrogate pair"),
        (#"["\udc00"]"#, "1:3: half of a surrogate pair"), (#"["\u00g0"]"#, "1:3: expected four hexadecimal digits"),
        (#"["\"#, "1:3: the file ends in the middle of a text"),
        ("{\"a\":1", "1:7: expected a comma or the end of the map, found the end of the file"),
        ("\u{0}", "1:1: expected a value, found the byte 0x0"),
    ]) func `a broken text is refused with its location`(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test func `an error at the end of a long line is found in its column`() throws {
        let items = (0..<20_000).map { "\"ä\($0)\"" }
        #expect(try parse("[" + items.joined(separator: ",") + "]").get().first?.items?.count == 20_000)
        #expect(problem("[" + items.joined(separator: ",") + ",]").hasPrefix("1:168892:"))
    }

    @Test func `deep nesting is an error, not the end of the stack`() {
        #expect(
            problem(String(repeating: "[", count: 1_000_000)).hasSuffix("lists and maps are nested more than 64 deep"))
        #expect(
            problem(String(repeating: "{\"a\":", count: 100_000)).hasSuffix(
                "lists and maps are nested more than 64 deep"))
    }
}
