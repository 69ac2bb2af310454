// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

/// Exports whose special rows are in a language that nobody listed, and battery notes as the app writes them.
@Suite struct AppUsageLanguageTests {
    private func table(_ text: String, _ name: String = "t.csv") throws -> ForeignTable {
        try ForeignTable(name: name, bytes: Array(text.utf8))
    }

    /// A morning in English, in the form of the app: oldest last, a second for each screen that goes on.
    private let english = """
        "App name","Date","Time","Duration"
        "Screen off (locked)","3/14/21","12:00:00","4:00:00"
        "Chat","3/14/21","11:50:01","0:09:59"
        "Screen on (unlocked)","3/14/21","11:50:00","0:00:01"
        "Screen off","3/14/21","11:00:00","0:50:00"
        "Screen on (locked)","3/14/21","10:59:50","0:00:10"
        "Notification posted (Chat)","3/14/21","10:30:00","0:00:00"
        "Notification posted (Shop)","3/14/21","10:20:00","0:00:00"
        "Screen off (locked)","3/14/21","10:00:00","0:59:50"
        "Video","3/14/21","9:30:01","0:29:59"
        "Screen on (unlocked)","3/14/21","9:30:00","0:00:01"
        "Screen off (locked)","3/14/21","5:00:00","4:30:00"
        """

    private let german = [
        "Screen off": "Bildschirm aus", "Screen on": "Bildschirm an", "(locked)": "(gesperrt)",
        "(unlocked)": "(entsperrt)", "Notification posted": "Benachrichtigung", "App name": "Name der App",
        "Duration": "Dauer",
    ]

    @Test func `another language gives the same workload`() throws {
        var text = english
        for (word, other) in german { text = text.replacing(word, with: other) }
        let expected = try importAppUsage(tables: [try table(english)], AppUsageOptions())
        let found = try importAppUsage(tables: [try table(text)], AppUsageOptions())
        #expect(found.events == expected.events && found.apps == expected.apps)
        #expect(
            found.events.map(\.kind.name).joined(separator: " ") == """
                lock unlock open lock notification notification unlock lock unlock open lock
                """)
        #expect(found.notes.contains { $0.contains("\"Bildschirm aus (gesperrt)\" (screen off)") })
        #expect(found.events.filter { $0.kind == .unlock }.map(\.isLocked) == [false, true, false])
    }

    @Test func `without a row of the screen, sessions follow the apps and that is said`() throws {
        let apps = english.split(separator: "\n").filter { !$0.contains("Screen") }.joined(separator: "\n")
        let file = try importAppUsage(tables: [try table(apps)], AppUsageOptions())
        #expect(file.events.map(\.kind) == [.open, .notification, .notification, .open])
        #expect(file.notes == ["no row records that the screen was off, so sessions are derived from the apps"])
    }

    /// Notes as the app writes them: what changed, the screen, the charger, and what else is on.
    private let battery = """
        "Date","Time","Battery(%)","Note"
        "3/14/21","06:00:00","40","level changed, screen off, charge off"
        "3/14/21","06:10:00","40","plug, screen on"
        "3/14/21","06:20:00","45","level changed, screen off, charge on"
        "3/14/21","06:40:00","50","level changed, screen off, charge on, device idle on"
        "3/14/21","06:50:00","52","unplug, screen on"
        "3/14/21","07:00:00","51","level changed, screen on, charge off, power saver on"
        """

    @Test func `charges begin and end with the notes of the app`() throws {
        let file = try importAppUsage(tables: [try table(english), try table(battery, "b")], AppUsageOptions())
        let charges = file.chargeSessions
        #expect(charges.map(\.minutes) == [40] && charges.map(\.startLevel) == [0.4])
        #expect(charges.map(\.endLevel) == [0.5])
    }

    @Test func `notes in another language are told by the level`() throws {
        var text = battery.replacing("\"3/14/21\",\"06:10:00\",\"40\",\"plug, screen on\"\n", with: "")
        text = text.replacing("\"3/14/21\",\"06:50:00\",\"52\",\"unplug, screen on\"\n", with: "")
            .replacing("charge on", with: "laden an").replacing("charge off", with: "laden aus")
        text += "\n\"3/14/21\",\"07:30:00\",\"49\",\"level changed, screen off, laden aus\"\n"
        let file = try importAppUsage(tables: [try table(text)], AppUsageOptions())
        #expect(file.events.map(\.kind) == [.plug, .unplug])
        #expect(file.events.map(\.level) == [0.45, 0.5])
    }

    @Test func `one file settles the order of dates for another`() throws {
        let early = english.replacing("3/14/21", with: "3/2/21")
        #expect {
            try importAppUsage(tables: [try table(early)], AppUsageOptions())
        } throws: { "\($0)".contains("--dates day-first or --dates month-first") }
        let both = [try table(early), try table(battery, "b")]
        #expect(try importAppUsage(tables: both, AppUsageOptions()).start == "2021-03-02")
    }

    @Test func `the same export twice counts once, and two phones are told apart`() throws {
        let once = try importAppUsage(tables: [try table(english)], AppUsageOptions())
        let twice = try importAppUsage(tables: [try table(english), try table(english)], AppUsageOptions())
        #expect(once.events == twice.events)
        let other = english.replacing("0:00\"", with: "0:03\"")
        #expect {
            try importAppUsage(tables: [try table(english), try table(other, "o")], AppUsageOptions())
        } throws: { "\($0)".contains("o and an earlier file cover the same days, but differ") }
    }

    @Test func `rows centuries apart are broken rows`() throws {
        let rows = "\"App name\",\"Date\",\"Time\",\"Duration\"\n\"A\",\"01/01/2020\",\"10:00:00\",\"0:00:05\"\n"
        #expect {
            try importAppUsage(
                tables: [try table(rows + "\"B\",\"31/12/2312\",\"10:00:00\",\"0:00:05\"\n")], AppUsageOptions())
        } throws: { "\($0)".contains("t.csv:3:5: error: expected a date, day-first, found \"31/12/2312\"") }
    }

    @Test func `an app that is on screen all day is a screen that was off`() throws {
        let text = """
            "App name","Date","Time","Duration"
            "Ecran","3/15/21","10:00:00","14:00:00"
            "Chat","3/15/21","9:00:00","1:00:00"
            "Ecran","3/14/21","10:00:00","23:00:00"
            """
        #expect {
            try importAppUsage(tables: [try table(text)], AppUsageOptions())
        } throws: { "\($0)".contains("apps are on screen for 24 hours a day") }
    }
}
