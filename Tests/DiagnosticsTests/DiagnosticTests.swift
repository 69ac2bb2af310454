// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@Suite struct DiagnosticTests {
    @Test func `a problem shows its location, the line, an underline and the hint`() {
        let problem = Diagnostic(
            "unknown key \"brigthness\" (at screen)",
            at: SourceLocation(file: "experiments/unknown.yaml", line: 9, column: 3, length: 10),
            line: "  brigthness: 0.5", hint: "did you mean \"brightness\"?")
        #expect(
            problem.description == """
                experiments/unknown.yaml:9:3: error: unknown key "brigthness" (at screen)
                  9 |   brigthness: 0.5
                    |   ^~~~~~~~~~
                  hint: did you mean "brightness"?

                """)
    }

    @Test func `the gutter grows with the line number`() {
        let problem = Diagnostic(
            "twice", at: SourceLocation(file: "a", line: 1000, column: 1, length: 5), line: "title: again")
        #expect(problem.description == "a:1000:1: error: twice\n  1000 | title: again\n       | ^~~~~\n")
    }

    @Test func `a problem without a location is one line`() {
        #expect(Diagnostic("no such file").description == "error: no such file\n")
    }

    @Test func `a long line is cut around the part meant`() {
        let line = String(repeating: "x", count: 300) + "HERE" + String(repeating: "y", count: 300)
        let problem = Diagnostic("m", at: SourceLocation(file: "f", line: 1, column: 301, length: 4), line: line)
        let lines = problem.description.split(separator: "\n").map(String.init)
        let shown = Array(lines[1])
        #expect(shown.count < 120)
        let underline = Array(lines[2])
        let marked = zip(shown, underline).filter { $0.1 == "^" || $0.1 == "~" }.map { $0.0 }
        #expect(String(marked) == "HERE")
    }

    @Test func `control characters are shown as spaces`() {
        let problem = Diagnostic("m", at: SourceLocation(file: "f", line: 1, column: 2), line: "\ta\u{1B}[31m")
        #expect(problem.description == "f:1:2: error: m\n  1 |  a [31m\n    |  ^\n")
    }

    @Test func `problems are sorted by location and shown once`() {
        func at(_ line: Int) -> Diagnostic {
            Diagnostic("m\(line)", at: SourceLocation(file: "f", line: line, column: 1))
        }
        let all = Diagnostics([at(7), Diagnostic("general"), at(2), at(7)])
        #expect(all.shown.map(\.message) == ["m2", "m7", "general"])
    }

    @Test func `warnings alone are no errors`() {
        #expect(!Diagnostics([Diagnostic("w", severity: .warning)]).hasErrors)
        #expect(Diagnostics("e").hasErrors)
    }
}
