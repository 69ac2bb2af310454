// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// `docs/reference/systems.md` is the list of facts, and each fact has a script, a test or a reason.
@Suite struct SystemsPageTests {
    private static let scripts = "Tests/ConformanceTests/scenarios"

    /// The titles of all tests.
    private static let titles: Set<String> = {
        let lines = (try? SourceTree.files(below: "Tests").flatMap(\.lines)) ?? []
        return Set(
            lines.filter { $0.contains("func `") }.compactMap { line in
                line.split(separator: "`").dropFirst().first.map(String.init)
            })
    }()

    @Test(arguments: Fact.all) func `a fact has a script, a test or a reason`(_ fact: Fact) throws {
        switch fact.evidence {
        case .scripts(let names):
            #expect(!names.isEmpty)
            let shipped = try SourceTree.names(below: Self.scripts)
            for name in names { #expect(shipped.contains("\(name).yaml"), "\(fact.id): no script \(name)") }
        case .tests(let names):
            #expect(!names.isEmpty)
            for name in names { #expect(Self.titles.contains(name), "\(fact.id): no test \"\(name)\"") }
        case .both(let scripts, let tests):
            let shipped = try SourceTree.names(below: Self.scripts)
            for name in scripts { #expect(shipped.contains("\(name).yaml"), "\(fact.id): no script \(name)") }
            for name in tests { #expect(Self.titles.contains(name), "\(fact.id): no test \"\(name)\"") }
        case .none(let reason): #expect(reason.count > 30, "\(fact.id): \(reason)")
        }
    }

    @Test(arguments: Fact.all) func `what shows a fact carries its number`(_ fact: Fact) throws {
        var (scripts, tests): ([String], [String]) = ([], [])
        switch fact.evidence {
        case .scripts(let names): scripts = names
        case .tests(let titles): tests = titles
        case .both(let names, let titles): (scripts, tests) = (names, titles)
        case .none: return
        }
        for title in tests { #expect(Self.numbers(title).contains(fact.id), "\(fact.id): \"\(title)\"") }
        for script in scripts {
            let text = try SourceTree.text("\(Self.scripts)/\(script).yaml")
            let name = text.split(separator: "\n").first { $0.hasPrefix("name: ") }?.dropFirst(6) ?? ""
            let title = name.trimmingCharacters(in: ["\""])
            #expect(Self.numbers(title).contains(fact.id), "\(fact.id): \(script).yaml")
        }
    }

    /// `F04, F05: …` carries two.
    private static func numbers(_ title: String) -> [String] {
        guard let colon = title.firstIndex(of: ":") else { return [] }
        return title[..<colon].split(separator: ",").map { $0.trimmingCharacters(in: [" "]) }
    }

    @Test func `there are 57 facts, each once and in order`() {
        #expect(Fact.all.map(\.number) == Array(1...57))
        let unmodelled = Fact.all.filter { if case .none = $0.evidence { true } else { false } }
        #expect(unmodelled.count <= 4, "\(unmodelled.map(\.id))")
    }

    @Test func `the page of systems is the list of facts`() throws {
        let path = "docs/reference/systems.md"
        if ProcessInfo.processInfo.environment["FLOTSAM_UPDATE_TIDY"] != nil {
            try Self.page.write(to: SourceTree.root.appending(path: path), atomically: true, encoding: .utf8)
        }
        #expect(try SourceTree.text(path) == Self.page, "FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests")
    }

    private static var page: String {
        var text = """
            # What write-ups say about iOS and Android, checked

            This page checks 57 statements of five public write-ups about app life cycles and background work. Each row
            gives the correction, if one is needed, and the scripts and tests that show it. The scripts are in
            \(scripts), and `flotsam lab scenario` runs them. Tests are named by their titles. A
            row about something outside the model gives the reason.
            `FLOTSAM_UPDATE_TIDY=1 swift test --filter TidyTests` writes this page from `Tests/TidyTests/Facts.swift`.
            The rules are in [memory.md](../memory.md) and [background.md](../background.md), and
            [your-app.md](../your-app.md#common-claims-tested) measures the most common errors.

            | fact | statement | correction | shown by |
            |---|---|---|---|

            """
        for fact in Fact.all {
            text += "| \(fact.id) | \(fact.text) | \(fact.verdict.isEmpty ? "correct" : fact.verdict) "
            text += "| \(words(of: fact.evidence)) |\n"
        }
        return text + "\n<!-- shown by: SystemsPageTests; ConformanceTests -->\n"
    }

    private static func words(of evidence: Fact.Evidence) -> String {
        switch evidence {
        case .scripts(let names):
            names.map { "[\($0).yaml](../../\(scripts)/\($0).yaml)" }.joined(separator: ", ")
        case .tests(let names): names.map { "test *\($0)*" }.joined(separator: ", ")
        case .both(let scripts, let tests): words(of: .scripts(scripts)) + ", " + words(of: .tests(tests))
        case .none(let reason): "not modelled: \(reason)"
        }
    }
}
