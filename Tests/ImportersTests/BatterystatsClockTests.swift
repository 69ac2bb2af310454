// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Workload

@testable import Importers

/// Clocks that are set while a history is written: the phone goes on, no state ends, and distances are kept.
@Suite struct BatterystatsClockTests {
    private func rows(_ text: String) throws -> (rows: [String], start: String, notes: [String]) {
        var options = BatterystatsOptions()
        options.recording.zone = "UTC"
        let file = try importBatterystats(bytes: Array(text.utf8), name: "h.txt", options)
        let rows = file.events.map { "\($0.time.seconds) \($0.kind)" }.filter { !$0.hasSuffix("network") }
        return (rows, file.start, file.notes)
    }

    /// A session of an hour on a charger, with lines in between; they may be several.
    private func offsets(_ lines: String...) -> String {
        let head = """
            Battery History (1% used, 3KB used of 512KB, 9 strings using 300):
                                0 (10) RESET:TIME: 2026-05-04-09-00-00
                                0 (2) 090 status=charging plug=ac +running +wifi +screen top=u0a90:"org.example.reader"
            """
        let tail = """
                  +40m00s000ms (2) 092 top=u0a91:"org.example.maps"
                +1h00m00s000ms (2) 093 -screen
                +1h30m00s000ms (2) 093 plug=none
            """
        return ([head] + lines + [tail]).joined(separator: "\n")
    }

    private let whole = [
        "32400.0 plug", "32400.0 unlock", "32400.0 open", "34800.0 open", "36000.0 lock", "37800.0 unplug",
    ]

    @Test(arguments: [
        "2026-05-04-09-20-02", "2026-05-04-09-20-03", "2026-05-04-09-20-43", "2026-05-04-10-20-00",
        "2026-05-04-19-20-00", "2026-05-06-09-20-00", "2027-05-04-09-20-00", "2026-05-04-09-19-57",
        "2026-05-04-08-20-00", "2026-05-03-09-20-00", "2020-01-01-00-00-00", "2026-05-04-09-20-03-250",
    ]) func `wherever one clock is set to, the session goes on`(stamp: String) throws {
        let found = try rows(offsets("      +20m00s000ms (10) TIME: " + stamp))
        #expect(found.rows == whole && found.start == "2026-05-04")
    }

    @Test func `several corrections, forward and back, change nothing`() throws {
        let found = try rows(
            offsets(
                "      +5m00s000ms (10) TIME: 2026-05-04-11-05-00", "      +10m00s000ms (10) TIME: 2026-05-04-09-10-00",
                "      +15m00s000ms (10) TIME: 2026-05-04-06-15-00", "      +20m00s000ms (10) TIME: 2026-05-05-06-20-00"
            ))
        #expect(found.rows == whole)
        #expect(
            found.notes.suffix(2) == [
                "the clock was set forward; this change is ignored", "the clock was set back; this change is ignored",
            ])
    }

    @Test func `a clock that was wrong by years moves what came before it`() throws {
        let found = try rows(offsets("      +20m00s000ms (10) TIME: 2029-01-01-10-00-00"))
        // 10:00 is 20 minutes after the first entry.
        #expect(found.start == "2029-01-01" && found.rows.first == "34800.0 plug" && found.rows.count == 6)
        #expect(found.rows[4] == "38400.0 lock")
    }

    @Test func `a clock that nobody has set yet says nothing`() throws {
        let text = offsets("      +20m00s000ms (10) TIME: 2026-05-04-09-20-00").replacing(
            "RESET:TIME: 2026-05-04-09-00-00", with: "RESET:TIME: 1970-01-01-00-00-13")
        let found = try rows(text)
        #expect(found.rows == whole && found.start == "2026-05-04")
    }

    @Test func `only a restart ends the session, and then the clock tells how long the phone was off`() throws {
        let restart = "      +20m00s000ms (7) START\n      +20m00s000ms (10) TIME: "
        let found = try rows(offsets(restart + "2026-05-04-12-20-00"))
        #expect(found.rows.contains("32400.0 lock") && found.rows.contains { $0.hasSuffix("restart") })
        #expect(found.rows.last == "48600.0 unplug")
        // Two hours ahead before the restart: the phone was off for three hours, not for five.
        let ahead = try rows(
            offsets("      +10m00s000ms (10) TIME: 2026-05-04-11-10-00", restart + "2026-05-04-14-20-00"))
        #expect(ahead.rows.last == "48600.0 unplug")
        // Three hours back before it, and off for one hour.
        let behind = try rows(
            offsets("      +10m00s000ms (10) TIME: 2026-05-04-06-10-00", restart + "2026-05-04-07-20-00"))
        #expect(behind.rows.last == "41400.0 unplug")
    }

    @Test func `a shutdown moves with the entries before it when the clock had been wrong by years`() throws {
        let found = try rows(
            offsets(
                "      +20m00s000ms (2) SHUTDOWN", "      +20m00s000ms (7) START",
                "      +20m00s000ms (10) TIME: 2029-01-01-10-00-00"))
        // The phone was off from 10:00 to the next entry at 10:20, and not from the last entry at 9:40.
        #expect(found.rows.contains("36000.0 restart") && found.start == "2029-01-01")
    }

    /// Each pair of stamps moves the counted time by 364 days, and 64 bits of nanoseconds hold 292 years.
    @Test func `a clock that is set back and forward at 300 restarts is followed until 2100 and no further`() throws {
        let pair = [
            "      +20m00s000ms (10) TIME: 2026-12-31-09-20-00", "      +20m00s000ms (10) TIME: 2026-01-01-09-20-00",
        ]
        let restart = ["      +20m00s000ms (7) START"]
        let lines = restart + Array(repeating: pair, count: 300).flatMap { $0 }
        let error = #expect(throws: Diagnostics.self) { try rows(offsets(lines.joined(separator: "\n"))) }
        #expect(error?.list.map(\.message) == ["the rows span 26813 days, from 2026-05-04 on"])
    }

    @Test func `steps of the short form keep their distances too`() throws {
        func checkin(_ milliseconds: Int) -> String {
            """
            9,hsp,0,10001,"com.example.a"
            9,h,0:RESET:TIME:1739210296453
            9,h,0,Bl=100,Bs=c,Bp=u,+r,+S,+W,Etp=0
            9,h,600000:TIME:\(1_739_210_896_453 + milliseconds)
            9,h,600000,-S
            9,h,600000,Bp=n
            """
        }
        let plain = try rows(checkin(0)).rows
        #expect(plain.map { $0.split(separator: " ")[1] } == ["plug", "unlock", "open", "lock", "unplug"])
        for milliseconds in [3000, 7_200_000, -3000, -7_200_000] {
            #expect(try rows(checkin(milliseconds)).rows == plain)
        }
    }

    @Test func `a history without levels does not end with an empty battery`() throws {
        let text = "9,h,0:RESET:TIME:1739210296453\n9,h,0,+S\n9,h,600000,-S\n"
        var options = BatterystatsOptions()
        options.recording.zone = "UTC"
        let file = try importBatterystats(bytes: Array(text.utf8), name: "h.txt", options)
        #expect(file.events.count { $0.kind == .unlock } == 1 && file.response.levels.isEmpty)
    }

    @Test func `a wall clock set back on its own line keeps the distances behind it`() throws {
        let text = """
            Battery History [Format: 2] (1% used, 42KB used of 4096KB, 15 strings using 797):
              07-23 12:00:00.000 TIME: 2026-07-23-12-00-00
              07-23 12:00:00.000 093 plug=none +running +wifi +screen top=u0a231:"com.example.a"
              07-23 12:10:00.000 092 top=u0a232:"com.example.b"
              07-23 12:09:30.000 TIME: 2026-07-23-12-09-30
              07-23 12:19:30.000 091 -screen
            """
        #expect(try rows(text).rows == ["43200.0 unlock", "43200.0 open", "43800.0 open", "44400.0 lock"])
        let ahead = text.replacing("12:09:30", with: "14:10:00").replacing("12-09-30", with: "14-10-00")
            .replacing("12:19:30", with: "14:20:00")
        // How long before it was set forward the last entry was, this form does not tell; the state goes on.
        #expect(
            try rows(ahead).rows.map { $0.split(separator: " ")[1] } == ["unlock", "open", "open", "lock"])
    }
}
