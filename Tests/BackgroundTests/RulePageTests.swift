// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Testing
import Vocabulary

@testable import Background

/// The table of `docs/background.md` is the table of the rules.
@Suite struct RulePageTests {
    private static func line(_ rule: SystemRule) -> String {
        let kinds: [(BackgroundKinds, String)] = [
            (.refresh, "refresh"), (.processing, "processing"), (.silentPush, "silent pushes"),
            (.transfer, "transfers"), (.discretionaryTransfer, "transfers at the system's choice"),
            (.event, "events"),
        ]
        let facts = rule.facts
        let named =
            kinds.filter { facts.kinds.contains($0.0) }.map(\.1).joined(separator: ", ")
        let lifted = facts.liftedBy.changes.map(\.sentence).joined(separator: ", ")
        return "| `\(facts.text.name)` | \(facts.text.sentence) | \(named) | \(lifted) |\n"
    }

    private func page() throws -> String {
        let here = String(#filePath)
        let root = here.prefix(here.count - "Tests/BackgroundTests/RulePageTests.swift".count)
        let file = try #require(fopen(root + "docs/background.md", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the page lists every rule of the system, in order`() throws {
        let table = "| rule | reason | for | lifted when |\n|---|---|---|---|\n"
        let lines = SystemRule.allCases.map(Self.line).joined()
        #expect(try page().contains(table + lines), "docs/background.md lacks:\n\(table)\(lines)")
    }
}
