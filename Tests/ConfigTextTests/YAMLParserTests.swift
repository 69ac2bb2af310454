// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

/// The text of the problems of a YAML text named `a.yaml`.
func problems(of text: String) -> String {
    switch YAML.parse(SourceText(name: "a.yaml", text: text)) {
    case .success: ""
    case .failure(let diagnostics): diagnostics.description
    }
}

@Suite struct YAMLParserTests {
    @Test func `nodes know their places`() throws {
        let node = try YAML.parse(SourceText(name: "a.yaml", text: "# comment\nscreen:\n  on: 350 mW # more\n")).get()
        let on = try #require(node["screen"]?["on"])
        #expect(on.scalar == "350 mW")
        #expect([on.location.line, on.location.column, on.location.length] == [3, 7, 6])
    }

    @Test func `a duplicate key names the first one`() {
        #expect(
            problems(of: "title: a\nx: 1\ntitle: again\n") == """
                a.yaml:3:1: error: the key "title" appears twice
                  3 | title: again
                    | ^~~~~
                  hint: first at line 1

                """)
    }

    @Test func `broken YAML is reported where it breaks`() {
        #expect(
            problems(of: "a: [1, 2\nb: 3\n") == """
                a.yaml:1:4: error: not valid YAML: the list that begins here is not closed, or a comma between \
                its items is missing
                  1 | a: [1, 2
                    |    ^
                  hint: write [a, b, c]

                """)
    }

    @Test func `an empty text is a null`() throws {
        #expect(try YAML.parse(SourceText(name: "a", text: "")).get().isNull)
        #expect(try YAML.parse(SourceText(name: "a", text: "# only this\n")).get().isNull)
    }

    @Test func `a second document is refused`() {
        #expect(problems(of: "a: 1\n---\nb: 2\n").hasPrefix("a.yaml:3:1: error: a second document begins here"))
    }

    @Test func `an alias bomb ends in an error`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(items)]\n"
        }
        #expect(problems(of: text).contains("the file expands to more than 200000 values"))
    }

    @Test func `an anchor inside itself ends in an error`() {
        #expect(problems(of: "a: &a [*a]\n").contains("lists and maps are nested more than 64 deep"))
    }

    @Test func `ten thousand brackets end in an error`() {
        #expect(!problems(of: String(repeating: "[", count: 10000)).isEmpty)
        let closed = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        #expect(problems(of: closed).contains("lists and maps are nested more than 64 deep"))
    }

    @Test func `of a hundred thousand brackets the first that is too deep is shown`() {
        #expect(
            problems(of: String(repeating: "[", count: 100_000)).contains(
                "a.yaml:1:65: error: lists and maps are nested more than 64"))
    }

    @Test func `a tab, an open quote and bytes that are no text are shown where they stand`() {
        #expect(problems(of: "a:\n\tb: 1\n").contains("a.yaml:2:1: error: not valid YAML: a tab is not allowed here"))
        #expect(problems(of: "a: 1\nb: \"open\nc: 2\n").contains("a.yaml:2:4: error: not valid YAML"))
        let bytes = Array("a: 1\nbé: ".utf8) + [0xff, 0x41]
        #expect(Diagnostic.notUTF8(bytes, file: "a.yaml").description.hasPrefix("a.yaml:2:5: error: not UTF-8 text"))
    }

    @Test func `a missing file says so`() {
        guard case .failure(let error) = YAML.load(path: "/nonexistent/x.yaml") else {
            Issue.record("read a file that is not there")
            return
        }
        #expect(
            error.description == """
                error: cannot read /nonexistent/x.yaml: No such file or directory
                  hint: there is no folder /nonexistent

                """)
    }
}
