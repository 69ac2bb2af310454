// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@Suite struct BoundedDiagnosticsTests {
    private func at(_ line: Int, _ message: String = "m", _ severity: Diagnostic.Severity = .error) -> Diagnostic {
        Diagnostic(message, at: SourceLocation(file: "f", line: line, column: 1), severity: severity)
    }

    @Test func `fifty errors are shown, and one line counts the rest`() {
        var all = Diagnostics()
        for line in 1...100_000 { all.append(at(line)) }
        #expect(all.list.count == 50)
        #expect(all.count == 100_000 && all.errorCount == 100_000)
        #expect(all.shown.count == 51)
        #expect(all.description.hasSuffix("f:50:1: error: m\nerror: 99950 more errors are not shown\n"))
    }

    @Test func `fifty errors are all, and the fifty-first is counted in the singular`() {
        var all = Diagnostics((1...50).map { at($0) })
        #expect(all.description.hasSuffix("f:50:1: error: m\n"))
        all.append(at(51))
        #expect(all.description.hasSuffix("f:50:1: error: m\nerror: 1 more error is not shown\n"))
    }

    @Test func `an error behind many warnings is shown`() {
        var all = Diagnostics((1...200).map { at($0, "w", .warning) })
        #expect(!all.hasErrors)
        all.append(at(7, "here"))
        #expect(all.hasErrors && all.errorCount == 1)
        #expect(all.description.contains("f:7:1: error: here\n"))
        #expect(all.description.hasSuffix("warning: 150 more warnings are not shown\n"))
    }

    @Test func `a problem that is found again and again is shown and counted once`() {
        var all = Diagnostics()
        for _ in 0..<500 { for line in 1...60 { all.append(at(line)) } }
        #expect(all.count == 30_000)
        #expect(all.shown.last?.message == "10 more errors are not shown")
    }

    @Test func `collections are joined with what they do not show`() {
        var first = Diagnostics((1...70).map { at($0) })
        first.append(contentsOf: Diagnostics((101...180).map { at($0) }))
        #expect(first.count == 150 && first.list.count == 50)
        #expect(first.shown.last?.message == "100 more errors are not shown")
    }

    @Test func `a problem that another explains is taken back, shown or not`() {
        var all = Diagnostics((1...60).map { at($0) })
        all.remove(at(60))
        all.remove(at(1))
        all.remove(at(1000))
        #expect(all.count == 58 && all.errorCount == 58 && all.list.first?.location?.line == 2)
        #expect(all.shown.last?.message == "9 more errors are not shown")
    }

    @Test func `a hint is looked for only where it is shown`() {
        var all = Diagnostics()
        var asked = 0
        for line in 1...1000 {
            all.append(at(line)) {
                asked += 1
                return "hint \(line)"
            }
        }
        #expect(asked == 50)
        #expect(all.list.last?.hint == "hint 50")
    }

    @Test func `the middle of a very long message is left out, its beginning and end stay`() {
        let name = String(repeating: "é", count: 4_000_000)
        let problem = Diagnostic("unknown key \"\(name)\" (at a.b)", hint: name)
        #expect(problem.message.utf8.count < 1300)
        #expect(problem.message.hasPrefix("unknown key \"éé"))
        #expect(problem.message.contains("é…é") && problem.message.hasSuffix("é\" (at a.b)"))
        #expect((problem.hint ?? "").utf8.count < 1300)
        #expect(problem.description.utf8.count < 3000)
    }

    @Test func `a line of a million characters is shown around its mistake`() {
        let line = String(repeating: "x", count: 900_000) + "HERE" + String(repeating: "y", count: 100_000)
        let problem = Diagnostic("m", at: SourceLocation(file: "f", line: 1, column: 900_001, length: 4), line: line)
        let lines = problem.description.split(separator: "\n")
        #expect(lines[1].hasPrefix("  1 | …xxx") && lines[1].hasSuffix("yyy…") && lines[1].contains("xHEREy"))
        #expect(problem.description.count < 300)
    }
}

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("\u{1b}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}"), ("\u{9b}31m", "\\u{9b}31m"), ("a\0b", "a\\u{0}b"),
        ("a\u{7f}", "a\\u{7f}"), ("a\rb", "a\\u{d}b"), ("\u{202e}txt.exe", "\\u{202e}txt.exe"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("a\u{2028}b", "a\\u{2028}b"), ("\u{85}", "\\u{85}"),
    ])
    func `control characters become visible escapes`(_ text: String, _ shown: String) {
        #expect(text.visible == shown)
        #expect(Diagnostic(text, hint: text).description == "error: \(shown)\n  hint: \(shown)\n")
    }

    @Test(arguments: ["", "plain", "é – “ü” 漢字 😀", "two\nlines\tand a tab", "\u{a0}%", "שלום"])
    func `text that moves no cursor stays as it is`(_ text: String) {
        #expect(text.visible == text)
    }

    @Test func `the name of a file is shown on one line, and colours are ours alone`() {
        let problem = Diagnostic(
            "\u{1b}[2J", at: SourceLocation(file: "a\n\u{1b}[31m", line: 1, column: 1), hint: "\u{9b}")
        let plain = "a\\n\\u{1b}[31m:1:1: error: \\u{1b}[2J\n  hint: \\u{9b}\n"
        #expect(problem.description == plain)
        let coloured = problem.rendered(isColored: true)
        #expect(coloured.hasPrefix("\u{1b}[1ma\\n\\u{1b}[31m:1:1:\u{1b}[0m \u{1b}[1;31merror:\u{1b}[0m \\u{1b}[2J\n"))
    }

    @Test func `a foreign word in a message is short and on one line`() {
        #expect("a\nb".excerpt == "a\\nb")
        #expect(String(repeating: "x", count: 201).excerpt == String(repeating: "x", count: 200) + "…")
        #expect(String(repeating: "é", count: 200).excerpt == String(repeating: "é", count: 100) + "…")
        #expect(("x" + String(repeating: "é", count: 200)).excerpt == "x" + String(repeating: "é", count: 99) + "…")
    }

    @Test func `no name is near a very long word, and a long list is not searched to its end`() {
        let word = String(repeating: "a", count: 101)
        #expect(nearest(to: word, in: [word + "b"]) == nil)
        let names = (0..<100_000).map { "name-\($0)" }
        #expect(nearest(to: "name-199x", in: names) == "name-199")
        #expect(nearest(to: "nam-99999", in: ["other"] + names) != "name-99999")
        #expect(listHint("zzz", of: names)?.hasSuffix("(100000 in all)") == true)
    }
}
