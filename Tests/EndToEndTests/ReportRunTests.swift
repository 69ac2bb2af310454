// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

private let reportFolder = ProcessInfo.processInfo.environment["FLOTSAM_JETSAM_REPORTS"]

/// Runs that begin in the states of real reports, where their folder is at hand.
@Suite(.enabled(if: reportFolder != nil, "FLOTSAM_JETSAM_REPORTS names no folder: reports may not be shipped"))
struct ReportRunTests {
    /// How many processes a report's phone ended an hour, by identifiers and ages; that of report 04 where a report
    /// spans less than an hour.
    private static func endsPerHour(_ path: String) throws -> Double {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let body = try #require(text.split(separator: "\n", maxSplits: 1).last)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let processes = try #require(report["processes"] as? [[String: Any]])
        let newest = processes.compactMap { $0["pid"] as? Int }.max() ?? 0
        let hours = Double(processes.compactMap { $0["age"] as? Int }.max() ?? 0) / 24e6 / 3600
        return hours < 1 ? 50 : Double(newest - processes.count) / hours
    }

    @Test func `no report leads to more kills an hour than its phone ended processes`() throws {
        let folder = try #require(reportFolder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ips") }
        #expect(!names.isEmpty)
        for name in names.sorted() {
            let laboratory = try Laboratory()
            let imported = try laboratory.run(
                "data", "import", "jetsam-report", folder + "/" + name, "-o", "state.yaml")
            #expect(imported.code == 0, "\(imported.errors)")
            let state = try String(
                contentsOf: laboratory.folder.appendingPathComponent("state.yaml"), encoding: .utf8)
            func value(_ key: String) throws -> String {
                let line = state.split(separator: "\n").first { $0.contains("  \(key): ") }
                return String(try #require(line?.split(separator: ": ").last))
            }
            let device =
                "{base: iphone-13, os: \(try value("os")), memory: {ram: \(try value("ram"))}, "
                + "start_state: state.yaml}"
            try laboratory.write(eviction: "[jetsam, lru]", replications: 2, duration: "36 h", tables: "[runs]")
            let file = laboratory.folder.appendingPathComponent("small.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
                .replacing("{base: iphone-13, os: ios-17}", with: device)
                .replacing("warmup: 12 h\n", with: "")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let ending = try laboratory.run("run", "small.yaml", "-o", "out", "--quiet")
            #expect(ending.code == 0, "\(ending.errors)")
            let table = try String(
                contentsOf: laboratory.folder.appendingPathComponent("out/runs.csv"), encoding: .utf8)
            let rows = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            let columns = ["kills_per_day", "system_kills_per_day"].compactMap { name in
                rows[0].firstIndex { $0 == name }
            }
            #expect(columns.count == 2 && rows.count == 5)
            let most = try Self.endsPerHour(folder + "/" + name)
            for row in rows.dropFirst() {
                let kills = columns.map { Double(row[$0]) ?? .infinity }.reduce(0, +) / 24
                #expect(kills < most, "\(name): \(kills) kills an hour, \(most) ends recorded")
            }
        }
    }
}
