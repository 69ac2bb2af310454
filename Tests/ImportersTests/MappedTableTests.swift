// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

/// Tables whose columns, words and dates a user names.
@Suite struct MappedTableTests {
    private func read(
        _ text: String, map: String, zone: String = "UTC", dates: DateOrder? = nil
    ) throws -> WorkloadFile {
        var options = MappedTableOptions(map: try ColumnMap(map))
        options.recording.zone = zone
        options.dateOrder = dates
        return try importMappedTable(
            tables: [try ForeignTable(name: "t.csv", bytes: Array(text.utf8))], options)
    }

    /// Seconds and kinds of the rows.
    private func rows(_ file: WorkloadFile) -> [String] {
        file.events.map { "\($0.time.seconds) \($0.kind)" }
    }

    // MARK: Words

    private static let words =
        "t,e,a\n1768000000,Lit up!,\n1768000001,In Front,Mail\n1768000031,Tick,\n"
        + "1768000060,dark,\n1768000100,\"Plugged in, slow\",\n"

    @Test func `words of events say what a map says`() throws {
        let map =
            "time=t,event=e,app=a,screen_on=lit_up!,opened=in front,screen_off=DARK,ignore=Tick,"
            + "plug=\"Plugged in, slow\""
        let file = try read(Self.words, map: map)
        #expect(rows(file) == ["83200.0 unlock", "83201.0 open", "83260.0 lock", "83300.0 plug"])
    }

    @Test func `a word of the map stands above one that is known`() throws {
        let text = "t,e\n1768000000,on\n1768000060,off\n"
        #expect(rows(try read(text, map: "time=t,event=e")) == ["83200.0 unlock", "83260.0 lock"])
        #expect(rows(try read(text, map: "time=t,event=e,plug=on,unplug=off")) == ["83200.0 plug", "83260.0 unplug"])
    }

    @Test func `an unknown word is named with its line and with what mends it`() throws {
        let problems = try #require(throws: Diagnostics.self) {
            try read(
                Self.words, map: "time=t,event=e,app=a,screen_on=Lit up!,opened=in front,screen_off=dark,ignore=Tick")
        }
        let first = try #require(problems.list.first)
        #expect(first.message == "unknown event \"Plugged in, slow\"" && first.location?.line == 6)
        #expect(
            first.hint
                == "add the event's meaning to the map, as in --map …,screen_on=WORD; other meanings: screen_off, "
                + "unlocked, opened, closed, notification, plug, unplug, shutdown, boot, ignore")
    }

    @Test(arguments: [
        ("time=t,event=e,screen_no=Lit", "did you mean screen_on=WORD?"),
        ("time=t,event=e,screen_on=Lit,plug=lit", "\"lit\" has two meanings, screen_on and plug"),
        ("time=t,app=a,screen_on=Lit", "screen_on=WORD needs event=COLUMN"),
        ("time=t,event=e,screen_on=\"Lit", "a quote is not closed"),
        ("time=t,event=e,=Lit", "is not a valid part of a map"),
    ]) func `a map of words that cannot be is explained`(map: String, words: String) {
        #expect { try ColumnMap(map) } throws: { "\($0)".contains(words) }
    }

    @Test func `what Beiwe writes of saving and idling is passed over, what it writes of the end is one`() throws {
        let text =
            "timestamp,UTC time,event\n1768000000000,,Screen turned on\n"
            + "1768000010000,,Device Idle (Doze) state change signal received; device not in idle state.\n"
            + "1768000020000,,Power Save Mode state change signal received; device in power save state.\n"
            + "1768000060000,,Device shut down signal received\n1768000600000,,Power connected\n"
        let file = try read(text, map: "time=timestamp,event=event")
        #expect(rows(file) == ["83200.0 unlock", "83260.0 lock", "83260.0 restart", "83800.0 plug"])
    }

    @Test func `a charge of a night lasts from its plug to its unplug`() throws {
        let text = "t,e,l\n1768000000,Power connected,40\n1768028800,Power disconnected,100\n"
        let file = try read(text, map: "time=t,event=e,level=l")
        #expect(rows(file) == ["83200.0 plug", "112000.0 unplug"] && file.events.map(\.level) == [0.4, 1])
        // An unplug is missing here, so the second plug begins another charge.
        let lost = "t,e\n1768000000,plug\n1768018000,plug\n1768021600,unplug\n"
        #expect(
            rows(try read(lost, map: "time=t,event=e")) == [
                "83200.0 plug", "83200.0 unplug", "101200.0 plug", "104800.0 unplug",
            ])
    }

    // MARK: Times

    /// 2026-01-09 23:06:40 UTC and two minutes later, as exports write it; a zone that is named moves it.
    @Test(arguments: [
        ("1768000000", "1768000120"), ("1768000000.5", "1768000120.5"), ("1768000000000", "1768000120000"),
        ("1768000000000000", "1768000120000000"), ("1768000000000000000", "1768000120000000000"),
        ("2026-01-09T23:06:40Z", "2026-01-09T23:08:40Z"), ("2026-01-10T01:06:40+02:00", "2026-01-10T01:08:40+02:00"),
        ("2026-01-10 01:06:40.250 +0200", "2026-01-10 01:08:40.250 +0200"),
        ("2026-01-10 01:06:40+02", "2026-01-10 01:08:40+02"),
        ("2026-01-09 23:06:40 UTC", "2026-01-09 23:08:40 UTC"), ("2026-01-09 23:06:40", "2026-01-09 23:08:40"),
        ("2026-01-09 23:06:40,125", "2026-01-09 23:08:40,125"), ("2026-1-9 23:06:40", "2026-1-9 23:08:40"),
        ("2026/01/09 23:06:40", "2026/01/09 23:08:40"), ("09.01.2026 23:06:40", "09.01.2026 23:08:40"),
        ("9.1.26 23:06:40", "9.1.26 23:08:40"), ("09.01.2026, 11:06:40 PM", "09.01.2026, 11:08:40 pm"),
    ]) func `every form of a time is the same instant`(first: String, second: String) throws {
        let file = try read("t,e\n\"\(first)\",screen_on\n\"\(second)\",screen_off\n", map: "time=t,event=e")
        #expect(file.start == "2026-01-09")
        #expect(file.events.map(\.kind) == [.unlock, .lock])
        #expect(file.events.map { Int($0.time.seconds) } == [83200, 83320])
    }

    @Test func `a time without seconds is of the full minute`() throws {
        let file = try read("t;e\n2026-01-09 23:06;on\n10.01.2026 00:01;off\n", map: "time=t,event=e")
        #expect(file.start == "2026-01-09" && file.events.map { Int($0.time.seconds) } == [83160, 86460])
    }

    @Test(arguments: [
        ("1/13/2026 8:05 AM", "1/14/2026 12:10 AM", "2026-01-13", 57_900.0, DateOrder.monthFirst),
        ("13/1/2026 08:05", "14/1/2026 00:10", "2026-01-13", 57_900.0, .dayFirst),
        // Both are days in either order, but only one order goes forward.
        ("30/1/26 08:05", "1/2/26 00:10", "2026-01-30", 144_300.0, .dayFirst),
    ]) func `the rows tell which number of a date is the day`(
        first: String, second: String, start: String, length: Double, order: DateOrder
    ) throws {
        let file = try read("t,e\n\(first),on\n\(second),off\n", map: "time=t,event=e")
        #expect(file.start == start)
        #expect((file.events[1].time - file.events[0].time).seconds == length)
        #expect(file.notes.contains("dates are read \(order.rawValue), because only this order fits all dates"))
    }

    @Test func `a date that may be read in two ways is asked about`() throws {
        let text = "t,e\n3/4/2026 8:05,on\n3/4/2026 8:10,off\n"
        #expect { try read(text, map: "time=t,event=e") } throws: {
            "\($0)".contains("the dates of t.csv are ambiguous: the day or the month may come first")
                && "\($0)".contains("--dates day-first or --dates month-first")
        }
        #expect(try read(text, map: "time=t,event=e", dates: .dayFirst).start == "2026-04-03")
        #expect(try read(text, map: "time=t,event=e", dates: .monthFirst).start == "2026-03-04")
    }

    @Test(arguments: [
        "30.02.2026 08:05", "2026-13-01 08:05", "31.12.1999 08:05", "1.1.2026 25:05", "1.1.2026", "1.1.2026 8:05 XM",
        "1.1.2026 8:05 +99:00", "Mon 1 08:05", "1.1.2026 8.05", "",
    ]) func `what is no time is named`(time: String) {
        #expect { try read("t,e\n\(time),on\n", map: "time=t,event=e") } throws: {
            "\($0)".contains("t.csv:2") || "\($0)".contains("line 2")
        }
    }
}
