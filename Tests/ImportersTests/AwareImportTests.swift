// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

private func table(_ text: String, _ name: String = "t.csv") throws -> ForeignTable {
    try ForeignTable(name: name, bytes: Array(text.utf8))
}

@Suite struct AwareImportTests {
    private let screen = """
        time,screen_status
        1488346471.195,1
        1488346482.128,0
        1488346482.154,2
        1488346492.5,1
        1488346493,3
        1488346500.25,0
        """
    private let battery = """
        time,battery_level,battery_status,battery_health,battery_adaptor
        1488346400,50,3,2,0
        1488346460,50,2,2,2
        1488346520,52,-1,2,2
        1488346580,55,5,2,2
        1488346640,54,3,2,0
        """

    @Test func `screen and battery rows become sessions and charges in local time`() throws {
        var options = RecordingOptions(zone: "+02:00")
        options.origin = "a phone"
        let file = try importAware(tables: [try table(screen), try table(battery)], options)
        // 1488346471.195 is 2017-03-01 05:34:31.195 UTC.
        #expect(file.start == "2017-03-01" && file.startWeekday == 2)
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(
            text == """
                # zone: +02:00
                # origin: a phone
                # start: 2017-03-01
                # covered_s: 27200 to 27440
                t_s,event,app,value
                27260,plug,,level=0.5
                27271.195,unlock,,locked=1
                27282.128,lock,,
                27292.5,unlock,,
                27300.25,lock,,
                27320,restart,,60
                27440,unplug,,0.55

                """)
    }

    @Test func `installations are installs and updates, and removals nothing`() throws {
        let rows = """
            timestamp,device_id,package_name,application_name,installation_status
            1488346475000,a,com.example.mail,Mail,1
            1488346476000,a,com.example.mail,Mail,2
            1488346477000,a,com.example.mail,Mail,0
            """
        let file = try importAware(
            tables: [try table(screen), try table(battery), try table(rows)], RecordingOptions(zone: "+02:00"))
        let found = file.events.filter { $0.app >= 0 }
        #expect(found.map(\.kind) == [.install, .update] && file.apps == ["com.example.mail"])
        #expect(found.map(\.time.seconds) == [27275, 27276])
    }

    @Test func `a number that no integer holds is reported like any other`() throws {
        for number in ["1e300", "inf", "nan", "1.5", "-1"] {
            let rows = "time,screen_status\n1488346471,1\n1488346482,\(number)\n"
            let error = #expect(throws: Diagnostics.self) {
                try importAware(tables: [try table(rows)], RecordingOptions(zone: "UTC"))
            }
            #expect(error?.list.first?.message == "expected a screen status from 0 to 3, found \"\(number)\"")
        }
    }

    @Test func `named zones know summer time`() throws {
        // The clocks of Helsinki went forward on 2017-03-26 at 01:00 UTC.
        let clock = try LocalClock(zone: "Europe/Helsinki")
        let change: Int64 = 1_490_490_000
        #expect(clock.local((change - 1) * 1_000_000_000) == (change - 1 + 7200) * 1_000_000_000)
        #expect(clock.local(change * 1_000_000_000) == (change + 10800) * 1_000_000_000)
        #expect(throws: Diagnostics.self) { try LocalClock(zone: "Europe/Nowhere") }
        #expect(try LocalClock(zone: "-03:30").local(0) == -12_600_000_000_000)
    }

    @Test func `a session whose end was not recorded is left out`() throws {
        let text = "time,screen_status\n1488326500,1\n1488326501,3\n1488331400,1\n1488331410,0\n"
        let file = try importAware(tables: [try table(text)], RecordingOptions(zone: "UTC"))
        #expect(file.events.map(\.time.seconds) == [5000, 5010])
        #expect(file.events[0].isLocked)
    }

    @Test func `rows after the last day are left out and that day is whole`() throws {
        var options = RecordingOptions(zone: "UTC")
        options.lastDay = CalendarDate("2017-03-01")
        let later = screen + "\n1488500000,1\n1488500060,0\n"
        let file = try importAware(tables: [try table(later)], options)
        #expect(file.events.count == 4)
        #expect(file.covered.upperBound == .zero + .day)
    }

    @Test func `a last day of any year that can be written is accepted`() throws {
        var options = RecordingOptions(zone: "UTC")
        options.lastDay = CalendarDate("9999-12-31")
        let rows = screen + "\n1488500000,1\n1488500060,0\n"
        #expect(try importAware(tables: [try table(rows)], options).events.count == 6)
        options.lastDay = CalendarDate("0001-01-01")
        let error = #expect(throws: Diagnostics.self) { try importAware(tables: [try table(rows)], options) }
        #expect(error?.list.map(\.message) == ["the files have no rows up to the last requested day"])
    }

    @Test func `every malformed row is reported with its location`() throws {
        let broken = "time,screen_status\nyesterday,1\n1488346471,7\n1488346472\n1488346473,0\n"
        let error = #expect(throws: Diagnostics.self) {
            try importAware(tables: [try table(broken, "screen.csv")], RecordingOptions(zone: "UTC"))
        }
        #expect(
            error?.list.map(\.message) == [
                "expected seconds or milliseconds since 1970, found \"yesterday\"",
                "expected a screen status from 0 to 3, found \"7\"", "the row has only 1 fields",
                "3 of 4 rows are broken",
            ])
        #expect(error?.list.map { $0.location?.line } == [2, 3, 4, nil])
        #expect(error?.list.map { $0.location?.column } == [1, 12, 1, nil])
    }

    @Test func `a table of other columns, or of two users, is refused`() throws {
        let other = #expect(throws: Diagnostics.self) {
            try importAware(tables: [try table("time,screen_state\n1,1\n")], RecordingOptions(zone: "UTC"))
        }
        #expect(other?.list.first?.hint == "there is \"screen_state\"")
        let users = #expect(throws: Diagnostics.self) {
            try importAware(
                tables: [try table("user,time,screen_status\na,1,1\nb,2,0\n")], RecordingOptions(zone: "UTC"))
        }
        #expect(users?.list.first?.message == "a second user begins here, but a workload describes one user")
    }

    @Test func `a charge ends where the log says so, or where it falls silent`() {
        func rows(_ list: [(Double, Bool, Double)]) -> [WorkloadEvent] {
            ChargeRows(list.map { BatteryRow(time: .zero + .minutes($0.0), isOnCharger: $0.1, level: $0.2) }).events
        }
        let near = rows([(0, true, 0.2), (10, true, 0.3), (20, false, 0.3)])
        #expect(near.map(\.time.seconds) == [0, 1200])
        let far = rows([(0, true, 0.2), (10, true, 0.3), (30, false, 0.3)])
        #expect(far.map(\.time.seconds) == [0, 600])
        let pause = rows([(0, true, 0.2), (300, true, 0.9), (301, false, 0.9)])
        #expect(pause.map(\.kind) == [.plug, .unplug, .plug, .unplug])
        #expect(pause.map(\.level) == [0.2, 0.2, 0.9, 0.9])
    }
}
