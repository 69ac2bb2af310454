// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import EvictionPolicies
import Glibc
import Importers
import Processes
import Quantities
import RandomStreams
import Scripts
import Testing
import Vocabulary

/// From a report to a phone that stands in its state, with invented processes.
@Suite struct ReportStateTests {
    /// A report of a phone with 2 GiB: bands 0 to 21, one kill at a limit and three for want of memory.
    static func text(free: Int = 1900) -> String {
        let rows: [(String, Int, Int, Int, String, String)] = [
            ("meltwaterd", 300, 240, 0, "daemon\", \"idle", kill(2000, "vm-pageshortage")),
            ("Postcards", 9_000, 8_800, 0, "suspended", kill(3000, "vm-pageshortage")),
            ("Timetable", 6_000, 5_900, 0, "suspended", kill(4000, "vm-pageshortage")),
            ("lanternd", 900, 150, 3, "daemon", kill(1000, "highwater")),
            ("Gardener", 60_000, 9_000, 10, "frontmost", ""), ("tidegauged", 4_000, 1_200, 14, "daemon", ""),
        ]
        let list = rows.enumerated().map { pid, row in
            """
            {"name": "\(row.0)", "pid": \(pid + 10), "rpages": \(row.1), "priority": \(row.3), "states": ["\(row.4)"],
              \(row.5)"physicalPages": {"internal": [\(row.1 - row.2), \(row.2)]}, "age": 24000000}
            """
        }
        return """
            {"bug_type":"298","os_version":"iPhone OS 14.2 (18B1)"}
            {"product": "Moon1,1", "largestProcess": "Gardener", "memoryStatus": {"pageSize": 16384,
              "compressorSize": 12000, "uncompressed": 30000, "memoryPages": {"active": 40000, "inactive": 36000,
              "speculative": 2000, "free": \(free), "wired": 32000, "anonymous": 70000, "fileBacked": 8000}},
              "processes": [\(list.joined(separator: ",\n"))]}
            """
    }

    private static func kill(_ ticks: Int, _ reason: String) -> String {
        "\"killDelta\": \(ticks), \"reason\": \"\(reason)\", "
    }

    private func read(_ text: String) throws(Diagnostics) -> JetsamReport {
        try readJetsamReport(SourceText(name: "report.ips", text: text))
    }

    @Test func `the scenario of a report stands as the report says`() throws {
        let report = try read(Self.text(free: 30_000))
        let start = try report.start()
        let scenario = report.scenario(start, name: "state", generation: "ios-14")
        let script = try loadScenarioScript(SourceText(name: "state.yaml", text: scenario))
        #expect(script.processes.map(\.name) == start.processes.map(\.name))
        #expect(script.processes.compactMap(\.start?.footprint) == start.processes.map(\.process.footprint))
        #expect(script.processes.compactMap(\.start?.requestedBand) == [30])
        let outcome = Scripts.run(script)
        #expect(outcome.passed, "\(outcome.missed.map(\.diagnostic.description))")
        // Nothing is short, but the process above its mark keeps its limit for later.
        #expect(outcome.kills == 0)
        let limit = script.processes.first { $0.name == "lanternd" }?.start?.traits.activeLimit
        #expect(limit == MemoryLimit(ByteCount(899 * 16384), isFatal: false))
    }

    @Test func `in the state of a report the phone kills at marks first, then for want of memory, as the report says`()
        throws
    {
        let report = try read(Self.text())
        let start = try report.start()
        let processes = start.processes.map { named in
            var process = named.process
            if let limit = named.limit { (process.traits.activeLimit, process.traits.inactiveLimit) = (limit, limit) }
            return process
        }
        let profile = OSProfile.ios18(ram: start.memory.ram)
        let reaction = PhoneReaction(processes, memory: start.memory, profile: profile, policy: Jetsam())
        #expect(reaction.deaths.first?.process == 3)
        #expect(reaction.deaths.first?.reason == .highwater)
        #expect(reaction.deaths.dropFirst().map(\.process).prefix(2) == [0, 1])
        let order = WouldKill(
            start.processes.map(\.process), memory: start.memory, profile: profile, policy: Jetsam(), bound: .count(4))
        #expect(order.victims.map(\.process) == [0, 1, 2, 3])
        // The report's kills in order: 3 0 1 2.
        let agreement = KillAgreement(
            reported: report.kills, chosen: order.victims.map(\.process), order: order.order,
            footprints: start.processes.map(\.process.footprint))
        #expect(agreement.isFirstSame == false)
        #expect(agreement.jaccard == 1)
        #expect(agreement.bytesShare == 1)
        #expect(agreement.tau == 0)
    }

    @Test func `whatever a changed report still says, a phone can stand in it`() {
        let bytes = Array(Self.text().utf8)
        var random = RandomStream(StreamKey(seed: 5, replication: 0, entity: "report", purpose: "changed digits"))
        var stood = 0
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0...random.integer(below: 2) {
                let digits = changed.indices.filter { (48...57).contains(changed[$0]) }
                changed[digits[random.integer(below: digits.count)]] = UInt8(48 + random.integer(below: 10))
            }
            do throws(Diagnostics) {
                let report = try read(String(decoding: changed, as: UTF8.self))
                let start = try report.start()
                let profile = OSProfile.ios18(ram: start.memory.ram)
                for policy in [Jetsam(), LargestFirst()] as [any EvictionPolicy] {
                    let answer = WouldKill(
                        start.processes.map(\.process), memory: start.memory, profile: profile, policy: policy,
                        bound: .count(9))
                    #expect(answer.victims.count == start.processes.count)
                    _ = PhoneReaction(
                        start.processes.map(\.process), memory: start.memory, profile: profile, policy: policy)
                }
                let scenario = report.scenario(start, name: "state", generation: "ios-18.4")
                _ = Scripts.run(try loadScenarioScript(SourceText(name: "state.yaml", text: scenario)))
                stood += 1
            } catch {
                #expect(!error.isEmpty)
            }
        }
        #expect(stood > 50)
    }
}

private let reportFolder: String? = getenv("FLOTSAM_JETSAM_REPORTS").map { String(cString: $0) }

/// Real reports, where their folder is at hand.
///
/// `FLOTSAM_JETSAM_REPORTS=FOLDER swift test --filter ReportFolderTests` reads every report of a folder.
@Suite(.enabled(if: reportFolder != nil, "FLOTSAM_JETSAM_REPORTS names no folder: reports may not be shipped"))
struct ReportFolderTests {
    private func reports() throws -> [String] {
        let folder = try #require(reportFolder)
        let stream = try #require(opendir(folder))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".ips") || name.hasSuffix(".crash") { names.append(folder + "/" + name) }
        }
        return names.sorted()
    }

    @Test func `every real report is read without loss, holds its identities and can be a state`() throws {
        let paths = try reports()
        #expect(!paths.isEmpty)
        for path in paths {
            let report = try readJetsamReport(path: path)
            #expect(try readJetsamReport(SourceText(name: path, text: report.text)).text == report.text)
            #expect(report.unknown.isEmpty, "\(report.unknown)")
            let start = try report.start()
            for check in report.checks(nominalBytes: Int(start.memory.ram.bytes)) {
                #expect(check.holds != false, "\(path): \(check.name): \(check.found)")
            }
            let generation = report.generation(among: OSProfile.iosGenerations.map(\.name)) ?? "ios-18"
            let scenario = report.scenario(start, name: "state", generation: generation)
            let outcome = Scripts.run(try loadScenarioScript(SourceText(name: "state.yaml", text: scenario)))
            #expect(outcome.passed, "\(outcome.missed.map(\.diagnostic.description))")
        }
    }
}
