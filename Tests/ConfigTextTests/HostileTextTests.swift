// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@testable import ConfigText

/// Texts that are small and would cost much: each is refused by a limit that no configuration reaches.
@Suite struct HostileTextTests {
    private func first(_ text: String) -> String {
        problems(of: text).split(separator: "\n").first.map(String.init) ?? "no problem"
    }

    @Test func `a thousand names are taken, and a hundred thousand refused at once`() {
        func list(_ count: Int) -> String { (0..<count).map { "- &a\($0) 1\n" }.joined() }
        #expect(first(list(1000)) == "no problem")
        #expect(first(list(100_000)) == "a.yaml:1001:3: error: the file defines more than 1000 names with \"&\"")
    }

    @Test func `ten thousand uses of a name are taken, and a hundred thousand refused at once`() {
        func list(_ count: Int) -> String { "- &a 1\n" + String(repeating: "- *a\n", count: count) }
        #expect(first(list(10_000)) == "no problem")
        #expect(first(list(100_000)) == "a.yaml:10002:3: error: the file uses names with \"*\" more than 10000 times")
    }

    @Test func `directives without end are refused before they are compared`() {
        let text = (0..<100_000).map { "%TAG !a\($0)! b\n" }.joined() + "---\na: 1\n"
        #expect(first(text) == "a.yaml:101:1: error: the file has more than 100 lines that begin with %")
        #expect(first("%YAML 1.1\n%TAG !a! b\n---\na: 1\n") == "no problem")
    }

    @Test func `a long text used again and again unfolds to no full memory`() {
        let text = "- &a " + String(repeating: "x", count: 1 << 20) + "\n" + String(repeating: "- *a\n", count: 40)
        #expect(first(text) == "a.yaml:1:3: error: the file expands to more than 32 MiB")
    }

    @Test func `a key of eight megabytes is refused in a short line`() {
        let text = String(repeating: "k", count: 8 << 20) + ": 1\n"
        // Beyond 1,024 characters libyaml takes nothing for a key unless it is marked as one.
        #expect(problems(of: "? " + text.dropLast(4) + "\n: 1\n").contains("error: the key has more than 1000 bytes\n"))
        #expect(problems(of: text).utf8.count < 1000)
    }

    @Test func `a hundred thousand double keys are fifty lines and a number`() {
        let shown = problems(of: String(repeating: "a: 1\n", count: 100_000))
        #expect(shown.hasPrefix("a.yaml:2:1: error: the key \"a\" appears twice\n"))
        #expect(shown.hasSuffix("error: 99949 more errors are not shown\n"))
    }

    @Test func `a hundred thousand unknown keys are fifty lines and a number, on one line or on many`() throws {
        for separator in [", ", ",\n "] {
            let keys = (0..<100_000).map { "brigthness\($0): 1" }.joined(separator: separator)
            let report = ConfigReport()
            let map = MapReader(Cursor(try tree("{" + keys + "}"), report: report))
            _ = map.optional("brightness", .text)
            map.finish()
            #expect(report.problems.list.count == 50)
            #expect(report.problems.list.first?.hint == "did you mean \"brightness\"?")
            #expect(report.problems.shown.last?.message == "99950 more errors are not shown")
        }
    }

    @Test(arguments: [("\\e[31m", "U+001B"), ("\\x9b31m", "U+009B"), ("\\0", "U+0000"), ("\\u202e", "U+202E")])
    func `control characters are refused in keys and in values`(_ escape: String, _ code: String) {
        let message = "error: the text contains the control character \(code)"
        #expect(first("a: \"x\(escape)\"\n") == "a.yaml:1:4: \(message)")
        #expect(first("\"x\(escape)\": 1\n") == "a.yaml:1:1: \(message)")
        #expect(first("a: \"x\\ty\\nz\"\n") == "no problem")
    }

    @Test func `a control character as it is is shown where it stands`() {
        #expect(first("a: 1\nb: x\u{1b}[31m\n") == "a.yaml:2:5: error: the text contains the control character U+001B")
        #expect(first("a: 1\nb: x\u{202e}\n") == "a.yaml:2:4: error: the text contains the control character U+202E")
    }

    @Test func `a setting with a path of five thousand keys is refused, one of 64 is taken`() throws {
        let root = try tree("device: iphone-13\n")
        func set(_ depth: Int) -> Result<Node, Diagnostics> {
            root.setting(key: Array(repeating: "a", count: depth).joined(separator: "."), value: "1")
        }
        #expect(throws: Never.self) { try set(64).get() }
        let error = #expect(throws: Diagnostics.self) { try set(5000).get() }
        #expect(error?.list.map(\.message) == ["the path has 5000 keys, but at most 64 are allowed"])
    }

    @Test func `a key with dots of its own is found by the longest beginning of a path`() throws {
        let root = try tree("a: {b.c: 1, b: {c: 2, d: 3}}\n")
        let value = try tree("9")
        func changed(_ path: [String]) throws -> String {
            JSONText.text(of: try root.setting(path, to: value, at: root.location).get())
        }
        #expect(try changed(["a", "b", "c"]).contains("\"b.c\":9"))
        #expect(try changed(["a", "b", "d"]).contains("\"d\":9"))
    }

    private func tree(_ text: String) throws -> Node { try YAML.parse(SourceText(name: "a.yaml", text: text)).get() }
}
