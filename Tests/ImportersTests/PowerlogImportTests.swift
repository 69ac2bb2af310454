// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

@Suite struct PowerlogImportTests {
    private func table(_ text: String, _ name: String) throws -> ForeignTable {
        try ForeignTable(name: name, bytes: Array(text.utf8))
    }

    /// 2026-01-18 01:00 and 03:00 at UTC-6.
    private let hours = """
        timestamp,node,component,Energy
        1768719653.0,com.example.film,CPU,1661.4
        1768719653.0,com.example.film,DisplayDynamic,12.9
        1768719653.0,com.example.mail,CPU,20.1
        1768719653.0,com.example.mail,WiFi-Data,20.1
        1768719653.0,com.apple.lock-screen,DisplayDynamic,1
        1768719653.0,powerd,RestOfSOC,3
        1768726853.0,com.apple.lock-screen,DisplayDynamic,1
        1768726853.0,kernel,BB,1
        1768726853.0,a,BB,1
        1768726853.0,b,BB,1
        """
    private let battery = """
        timestamp,IsCharging,StateOfCharge
        1768719700,0,50
        1768719800,1,50
        1768719900,1,52
        1768720000,0,52
        """

    @Test func `an app that draws is on screen, however dark the display`() throws {
        let dark = """
            timestamp,node,component,Energy
            1768719653.0,com.example.film,CPU,1661.4
            1768719653.0,com.example.film,SOCDisplay,5.9
            1768719653.0,com.example.mail,GPU,20.1
            """
        let file = try importPowerlog(tables: [try table(dark, "h.csv")], PowerlogOptions(zone: "-06:00"))
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(text.contains("\n3601,open,com.example.film,185\n"), "\(text)")
        #expect(text.contains("\n5400,push,com.example.mail,\n"), "\(text)")
    }

    @Test func `presence makes the workload, and energies change nothing`() throws {
        let tables = [try table(hours, "h.csv"), try table(battery, "b.csv")]
        let file = try importPowerlog(tables: tables, PowerlogOptions(zone: "-06:00"))
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(
            text == """
                # zone: -06:00
                # start: 2026-01-18
                # covered_s: 3600 to 14400
                # 2 of 3 hours were recorded
                t_s,event,app,value
                3600,network,,wifi
                3601,unlock,,
                3601,open,com.example.film,185
                3786,lock,,
                3800,plug,,level=0.5
                4000,unplug,,0.52
                5400,push,com.example.mail,
                10800,network,,cellular
                10801,unlock,,
                10808,lock,,

                """, "\(text)")
        let louder = try importPowerlog(
            tables: [try table(hours.replacing("12.9", with: "99999"), "h.csv"), try table(battery, "b.csv")],
            PowerlogOptions(zone: "-06:00"))
        #expect(louder.encoded() == file.encoded())
    }

    @Test func `many apps in one hour share it`() throws {
        let rows = (0..<30).map { "1768719653.0,com.example.app\($0),DisplayDynamic,1" }
        let file = try importPowerlog(
            tables: [try table("timestamp,node,component\n" + rows.joined(separator: "\n"), "h.csv")],
            PowerlogOptions(zone: "-06:00"))
        #expect(file.events.filter { $0.kind == .open }.map(\.seconds) == Array(repeating: 114, count: 30))
        #expect(file.events.last?.kind == .lock && file.events.last.map { $0.time < .zero + .hours(2) } == true)
    }

    @Test func `mistakes are named with their location`() throws {
        let wrong = hours.replacing("1768726853.0,a,BB,1", with: "soon,a,BB,1")
        #expect {
            try importPowerlog(tables: [table(wrong, "h.csv")], PowerlogOptions(zone: "-06:00"))
        } throws: { "\($0)".contains("h.csv:10:1: error: expected seconds or milliseconds since 1970") }
        #expect {
            try importPowerlog(tables: [table("timestamp,node\n1,a", "h.csv")], PowerlogOptions(zone: "UTC"))
        } throws: { "\($0)".contains("component") }
    }
}
