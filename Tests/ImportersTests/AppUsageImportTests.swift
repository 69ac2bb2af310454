// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

private func table(_ text: String, _ name: String = "t.csv") throws -> ForeignTable {
    try ForeignTable(name: name, bytes: Array(text.utf8))
}

private func problems(_ rows: String) throws -> [Diagnostic] {
    let text = "\"App name\",\"Date\",\"Time\",\"Duration\"\n" + rows
    let error = #expect(throws: Diagnostics.self) {
        try importAppUsage(tables: [try table(text)], AppUsageOptions())
    }
    return error?.list ?? []
}

@Suite struct AppUsageImportTests {
    private let history = """
        \u{FEFF}"App name","Date","Time","Duration"
        "Screen off (locked)","13/12/25","10:02:00","1:00:00"
        "Notes","13/12/25","10:01:00","01:00"
        "Pixel Launcher","13/12/25","10:00:30","00:30"
        "Chat","13/12/25","10:00:01","00:29"
        "Screen on (unlocked)","13/12/25","10:00:00","00:01"
        "Screen off (locked)","13/12/25","9:30:00","30:00"
        "Notification posted (Chat)","13/12/25","9:20:00","00:00"
        "Screen off","13/12/25","9:10:01","19:59"
        "Screen on (locked)","13/12/25","9:09:50","00:10"
        "Screen off (locked)","12/12/25","23:00:00","10:09:50"

        Created by App Usage on Saturday, 13 December 2025, 11:05
        """

    @Test func `the history becomes sessions, opened apps, home screens and notifications`() throws {
        let file = try importAppUsage(tables: [try table(history)], AppUsageOptions())
        let text = String(decoding: file.encoded(), as: UTF8.self)
        #expect(
            text == """
                # start: 2025-12-12
                # covered_s: 82800 to 126120
                t_s,event,app,value
                82800,lock,,
                119390,unlock,,locked=1
                119401,lock,,
                120000,notification,Chat,
                122400,unlock,,
                122401,open,Chat,29
                122430,home,Pixel Launcher,
                122460,open,Notes,60
                122520,lock,,

                """)
    }

    @Test func `a phone that was off is restarted once, for as long as it was off`() throws {
        let rows = """
            "App name","Date","Time","Duration"
            "Chat","11/25/19","17:12:40","0:01:00"
            "Device boot","11/25/19","17:01:16","0:11:17"
            "Chat","11/21/19","09:31:35","0:20:26"
            "Device boot","11/21/19","09:31:02","0:00:33"
            "Device shutdown","11/21/19","01:46:40","7:44:13"
            "Calendar","11/21/19","01:46:31","0:00:06"
            """
        let file = try importAppUsage(tables: [try table(rows)], AppUsageOptions())
        let restarts = file.events.filter { $0.kind == .restart }
        #expect(restarts.map(\.time.seconds) == [6400, 4 * 86400 + 61276] && file.apps == ["Calendar", "Chat"])
        #expect(restarts.first?.seconds == 27853 && restarts.last?.seconds.isNaN == true)
        // The screen was off while the phone was.
        #expect(file.events.first { $0.kind == .lock }?.time == .seconds(6400))
    }

    @Test func `times of twelve hours and dates with the month first are understood`() throws {
        let american = """
            "App name","Date","Time","Duration"
            "Chat","2/14/17","2:00:08 PM","00:08"
            "Chat","2/14/17","12:10:00 AM","1:00:14"
            """
        let file = try importAppUsage(tables: [try table(american)], AppUsageOptions())
        #expect(file.start == "2017-02-14")
        #expect(file.events.map(\.time.seconds) == [600, 50_408])
        #expect(file.events.map(\.seconds) == [3614, 8])
    }

    @Test func `dates that can be read two ways must be explained`() throws {
        let text = "\"App name\",\"Date\",\"Time\",\"Duration\"\n\"Chat\",\"2/3/17\",\"10:00:00\",\"08:00\"\n"
        let error = #expect(throws: Diagnostics.self) {
            try importAppUsage(tables: [try table(text)], AppUsageOptions())
        }
        #expect(error?.list.first?.message == "the dates of t.csv are ambiguous: the day or the month may come first")
        var options = AppUsageOptions()
        options.dateOrder = .monthFirst
        #expect(try importAppUsage(tables: [try table(text)], options).start == "2017-02-03")
    }

    @Test func `the battery log becomes plugs with levels`() throws {
        let battery = """
            "Date","Time","Battery(%)","Note"
            "13/12/25","11:00:00","60%",""
            "13/12/25","10:50:00","60","Charging"
            "13/12/25","10:40:00","40","Charging"
            "13/12/25","10:30:00","40","Unplugged"
            """
        let file = try importAppUsage(tables: [try table(history), try table(battery)], AppUsageOptions())
        let charge = try #require(file.chargeSessions.first)
        #expect(file.chargeSessions.count == 1)
        #expect(charge.startLevel == 0.4 && charge.endLevel == 0.6 && charge.minutes == 20)
        #expect(file.coveredParts[.charging]?.days == 0.5 / 24)
    }

    @Test func `every malformed row is reported with its location`() throws {
        let found = try problems(
            """
            "Chat","31/12/25","10:00:00","00:08"
            "Chat","31/13/25","10:00:00","00:08"
            "Chat","30/12/25","10:61:00","00:08"
            "Chat","30/12/25","10:00:00","eight"
            "Chat","30/12/25","10:00:00","9000000000000000000:00:00"
            "Chat","30/12/25"
            "Chat","29/12/25","9:00:00","00:01"

            """)
        #expect(
            found.map(\.message) == [
                "expected a date, day-first, found \"31/13/25\"",
                "expected a time such as 17:30:12 or 5:30:12 PM, found \"10:61:00\"",
                "expected a length such as 04:30 or 1:00:14, found \"eight\"",
                "expected a length such as 04:30 or 1:00:14, found \"9000000000000000000:00:00\"",
                "expected 4 fields, found 2", "5 of 7 rows are broken",
            ])
        #expect(found.map { $0.location?.line } == [3, 4, 5, 6, 7, nil])
        #expect(found.map { $0.location?.column } == [8, 19, 30, 30, 1, nil])
    }

    @Test func `a file of another kind is refused`() {
        #expect(throws: Diagnostics.self) { try importAppUsage(tables: [try table("a,b\n1,2\n")], AppUsageOptions()) }
    }

    @Test(arguments: [
        ("9:30:00", "30:00", [36000]), ("9:30:01", "29:59", [36000]), ("9:30:02", "29:58", [34200, 36000]),
    ])
    func `a screen that is off again within a second was off all the time`(
        again: String, length: String, starts: [Double]
    ) throws {
        let rows = """
            "App name","Date","Time","Duration"
            "Screen off (locked)","13/12/25","10:30:00","10:00"
            "Chat","13/12/25","10:00:00","30:00"
            "Screen off (locked)","13/12/25","\(again)","\(length)"
            "Screen off","13/12/25","9:10:01","19:59"
            """
        let file = try importAppUsage(tables: [try table(rows)], AppUsageOptions())
        let unlocks = file.events.filter { $0.kind == .unlock }
        #expect(unlocks.map(\.time.seconds) == starts)
        // Only apps that are opened say that the session of ten o'clock is no look at a locked screen.
        #expect(unlocks.map(\.isLocked) == starts.map { $0 < 36000 })
    }

    @Test func `rows of one second are in the order of the history, the newest of them first in it`() throws {
        let rows = """
            "App name","Date","Time","Duration"
            "Notes","13/12/25","10:00:10","00:05"
            "Chat","13/12/25","10:00:00","00:05"
            "Maps","13/12/25","10:00:00","00:00"
            "Notes","12/12/25","10:00:10","00:05"
            """
        let file = try importAppUsage(tables: [try table(rows)], AppUsageOptions())
        #expect(file.events.map { file.apps[Int($0.app)] } == ["Notes", "Maps", "Chat", "Notes"])
    }
}
