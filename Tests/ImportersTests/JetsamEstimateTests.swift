// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Importers
import Processes
import Quantities
import Testing
import Vocabulary

/// What a report does not say, and what it says that cannot be.
@Suite struct JetsamEstimateTests {
    /// A report of 1 GiB with rows of 100 pages: name, states, and what else stands in the row.
    private func text(
        _ rows: [(name: String, states: String, more: String)], system: String = "iPhone OS 12.4 (16G77)",
        pages: String = #""active": 10000, "inactive": 6000, "speculative": 2000, "#
            + #""anonymous": 10000, "fileBacked": 8000"#
    ) -> String {
        let list = rows.enumerated().map { index, row in
            let states = row.states.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
            return #"{"name": "\#(row.name)", "pid": \#(index + 10), "rpages": 100, "#
                + #""states": [\#(states)]\#(row.more)}"#
        }
        return """
            {"bug_type":"298","os_version":"\(system)"}
            {"product": "Moon1,1", "memoryStatus": {"pageSize": 16384, "compressorSize": 12000, "uncompressed": 30000,
              "memoryPages": {\(pages), "free": 1900, "wired": 32000}}, "processes": [\(list.joined(separator: ",\n"))]}
            """
    }

    private func read(_ text: String) throws(Diagnostics) -> JetsamReport {
        try readJetsamReport(SourceText(name: "report.ips", text: text))
    }

    private func rows(_ states: [String]) -> [(name: String, states: String, more: String)] {
        states.enumerated().map { ("row-\($0.offset)", $0.element, "") }
    }

    @Test func `from iOS 12 on bands follow the order of states: frozen apps stand behind working daemons`() throws {
        let states = [
            "daemon idle", "suspended", "daemon idle", "daemon", "suspended", "daemon", "daemon idle", "daemon",
            "suspended", "suspended", "background", "frontmost", "daemon",
        ]
        func bands(_ system: String) throws -> [Int] {
            let report = try read(text(rows(states), system: system))
            return states.indices.map { report.band(ofRow: $0) }
        }
        // The fifth is docked: most working daemons stand behind it. Whoever works behind the frozen is no lower.
        #expect(
            try bands("iPhone OS 12.4 (16G77)") == [0, 0, 0, 30, 30, 30, 30, 30, 80, 80, 80, 100, 140])
        // Docked processes are in 40 since iOS 15, frozen ones in 75 since iOS 16.
        #expect(
            try bands("iPhone OS 16.1 (20B82)") == [0, 0, 0, 30, 40, 40, 40, 40, 75, 75, 75, 100, 140])
        // Before iOS 12 frozen apps stay in band 0, and with them all before.
        #expect(
            try bands("iPhone OS 11.4 (15F79)") == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 100, 140])
    }

    @Test func `a daemon that is idle 20 s after its start came back at once`() throws {
        let (young, old) = (#", "age": 479000000"#, #", "age": 481000000"#)
        let report = try read(
            text([
                ("a", "daemon idle", young), ("b", "daemon idle", old), ("c", "daemon idle", ""),
                ("d", "suspended", young), ("e", "daemon", young),
            ]))
        let start = try report.start()
        #expect(start.processes.map(\.process.traits.relaunch) == [.high, .unknown, .unknown, .unknown, .unknown])
        let scenario = report.scenario(start, name: "state", generation: "ios-12")
        let lines = scenario.split(separator: "\n").filter { $0.contains("relaunch: high") }
        #expect(lines.count == 1 && lines[0].contains("\"a\""))
    }

    @Test(arguments: [
        ("watchOS 26.3", "There are no rules for \"watchOS 26.3\", so the rules of ios-18.5 are used.", "ios-18.5"),
        ("iPhone OS 3.1", "There are no rules for \"iPhone OS 3.1\", so the rules of ios-18.5 are used.", "ios-18.5"),
        (
            "iPhone OS 27.0", "\"iPhone OS 27.0\" is newer than all known rules, so the rules of ios-26 are used.",
            "ios-26"
        ),
        ("iPhone OS 26.4", "", "ios-26"), ("iPadOS 17.1", "", "ios-17"),
    ]) func `a system without rules of its own is named`(system: String, remark: String, rules: String) throws {
        let report = try read(text(rows(["suspended"]), system: system))
        #expect(report.rules.name == rules && report.rules.remark ?? "" == remark)
        #expect(try report.start().notes.contains(remark) == !remark.isEmpty)
    }

    @Test func `bands that are none and reasons that nobody knows are said, and counted as something`() throws {
        let report = try read(
            text([
                ("a", "suspended", #", "priority": -2"#), ("b", "suspended", #", "priority": 100"#),
                ("c", "suspended", #", "priority": 500, "reason": "moonbeams""#),
            ]))
        #expect((0..<3).map { report.band(ofRow: $0) } == [0, 100, 210])
        let notes = try report.start().notes
        #expect(
            notes.contains("1 of the processes are in bands above 210, the highest band, so they start in band 210."))
        #expect(notes.contains("1 of the processes are in bands below 0, the lowest band, so they start in band 0."))
        #expect(notes.contains("The reason \"moonbeams\" is unknown, so the victim is treated as the policy's choice."))
        #expect(try read(text(rows(["suspended"]))).start().notes.allSatisfy { !$0.contains("stand in bands") })
    }

    @Test func `a byte-order mark is skipped, a list of nobody is an error`() throws {
        #expect(try read("\u{feff}" + text(rows(["suspended"]))).processes.count == 1)
        #expect {
            try read(text([]))
        } throws: { error in
            "\(error)".contains("the report lists no process")
        }
    }

    @Test func `inactive pages that are left out follow from the others`() throws {
        let pages = #""active": 10000, "speculative": 2000, "anonymous": 10000, "fileBacked": 8000"#
        let report = try read(text(rows(["suspended"]), pages: pages))
        #expect(report.pages.inactive == 6000)
        #expect(try report.start().notes.contains { $0.hasPrefix("The report lacks the number of inactive pages") })
        #expect {
            try read(text(rows(["suspended"]), pages: #""active": 10000, "speculative": 2000"#))
        } throws: { error in
            "\(error)".contains("the key \"inactive\" is missing")
        }
    }
}
