// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Testing

@testable import Scenario

/// Lists of known misses, as files say them.
@Suite struct KnownMissTests {
    private func load(_ entries: String) throws(Diagnostics) -> [KnownMiss] {
        let text = "schema: 1\nkind: known-misses\nmisses:\n" + entries
        return try KnownMissFile.load(SourceText(name: "known.yaml", text: text))
    }

    @Test func `an entry names experiment, target, point, size and reason`() throws {
        let misses = try load(
            """
              - {experiment: daily, id: V28, found: [38, 40], reason: the persona's logs}
              - {experiment: cellular, id: E13, at: {device.radios.cellular: umts},
                 found: {value: 0.35, tolerance: 0.05}, reason: x}
            """)
        #expect(misses.map(\.id) == ["V28", "E13"] && misses.map(\.experiment) == ["daily", "cellular"])
        #expect(misses[0].found == 38...40 && misses[0].point.isEmpty && misses[0].reason == "the persona's logs")
        #expect(misses[0].origin == "known.yaml:4")
        #expect(misses[1].point == [SweepPoint.Axis(path: "device.radios.cellular", value: "umts")])
        #expect(abs(misses[1].found.lowerBound - 0.3) < 1e-12 && abs(misses[1].found.upperBound - 0.4) < 1e-12)
    }

    @Test(arguments: [
        ("{experiment: daily, id: V28, found: [38, 40]}", "the key \"reason\" is missing"),
        ("{experiment: daily, id: V28, found: [38, 40], reason: \"\"}", "a reason"),
        ("{experiment: daily, id: V28, reason: x}", "the key \"found\" is missing"),
        (
            "{experiment: daily, id: V28, found: {at_least: 38}, reason: x}",
            "\"found\" must have a finite lower and upper end"
        ),
        ("{experiment: daily, found: [38, 40], reason: x}", "the key \"id\" is missing"),
        ("{experiment: daily, id: V28, fuond: [38, 40], reason: x}", "did you mean \"found\"?"),
    ])
    func `mistakes are explained where they stand`(entry: String, expected: String) {
        do {
            _ = try load("  - \(entry)\n")
            Issue.record("no problem")
        } catch {
            #expect("\(error)".contains(expected) && "\(error)".contains("known.yaml:4"), "\(error)")
        }
    }
}
