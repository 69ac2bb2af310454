// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// `flotsam lab scenario` as a user calls it.
@Suite struct ScenarioVerbTests {
    private func script(_ band: Int) -> String {
        """
        schema: 1
        name: ageing
        processes:
          - {name: d, kind: daemon, tracked: true, idle_exit: true, band: 30}
        steps:
          - {at: 1 s, expect: {process: d, band: \(band)}}

        """
    }

    @Test func `a script that holds exits with 0, one that does not with 2, one that is wrong with 1`() throws {
        let laboratory = try Laboratory()
        for (name, text) in [("good", script(10)), ("bad", script(30)), ("wrong", "schema: 1\nnam: x\n")] {
            try Data(text.utf8).write(to: laboratory.folder.appendingPathComponent("\(name).yaml"))
        }
        let good = try laboratory.run("lab", "scenario", "good.yaml")
        #expect(good.code == 0 && good.out == "good.yaml: ok: ageing, 1 expectation, 0 kills\n", "\(good.out)")
        let bad = try laboratory.run("lab", "scenario", "good.yaml", "bad.yaml")
        #expect(bad.code == 2)
        #expect(bad.errors.contains("bad.yaml:6:5: error: at 1.0 s: band of d: expected 30, found 10"), "\(bad.errors)")
        let wrong = try laboratory.run("lab", "scenario", "wrong.yaml", "bad.yaml")
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("unknown key \"nam\""), "\(wrong.errors)")
    }

    private static let rows = [("meltwaterd", 300, 0, ""), ("Postcards", 9_000, 0, ""), ("Gardener", 60_000, 10, "")]

    /// A report: name, pages, band, and the reason of a death.
    private func write(_ rows: [(String, Int, Int, String)], _ laboratory: Laboratory) throws {
        let list = rows.enumerated().map { index, row in
            """
            {"name": "\(row.0)", "pid": \(index + 10), "rpages": \(row.1), "priority": \(row.2),
              "states": ["suspended"], \(row.3.isEmpty ? "" : "\"reason\": \"\(row.3)\", \"killDelta\": \(index + 1),")
              "physicalPages": {"internal": [\(row.1), 0]}, "age": 24000000}
            """
        }
        let report = """
            {"bug_type":"298","os_version":"iPhone OS 14.2 (18B1)"}
            {"product": "iPhone9,1", "largestProcess": "Gardener", "memoryStatus": {"pageSize": 16384,
              "compressorSize": 12000, "uncompressed": 30000, "memoryPages": {"active": 40000, "inactive": 36000,
              "speculative": 2000, "free": 1900, "wired": 32000, "anonymous": 70000, "fileBacked": 8000}},
              "processes": [\(list.joined(separator: ",\n"))]}
            """
        try Data(report.utf8).write(to: laboratory.folder.appendingPathComponent("report.ips"))
    }

    @Test(arguments: [
        ("jetsam", "vm-pageshortage", "the same", "No evidence for the policy: the rows in file"),
        ("largest-first", "vm-pageshortage", "another one", ""),
        ("jetsam", "highwater", "the same", "No evidence for or against the policy: every"),
    ]) func `would-kill shows what the rows in file order agree with, and says when that is no evidence`(
        policy: String, reason: String, first: String, note: String
    ) throws {
        let laboratory = try Laboratory()
        var rows = Self.rows
        rows[0].3 = reason
        try write(rows, laboratory)
        let ending = try laboratory.run("lab", "would-kill", "report.ips", "--policy", policy)
        let line = try #require(ending.out.split(separator: "\n").first { $0.hasPrefix("first victim") })
        let words = line.split(separator: " ").dropFirst(2).joined(separator: " ")
        #expect(words == "\(first) the same", "\(ending.out)")
        #expect(ending.out.contains("note: No evidence") == !note.isEmpty)
        #expect(note.isEmpty || ending.out.contains(note))
    }

    @Test func `would-kill refuses more than there is`() throws {
        let laboratory = try Laboratory()
        try write(Self.rows, laboratory)
        func ask(_ share: String) throws -> Laboratory.Ending {
            try laboratory.run(
                "lab", "would-kill", "report.ips", "--policy", "largest-first", "--until-available", share)
        }
        let all = try ask("100 %")
        #expect(all.code == 0 && all.out.contains("Gardener"), "\(all.errors)")
        let ending = try ask("150 %")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("--until-available: no phone has 150 %"), "\(ending.errors)")
    }
}
