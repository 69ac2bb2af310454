// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Processes
import Quantities
import Testing
import Workload

@testable import Importers

/// Files that users would report, each with what is right for it; `ReportedCases/README.md` tells where they come from.
@Suite struct ReportedCasesTests {
    private func path(_ name: String) -> String { FilePath.folder(of: #filePath) + "/ReportedCases/" + name }

    @Test func `a clock that is set while the screen is on loses no app and no time`() throws {
        let file = try importBatterystats(path: path("time-jump-screen-stays-on.txt"), BatterystatsOptions())
        let rows = file.events.map { "\(Int($0.time.seconds)) \($0.kind)" }
        // 9:00 and one hour of screen, whatever the clock was set to meanwhile; then five minutes an hour later.
        #expect(
            rows.filter { !$0.hasSuffix("network") } == [
                "32400 unlock", "32400 open", "33000 open", "33660 open", "34800 open", "36000 lock", "39600 unlock",
                "39600 open", "39600 open", "39900 lock",
            ])
        #expect(file.notes.contains("the clock was set forward; this change is ignored"))
    }

    @Test func `volts are seen, and a rail that no phone has is replaced`() throws {
        let device = try importPowerProfile(path: path("voltage-in-volts.xml"), PowerProfileOptions(name: "phone"))
        // Wi-Fi: 75 mA at 3.8 V; the modem: 210 mA at the nominal 3.85 V.
        #expect(device.yaml.contains("    receive_power: 285 mW"))
        #expect(device.yaml.contains("    receive_power: 808.5 mW"))
        let found = device.warnings.ordered.list
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(found.map { $0.location?.line } == [9, 13])
        #expect(
            found.map(\.message) == [
                "wifi.controller.voltage is 3.8, which is read as volts, although the format uses millivolts",
                "modem.controller.voltage is 0.72 mV, which no rail of a phone has, so 3.85 V is used",
            ])
        #expect(found.first?.hint == "write 3800 instead of 3.8")
        #expect(found.first?.line == "    <item name=\"wifi.controller.voltage\">3.8</item>")
    }

    @Test func `an element that Android passes over is passed over`() throws {
        let device = try importPowerProfile(path: path("power-save-element.xml"), PowerProfileOptions(name: "phone"))
        #expect(device.unused == ["<allow-in-power-save> (line 6)"])
        #expect(device.yaml.contains("capacity: 4100 mAh"))
    }

    @Test func `of rows that the kernel appended none lives at the start`() throws {
        let report = try readJetsamReport(path: path("appended-rows.ips"))
        #expect(report.kills.map { report.processes[$0].pid } == [3000])
        #expect(report.laterKills.map { report.processes[$0].pid } == [3001, 3002, 3003])
        let start = try report.start()
        #expect(start.processes.map(\.name) == ["Garden", "Harbour", "TileExtension-3000", "Lantern", "SpringBoard"])
        #expect(start.processes.filter { $0.limit != nil }.map(\.name) == ["TileExtension-3000"])
        #expect(start.processes[2].limit == MemoryLimit(ByteCount(1921 * 16384), isFatal: true))
        #expect(
            start.notes.contains(
                "Processes that started and ended after the snapshot began are left out: TileExtension (3×)."
            ))
        // The footprints at the start, and no others, are taken out of the pages of the machine.
        let footprints = start.processes.reduce(0) { $0 + $1.process.footprint.bytes }
        #expect(footprints == (14_000 + 16_000 + 1_922 + 40_000 + 12_000) * 16384)
        let scenario = report.scenario(start, name: "appended", generation: "ios-18.5")
        #expect(scenario.split(separator: "\n").count { $0.contains("TileExtension") && $0.contains("kind:") } == 1)
        #expect(scenario.contains("# Kill 1 of the report: \"TileExtension-3000\", \"per-process-limit\""))
        #expect(!scenario.contains("# Kill 2"))
    }

    /// Each with the rows of extensions that live at the start.
    @Test(arguments: [
        // Older than the snapshot: it lived then, wherever its row stands.
        ("\"age\": 96000000", "\"age\": 1488000001", [3000, 3003]),
        // A row that was not killed cannot have been appended.
        ("\"reason\": \"per-process-limit\",\n      \"killDelta\": 528000000", "\"genCount2\": 1", [3000, 3001]),
        // A row that follows the order of bands is no appended one, however young.
        ("\"age\": 1440000000", "\"age\": 1", [3000]),
    ]) func `a row is appended only out of order and younger than the snapshot`(old: String, new: String, alive: [Int])
        throws
    {
        let text = String(decoding: try readFile(path("appended-rows.ips")), as: UTF8.self)
        #expect(text.contains(old))
        let report = try SyntheticReports.read(text.replacing(old, with: new))
        let extensions = report.atStart.map { report.processes[$0] }.filter { $0.name == "TileExtension" }
        #expect(extensions.map(\.pid) == alive)
    }

    @Test func `a name with a line end adds no line to the scenario`() throws {
        let text = String(decoding: try readFile(path("appended-rows.ips")), as: UTF8.self)
        let report = try SyntheticReports.read(text.replacing("TileExtension", with: "Tile\\nschema: 7"))
        let scenario = report.scenario(try report.start(), name: "appended", generation: "ios-18.5")
        #expect(scenario.contains("snapshot began are left out: Tile\u{fffd}schema: 7 (3×)."))
        #expect(scenario.split(separator: "\n").count { $0.hasPrefix("schema:") } == 1)
    }

    @Test func `without bands rows behind launchd are judged by their age alone`() throws {
        let text = String(decoding: try readFile(path("appended-rows.ips")), as: UTF8.self)
        let bare = text.split(separator: "\n").filter { !$0.contains("\"priority\"") }.joined(separator: "\n")
        let report = try SyntheticReports.read(bare)
        #expect(report.laterKills.map { report.processes[$0].pid } == [3001, 3002, 3003])
    }

    @Test func `a report that counts 86,6 % of the memory passes`() throws {
        let report = try readJetsamReport(path: path("counted-share.ips"))
        let memory = try #require(report.nominalMemory)
        let check = report.checks(nominalBytes: Int(memory.bytes))[2]
        #expect(check.name == "counted pages are 80 % to 99 % of the memory")
        #expect(check.holds == true && check.found == "86.6 %")
    }

    @Test func `a report in the text form of iOS 8 is refused as one`() {
        let problems = #expect(throws: Diagnostics.self) { try readJetsamReport(path: path("text-report.txt")) }
        #expect(
            problems?.list.first?.message
                == "\(path("text-report.txt")) is a report in the text format of iOS 8 and earlier, "
                + "which is not supported")
    }

    @Test func `the words of Beiwe for the screen and the charger are known`() throws {
        let map = try ColumnMap("time=timestamp,event=event")
        var options = MappedTableOptions(map: map)
        options.recording.zone = "UTC"
        let file = try importMappedTable(paths: [path("screen-words.csv")], options)
        #expect(file.events.map(\.kind) == [.unlock, .lock, .plug, .unplug])
    }

    @Test func `the table that iLEAPP prints of knowledgeC is read`() throws {
        let file = try importIOSUsage(paths: [path("knowledge-table.tsv")], RecordingOptions(zone: "UTC"))
        let opens = file.events.filter { $0.kind == .open }
        #expect(opens.map { file.apps[Int($0.app)] } == ["com.example.chat", "com.example.maps", "com.example.chat"])
        #expect(opens.map(\.seconds) == [594, 114, 594])
        #expect(file.start == "2021-06-01" && opens.first?.time == .zero + .seconds(28_803))
    }

    @Test(arguments: ["", "a\nb", "a\u{9b}b", "a\u{2028}b"])
    func `a name that a workload cannot hold becomes one that it can`(name: String) throws {
        var names = NameTable()
        let number = names.index(name)
        #expect(names.names == [name.isEmpty ? "unnamed" : "a\u{fffd}b"] && names.index(name) == number)
    }
}
