// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

/// The forms in which Android prints battery histories, on lines as it prints them.
@Suite struct BatterystatsFormTests {
    private func rows(_ text: String, zone: String = "") throws -> (start: String, rows: [String], notes: [String]) {
        var options = BatterystatsOptions()
        options.recording.zone = zone
        let file = try importBatterystats(bytes: Array(text.utf8), name: "h.txt", options)
        let lines = String(decoding: file.encoded(), as: UTF8.self).split(separator: "\n").map(String.init)
        return (file.start, lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix("t_s") }, file.notes)
    }

    /// The heading, the TIME line and the first entry are those of a Pixel with Android 16.
    private let walls = """
        Battery History [Format: 2] (102% used, 4208KB used of 4096KB, 151 strings using 7967):
          07-23 12:08:29.838 TIME: 2026-07-23-12-08-29
          07-23 12:08:29.838 093 c4002820 status=discharging plug=none temp=348 volt=4303 +running +wifi +screen
          07-23 12:10:03.923 092 top=u0a231:"com.example.a"
          07-23 12:12:00.000 091 -screen device_idle=off
          07-23 12:12:00.000 091
          07-23 12:11:59.400 091 -wifi
          07-23 12:20:00.000 090 +screen plug=ac status=charging
          07-23 12:21:00.000 090 -screen
        """

    @Test func `Android 14 and later print the local time`() throws {
        let found = try rows(walls)
        #expect(found.start == "2026-07-23")
        #expect(
            found.rows == [
                "43709.838,unlock,,", "43709.838,network,,wifi", "43803.923,open,com.example.a,", "43920,lock,,",
                "43920,network,,cellular", "44400,unlock,,", "44400,open,com.example.a,", "44400,plug,,level=0.9",
                "44460,lock,,",
            ])
    }

    @Test func `what is installed after it was on screen is a new version`() throws {
        let more = [
            "07-23 12:22:00.000 090 pkginst=28:\"com.example.a\"",
            "07-23 12:23:00.000 090 pkginst=2:\"com.example.b\"",
        ]
        let text = ([walls] + more).joined(separator: "\n  ")
        #expect(try rows(text).rows.suffix(2) == ["44520,update,com.example.a,", "44580,install,com.example.b,"])
        let checkin = """
            9,hsp,0,2,"com.example.b"
            9,h,0:RESET:TIME:1737700000000
            9,h,0,Bl=100,Bs=c,Bp=n,+r,+S
            9,h,60000,Epi=0
            9,h,60000,Epi=0,-S
            """
        let kinds = try rows(checkin, zone: "UTC").rows.map { $0.split(separator: ",")[1] }
        #expect(kinds == ["unlock", "network", "install", "update", "lock"])
    }

    @Test func `a history crosses the end of a year`() throws {
        let text = walls.replacing("07-23 12:2", with: "01-01 00:2").replacing("07-23", with: "12-31")
        let found = try rows(text)
        #expect(found.start == "2026-12-31" && found.rows.last == "87660,lock,,")
    }

    @Test func `after the end of a year days are those of the next, leap days too`() throws {
        func nanoseconds(_ year: Int, _ month: Int, _ day: Int) throws -> Int64 {
            Int64(try #require(CalendarDate(year: year, month: month, day: day)).daysSince1970) * 86_400_000_000_000
        }
        var timeline = BatterystatsTimeline()
        let wall = BatterystatsEntry.When.wall(month: 12, day: 31, nanoseconds: 0)
        _ = timeline.set(try nanoseconds(2027, 12, 31), at: wall, afterRestart: false)
        for (month, day) in [(1, 1), (2, 29), (6, 30)] {
            let found = timeline.time(of: .wall(month: month, day: day, nanoseconds: 0))
            #expect(try found == nanoseconds(2028, month, day))
        }
    }

    @Test func `without a line of the time the day stays unknown`() throws {
        let text = walls.replacing("  07-23 12:08:29.838 TIME: 2026-07-23-12-08-29\n", with: "")
        let found = try rows(text)
        #expect(found.start.isEmpty && found.rows.first == "43709.838,unlock,,")
    }

    @Test func `clocks that are set back leave distances as they are`() throws {
        let text = walls.replacing("07-23 12:2", with: "07-23 11:2")
        let found = try rows(text)
        #expect(found.rows.last == "43980,lock,,")
        #expect(found.notes.contains("the clock was set back; this change is ignored"))
    }

    /// A full buffer: the reset is gone, the stamp has seven parts, and the phone was off in between.
    private let wrapped = """
        Battery History (97% used, 3980KB used of 4096KB, 151 strings using 7967):
                            0 (20) TIME: 2026-08-05-06-19-47-874
                            0 (1) 031 status=discharging plug=none temp=270 +running +screen +wifi
                      +1m00s000ms (2) 031 +top=u0a231:"com.example.a"
                      +5m00s000ms (7) *OVERFLOW*
                     +10m00s000ms (7) START
                     +10m00s000ms (15) TIME: 2026-08-06-09-00-00-000
                     +10m01s000ms (2) 029 +screen
                     +11m01s000ms (2) 029 -screen
        """

    @Test func `a full buffer keeps the time of day, and a restart ends what was on`() throws {
        let found = try rows(wrapped)
        #expect(found.start == "2026-08-05")
        #expect(
            found.rows == [
                "22787.874,unlock,,", "22787.874,network,,wifi", "22847.874,open,com.example.a,", "22847.874,lock,,",
                "118741,restart,,60", "118801,unlock,,", "118861,lock,,",
            ])
    }

    @Test func `a shutdown that was logged tells how long the phone was off`() throws {
        let text = wrapped.replacing("+5m00s000ms (7) *OVERFLOW*", with: "+5m00s000ms (7) SHUTDOWN")
        #expect(try rows(text).rows.contains("23087.874,restart,,95713.126"))
    }

    /// Lines of a phone of 2024, and what the short form calls them.
    @Test func `the cellular network's signal and its absence are read`() throws {
        let long = """
            Battery History (2% used, 97KB used of 4096KB, 50 strings using 2967):
                                0 (10) RESET:TIME: 2024-10-17-12-00-00
                                0 (1) 061 status=discharging plug=none +running phone_signal_strength=good
                      +1m00s000ms (2) 061 +phone_scanning phone_state=out phone_signal_strength=none
                      +2m00s000ms (2) 061 -phone_scanning phone_state=in phone_signal_strength=poor
                      +3m00s000ms (2) 061 +wifi phone_signal_strength=great
                      +4m00s000ms (2) 061 phone_signal_strength=great phone_state=out
            """
        let expected = [
            "signal,,good", "network,,cellular", "signal,,very-poor", "network,,none", "signal,,poor",
            "network,,cellular", "signal,,excellent", "network,,wifi",
        ]
        func words(_ rows: [String]) -> [String] {
            rows.map { String($0[$0.index(after: $0.firstIndex(of: ",") ?? $0.startIndex)...]) }
        }
        let found = try rows(long).rows
        #expect(words(found) == expected && found.first == "43200,signal,,good")
        let short = """
            9,0,i,vers,36,215,AP3A.241105.007,AP4A.250105.002
            9,h,0:RESET:TIME:1729166400000
            9,h,0,Bl=61,Bs=d,Bp=n,+r,Pss=3
            9,h,60000,+Psc,Pst=o,Pss=0
            9,h,60000,-Psc,Pst=i,Pss=1
            9,h,60000,+W,Pss=4
            9,h,60000,Pss=4,Pst=o
            """
        #expect(try words(rows(short, zone: "UTC").rows) == expected)
    }

    /// Lines of `dumpsys batterystats -c`.
    private let checkin = """
        9,0,i,vers,36,215,AP3A.241105.007,AP4A.250105.002
        9,hsp,0,1000,"com.android.settings"
        9,hsp,1,10164,"com.example.chat"
        9,h,0:RESET:TIME:1739210296453
        9,h,0,Bl=100,Bs=c,Bp=n,+r,+S,+W,Etp=0
        9,h,8605,-S
        9,h,60000,+S,+Etp=1
        9,h,-81,Bp=u,Bt=227,+BP
        9,h,90081,-S,Bl=99
        """

    @Test func `the short form needs a zone, and gives the same rows`() throws {
        #expect {
            try rows(checkin)
        } throws: { "\($0)".contains("add the zone, for instance --zone Europe/Helsinki") }
        let found = try rows(checkin, zone: "Europe/Paris")
        #expect(found.start == "2025-02-10")
        #expect(
            found.rows == [
                "68296.453,unlock,,", "68296.453,open,com.android.settings,", "68296.453,network,,wifi",
                "68305.058,lock,,", "68365.058,unlock,,", "68365.058,open,com.android.settings,",
                "68365.058,open,com.example.chat,", "68365.058,plug,,level=1", "68455.058,lock,,",
            ])
    }

    @Test func `in a bug report the first long history counts`() throws {
        let report = "== dumpstate\n" + checkin + "\n" + walls + "\n\nPer-PID Stats:\n" + wrapped
        #expect(try rows(report).rows == (try rows(walls).rows))
    }
}
