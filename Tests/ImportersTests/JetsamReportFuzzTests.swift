// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Importers
import Processes
import Quantities
import RandomStreams
import Testing

/// Cut, changed and malicious reports: an error with its location, or a report that can be used, never a crash.
@Suite struct JetsamReportFuzzTests {
    /// Reads a text all the way to a scenario; whether it was a report.
    private func isReport(_ bytes: [UInt8]) -> Bool {
        do throws(Diagnostics) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Diagnostics([.notUTF8(bytes, file: "report.ips")])
            }
            let report = try SyntheticReports.read(text)
            let start = try report.start()
            _ = report.checks(nominalBytes: Int(start.memory.ram.bytes))
            let scenario = report.scenario(start, name: "fuzz", generation: "ios-14")
            // What was written must be readable, whatever stands in the names.
            guard case .success = YAML.parse(SourceText(name: "scenario.yaml", text: scenario)) else {
                Issue.record("the scenario is no YAML")
                return true
            }
            return true
        } catch {
            #expect(!error.isEmpty)
            #expect(!error.description.isEmpty)
            return false
        }
    }

    @Test(arguments: [SyntheticReports.newer, SyntheticReports.older])
    func `a report cut anywhere is no report`(text: String) {
        let bytes = Array(text.utf8)
        let end = (bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0) + 1
        for length in stride(from: 0, to: end, by: 37) { #expect(!isReport(Array(bytes[..<length]))) }
        #expect(isReport(Array(bytes[..<end])))
    }

    @Test(arguments: [SyntheticReports.newer, SyntheticReports.older])
    func `a report with changed bytes is read or refused`(text: String) {
        let bytes = Array(text.utf8)
        var random = RandomStream(StreamKey(seed: 3, replication: 0, entity: "report", purpose: "changed bytes"))
        var good = 0
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0...random.integer(below: 3) {
                let offset = random.integer(below: changed.count)
                switch random.integer(below: 4) {
                case 0: changed[offset] = UInt8(random.integer(below: 256))
                case 1: changed.insert(UInt8(random.integer(below: 256)), at: offset)
                case 2: changed.remove(at: offset)
                default: changed.insert(contentsOf: Array("9999999".utf8), at: offset)
                }
            }
            if isReport(changed) { good += 1 }
        }
        // Some changes hit a name or a digit: the others must not pass as reports all the same.
        #expect((20...380).contains(good))
    }

    @Test func `names that would break a scenario or command a terminal do no harm`() throws {
        for name in [#"a\"}, {kind: app"#, #"\u001b[2J"#, #"# x: [\n- y"#, "", "ü😀", #"\u2028"#, "null", "7"] {
            let text = SyntheticReports.newer.replacing("\"Timetable\"", with: "\"\(name)\"")
            #expect(isReport(Array(text.utf8)), "\(name)")
        }
        #expect(!isReport(Array("\u{FEFF}{}".utf8)))
        #expect(!isReport([UInt8](repeating: 0xFF, count: 4096)))
        #expect(!isReport(Array(String(repeating: "[", count: 200_000).utf8)))
    }

    @Test func `a folder and a file that is not there are errors`() {
        #expect(throws: Diagnostics.self) { try readJetsamReport(path: "/") }
        #expect(throws: Diagnostics.self) { try readJetsamReport(path: "/no/such/report.ips") }
    }
}
