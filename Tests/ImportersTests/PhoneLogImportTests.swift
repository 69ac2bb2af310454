// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Quantities
import Testing
import Workload

@testable import Importers

/// Formats that become a log of what the phone did: usagestats, AWARE, an iPhone's records, mapped tables.
@Suite struct PhoneLogImportTests {
    private func table(_ text: String, _ separator: UInt8? = nil) throws -> ForeignTable {
        try ForeignTable(name: "t", bytes: Array(text.utf8), separator: separator)
    }

    private func rows(_ file: WorkloadFile) -> [String] {
        let lines = String(decoding: file.encoded(), as: UTF8.self).split(separator: "\n").map(String.init)
        return lines.filter { !$0.hasPrefix("#") && !$0.hasPrefix("t_s") }
    }

    private let dump = """
          Last 24 hour events (timeRange="10/25/2025, 9:00 PM – 10/26/2025, 9:00 PM" )
            time="2025-10-25 23:10:00" type=SCREEN_INTERACTIVE package=android flags=0x0\u{20}
            time="2025-10-25 23:10:01" type=KEYGUARD_HIDDEN package=android flags=0x0\u{20}
            time="2025-10-25 23:10:02" type=ACTIVITY_RESUMED package=com.example.launcher class=Home flags=0x0\u{20}
            time="2025-10-25 23:10:05" type=ACTIVITY_RESUMED package=com.example.chat class=Main flags=0x0\u{20}
            time="2025-10-25 23:14:05" type=ACTIVITY_RESUMED package=com.android.photopicker class=Main \
        taskRootPackage=com.example.chat flags=0x0\u{20}
            time="2025-10-25 23:30:00" type=SCREEN_NON_INTERACTIVE package=android flags=0x0\u{20}
            time="2025-10-25 23:30:00" type=ACTIVITY_PAUSED package=com.example.chat class=Main flags=0x0\u{20}
            time="2025-10-26 02:40:00" type=STANDBY_BUCKET_CHANGED package=com.example.mail standbyBucket=20\u{20}
            time="2025-10-26 07:05:00" type=NOTIFICATION_INTERRUPTION package=com.example.mail channelId=new\u{20}
            time="2025-10-26 07:06:00" type=SCREEN_INTERACTIVE package=android flags=0x0\u{20}
            time="2025-10-26 07:06:30" type=DEVICE_SHUTDOWN package=android flags=0x0\u{20}
          In-memory daily stats
              package=com.example.chat totalTimeUsed="19:43" lastTimeUsed="2025-10-25 23:30:00" appLaunchCount=2\u{20}
        """

    @Test func `events of usage become sessions, apps and notifications`() throws {
        let expected = [
            "83400,unlock,,", "83402,home,com.example.launcher,", "83405,open,com.example.chat,1195", "84600,lock,,",
            "111900,notification,com.example.mail,", "111960,unlock,,locked=1", "111990,lock,,",
        ]
        let once = try importUsagestats(tables: [try table(dump, 0)], RecordingOptions())
        #expect(rows(once) == expected && once.start == "2025-10-25")
        // Two dumps of a day overlap.
        let twice = try importUsagestats(tables: [try table(dump, 0), try table(dump, 0)], RecordingOptions())
        #expect(rows(twice) == expected)
    }

    @Test func `a phone that was switched off is off until it starts, or until something is logged`() throws {
        let start = "            time=\"2025-10-26 07:08:00\" type=DEVICE_STARTUP package=android flags=0x0\n"
        let after = "            time=\"2025-10-26 07:09:00\" type=SCREEN_INTERACTIVE package=android flags=0x0\n"
        func restarts(_ more: String) throws -> [String] {
            let text = dump.replacing("  In-memory", with: more + "  In-memory")
            return rows(try importUsagestats(tables: [try table(text, 0)], RecordingOptions()))
                .filter { $0.contains("restart") }
        }
        #expect(try restarts(start + after) == ["111990,restart,,90"])
        #expect(try restarts(after) == ["111990,restart,,150"])
        // One that starts without having been switched off had crashed.
        let crash = dump.replacing("NOTIFICATION_INTERRUPTION package=com", with: "DEVICE_STARTUP package=com")
        let found = rows(try importUsagestats(tables: [try table(crash, 0)], RecordingOptions()))
        #expect(found.filter { $0.contains("restart") } == ["111900,restart,,"])
    }

    @Test func `AWARE's apps and notifications are read, in milliseconds`() throws {
        let screen =
            "_id,timestamp,device_id,screen_status\n1,1700000000123.0,a,1\n2,1700000000425.0,a,3\n"
            + "3,1700000095123.0,a,0\n"
        let apps =
            "timestamp,device_id,package_name,application_name,is_system_app\n"
            + "1700000000923,a,com.example.mail,Mail,0\n1700000040000,a,com.android.systemui,System UI,1\n"
        let file = try importAware(tables: [try table(apps), try table(screen)], RecordingOptions(zone: "UTC"))
        #expect(
            rows(file) == [
                "80000.123,unlock,,", "80000.923,open,com.example.mail,39.077", "80040,home,com.android.systemui,",
                "80095.123,lock,,",
            ])
    }

    @Test func `rows of two phones are refused, or one is picked`() throws {
        let text = "timestamp,device_id,screen_status\n1700000000,android,1\n1700000010,ios,0\n1700000100,android,0\n"
        #expect {
            try importAware(tables: [table(text)], RecordingOptions(zone: "UTC"))
        } throws: { "\($0)".contains("--user android or --user ios picks one") }
        var options = RecordingOptions(zone: "UTC")
        options.user = "android"
        #expect(rows(try importAware(tables: [try table(text)], options)) == ["80000,unlock,,", "80100,lock,,"])
    }

    @Test func `sessions of the hour that comes twice stay what they were`() throws {
        // The clocks of Helsinki went back on 2019-10-27 at 01:00 UTC.
        let text = "time,screen_status\n1572135000,1\n1572137400,0\n1572139200,1\n1572140400,0\n"
        let file = try importAware(tables: [try table(text)], RecordingOptions(zone: "Europe/Helsinki"))
        #expect(file.screenSessions.map(\.seconds) == [2400, 1200] && file.start == "2019-10-27")
        #expect(
            file.notes == ["the zone's clocks changed during the recording, but later times keep the earlier offset"])
    }

    private let knowledge = """
        ZSTREAMNAME,ZVALUESTRING,ZVALUEINTEGER,ZSTARTDATE,ZENDDATE
        /display/isBacklit,,1,700000000,700000066.5
        /device/isLocked,,0,700000001,700000066
        /app/inFocus,com.apple.springboard,,700000001,700000002
        /app/inFocus,com.apple.mobilesafari,,700000002,700000062.5
        /app/usage,com.apple.mobilesafari,,700000002,700000062.5
        /device/batteryPercentage,,78,700000010,700000010
        /device/isPluggedIn,,1,700000100,700004000
        """

    private func usage(_ text: String) throws -> WorkloadFile {
        var usage = IOSUsage()
        try usage.read(HeldBytes(Array(text.utf8)), from: "z.csv")
        return try usage.workload(RecordingOptions(zone: "UTC"))
    }

    @Test func `an iPhone's knowledgeC is read by its streams`() throws {
        let file = try usage(knowledge)
        #expect(file.start == "2023-03-08")
        #expect(
            rows(file) == [
                "73600,unlock,,", "73602,open,com.apple.mobilesafari,60.5", "73666.5,lock,,", "73700,plug,,level=0.78",
                "77600,unplug,,0.78",
            ])
    }

    @Test func `an iPhone's charge of a night is one charge`() throws {
        let file = try usage(knowledge.replacing("700004000", with: "700028900"))
        #expect(rows(file).suffix(2) == ["73700,plug,,level=0.78", "102500,unplug,,0.78"])
    }

    @Test(arguments: ["ios-usage-1.segb", "ios-usage-2.segb"])
    func `both versions of an iPhone's streams hold the same records`(name: String) throws {
        let corpus = FilePath.folder(of: FilePath.folder(of: #filePath)) + "/ImporterFuzzing/Corpus/"
        let file = try importIOSUsage(paths: [corpus + name], RecordingOptions(zone: "Europe/Paris"))
        #expect(file.events.count == 72 && file.apps.count == 4 && file.start == "2025-01-31")
        // What iLEAPP prints of the same file.
        #expect(rows(file).prefix(3) == ["29200,unlock,,", "29200,open,com.example.chat,6.5", "29206.5,lock,,"])
    }

    @Test func `a database of AWARE and the text of its tables are the same`() throws {
        let corpus = FilePath.folder(of: FilePath.folder(of: #filePath)) + "/ImporterFuzzing/Corpus/"
        let file = try importAware(paths: [corpus + "aware.sqlite"], RecordingOptions(zone: "UTC"))
        #expect(
            rows(file) == [
                "80000.123,unlock,,", "80000.123,plug,,level=0.5", "80095.123,lock,,", "80600.123,unplug,,0.5",
            ])
    }

    @Test func `any table is read by a map of its columns`() throws {
        let text =
            "ts;what;app;level;charging\n1700000000123;screen_on;;81;0\n1700000001123;opened;Mail;81;0\n"
            + "1700000301123;closed;Mail;80;0\n1700000302123;screen_off;;80;1\n1700000902123;notification;Chat;83;0\n"
        var options = MappedTableOptions(
            map: try ColumnMap("time=ts,event=what,app=app,level=level,charging=charging"))
        #expect {
            try importMappedTable(tables: [table(text)], options)
        } throws: { "\($0)".contains("add the phone's zone, for instance --zone") }
        options.recording.zone = "UTC"
        options.unit = "ms"
        let file = try importMappedTable(tables: [try table(text)], options)
        #expect(
            rows(file) == [
                "80000.123,unlock,,", "80001.123,open,Mail,300", "80302.123,lock,,", "80302.123,plug,,level=0.8",
                "80902.123,notification,Chat,", "80902.123,unplug,,0.8",
            ])
        options.unit = "s"
        #expect(throws: Diagnostics.self) { try importMappedTable(tables: [table(text)], options) }
    }

    @Test(arguments: [
        ("tim=a,app=b", "did you mean time=COLUMN?"), ("time=a", "needs time and at least"), ("time", "mean time="),
        ("app=b", "needs time"),
    ])
    func `a map that says too little is explained`(text: String, word: String) {
        #expect { try ColumnMap(text) } throws: { "\($0)".contains(word) }
    }

    /// The five rows that the page of LSApp prints are of this form.
    @Test func `LSApp's rows are sessions of their apps`() throws {
        let text =
            "user_id\tsession_id\ttimestamp\tapp_name\tevent_type\n0\t1\t2018-01-16 06:01:05\tNotes\tOpened\n"
            + "0\t1\t2018-01-16 06:04:05\tNotes\tClosed\n0\t2\t2018-01-16 06:25:54\tMail\tUser Interaction\n"
            + "0\t2\t2018-01-16 06:26:05\tSearch\tOpened\n0\t2\t2018-01-16 06:26:05\tSearch\tBroken\n"
            + "0\t2\t2018-01-16 06:27:00\tSearch\tClosed\n"
        let file = try importMappedTable(tables: [try table(text)], MappedTableOptions(map: .lsapp))
        #expect(
            rows(file) == [
                "21665,unlock,,", "21665,open,Notes,180", "21845,lock,,", "23154,unlock,,", "23154,open,Mail,11",
                "23165,open,Search,55", "23220,lock,,",
            ])
    }

    @Test func `an export of ActivityWatch counts what its phone watched`() throws {
        let text = """
            {"buckets": {"aw-watcher-android-test": {"type": "currentwindow", "events": [
            {"timestamp": "2025-03-29T11:33:24.430Z", "duration": 95.0, "data": {"app": "Mail", "package": "a.mail"}},
            {"timestamp": "2025-03-29T11:30:00+00:00", "duration": 60, "data": {"app": "Chat"}}]},
            "aw-watcher-window_desk": {"type": "currentwindow", "events": [
            {"timestamp": "2025-03-29T11:00:00Z", "duration": 9, "data": {"app": "Editor"}}]}}}
            """
        let file = try importActivityWatch(
            SourceText(name: "a.json", text: text), RecordingOptions(zone: "Europe/Paris"))
        #expect(
            rows(file) == [
                "45000,unlock,,", "45000,open,Chat,60", "45060,lock,,", "45204.43,unlock,,", "45204.43,open,a.mail,95",
                "45299.43,lock,,",
            ])
    }

    @Test func `a clock that was wrong for a row does not make a recording of years`() throws {
        let text = "time,screen_status\n1200000000,1\n1200000060,0\n1700000000,1\n1700000060,0\n"
        #expect {
            try importAware(tables: [table(text)], RecordingOptions(zone: "UTC"))
        } throws: { "\($0)".contains("the rows span 5787 days, from 2008-01-10 on") }
    }
}
