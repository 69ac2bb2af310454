// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Foundation
import Quantities
import TestSupport
import Testing
import Workload

@testable import Importers

/// What a phone gives away: each file is known by what it holds, and tells of the phone what stands in it.
@Suite struct PhoneFilesTests {
    private static let folder = FilePath.folder(of: #filePath) + "/PhoneFiles/"

    private func phone(_ names: String...) throws -> RecordedPhone {
        try readPhone(paths: names.map { Self.folder + $0 }, RecordingOptions())
    }

    @Test func `a bug report tells of the phone`() throws {
        let phone = try phone("bugreport-parts.txt")
        #expect(phone.platform == .android && phone.product == "Pixel 7" && phone.system == "14")
        #expect(phone.memory == .gibibytes(8) && phone.swap == ByteCount(3_067_592 * 1024))
        #expect(phone.capacity == 4270)
    }

    @Test func `a bug report tells of apps`() throws {
        let apps = try phone("bugreport-parts.txt").apps
        let chat = try #require(apps["com.example.chat"])
        // 142,000 KiB and 31,500 KiB of two processes, each once although two lists have it.
        #expect(chat.footprint == ByteCount(173_500 * 1024) && chat.backgroundFootprint == chat.footprint)
        #expect(chat.processes == ["com.example.chat", "com.example.chat:push"] && chat.isUnrestricted)
        let video = try #require(apps["com.example.video"])
        #expect(video.footprint == ByteCount(312_456 * 1024) && video.backgroundFootprint == nil)
        #expect(!video.isUnrestricted)
        let mail = try #require(apps["com.example.mail"])
        #expect(mail.periods == [.minutes(15)] && mail.alarms == 34)
        #expect(apps["com.example.news"]?.periods == [.hours(1)])
        #expect(apps["com.android.providers.downloads"] == nil)
    }

    @Test func `a bug report tells of deaths once, with band and reason, and of starts`() throws {
        let phone = try phone("bugreport-parts.txt")
        #expect(
            phone.deaths.map(\.process) == [
                "com.example.news", "com.example.chat", "com.example.game", "com.example.music",
            ])
        #expect(phone.deaths.map(\.band) == [945, 700, 905, 200])
        #expect(phone.deaths[0].reason == "empty #17")
        #expect(phone.deaths[3].reason == "lmkd: device is not responding")
        // 2026-09-14 is day 20,710 since 1970.
        let second: Int64 = 1_000_000_000
        #expect(phone.deaths[0].time == (20_710 * 86400 + 12 * 3600 + 41 * 60 + 2) * second + 777_000_000)
        #expect(phone.starts.map(\.isByUser) == [true, false, true])
        #expect(phone.logged?.lowerBound == (20_710 * 86400 + 6 * 3600 + 54 * 60 + 1) * second)
        #expect(phone.logged?.upperBound == (20_711 * 86400 + 23 * 3600 + 58 * 60) * second)
    }

    @Test func `processes in memory stand in the band under which they are listed`() throws {
        let standing = try phone("bugreport-parts.txt").standing
        #expect(
            standing.map(\.name) == [
                "com.example.video", "system", "com.example.chat", "com.example.chat:push", "com.example.mail",
            ])
        #expect(standing.map(\.band) == ["Foreground", "System", "Cached", "Cached", "Cached"])
    }

    @Test func `a payload of MetricKit tells of its app, whatever parts its thousands`() throws {
        let phone = try phone("metrics.json")
        #expect(phone.platform == .ios && phone.product == "iPhone14,5" && phone.memory == .gibibytes(4))
        let app = try #require(phone.apps["com.example.feed"])
        #expect(app.footprint == ByteCount(412_160 * 1024) && app.backgroundFootprint == ByteCount(98_304 * 1024))
        #expect(app.launch == .milliseconds(2005))
        #expect(
            app.exits == [
                "bg_memory_pressure": 7, "bg_normal": 3, "bg_task_timeout": 2, "fg_memory_limit": 1, "fg_normal": 4,
            ])
        #expect(app.wifiBytes == 110_000 * 1024 && app.cellularBytes == 150_000 * 1024)
    }

    @Test func `payloads of many days add up, one behind the other or in a list`() throws {
        func payload(_ peak: String, _ seconds: String, _ resumes: Int, bars: Int) -> String {
            """
            {"metaData": {"bundleIdentifier": "com.example.feed"}, "memoryMetrics": {"peakMemoryUsage": "\(peak)"},
            "applicationTimeMetrics": {"cumulativeForegroundTime": "\(seconds)"},
            "cellularConditionMetrics": {"cellConditionTime": {"histogramNumBuckets": 1, "histogramValue": {
            "0": {"bucketCount": 20, "bucketStart": "\(bars) bars", "bucketEnd": "\(bars) bars"}}}},
            "applicationLaunchMetrics": {"histogrammedTimeToFirstDrawKey": {"histogramValue": {
            "0": {"bucketCount": 2, "bucketStart": "400 ms", "bucketEnd": "410 ms"}}},
            "histogrammedResumeTime": {"histogramValue": {
            "0": {"bucketCount": \(resumes), "bucketStart": "0 ms", "bucketEnd": "10 ms"}}}}}
            """
        }
        let (one, other) = (payload("1,024 kB", "700.5 sec", 8, bars: 2), payload("3.072 kB", "1.300 sec", 18, bars: 4))
        for text in [one + "\n" + other, "[\(one),\n\(other)]"] {
            let scratch = try TemporaryFolder()
            try scratch.write("days.json", text)
            let phone = try readPhone(paths: [scratch.path + "/days.json"], RecordingOptions())
            let app = try #require(phone.apps["com.example.feed"])
            #expect(app.days == 2 && app.opens == 30 && app.launch == .milliseconds(405))
            #expect(abs(app.foreground - 2000.5) < 1e-9)
            #expect(app.peaks == [.mebibytes(1), .mebibytes(3)] && app.footprint == .mebibytes(3))
            #expect(phone.bars == [2: 20, 4: 20])
        }
    }

    @Test func `metrics of Perfetto tell of memory, kills and cold starts`() throws {
        let phone = try phone("perfetto.json")
        #expect(phone.platform == .android && phone.sources.map(\.form) == ["metrics of Perfetto"])
        let feed = try #require(phone.apps["com.example.feed"])
        // 240 MiB with what is swapped, and the push process's 20 and 10; on average 160 and 15 and 5.
        #expect(feed.footprint == .mebibytes(270) && feed.backgroundFootprint == .mebibytes(180))
        #expect(feed.processes == ["com.example.feed", "com.example.feed:push"])
        // Of two cold starts the shorter one has half of them; the warm one is an open alone.
        #expect(feed.launch == .milliseconds(812) && feed.opens == 3)
        let chat = try #require(phone.apps["com.example.chat"])
        #expect(chat.footprint == .mebibytes(2) && chat.launch == .milliseconds(300))
        #expect(phone.apps.count == 2)
        #expect(phone.deaths.map(\.band) == [900, 900, 900, 100, 0] && phone.deaths.allSatisfy { $0.reason == "lmkd" })
    }

    @Test func `metrics of Perfetto without one that is read are refused with how to make them`() throws {
        let source = SourceText(name: "m.json", text: "{\"android_cpu\": {}}")
        #expect { try PerfettoMetrics(source) } throws: { "\($0)".contains("--run-metrics android_mem,android_lmk") }
    }

    @Test(arguments: [
        ("--------- beginning of events\n", PhoneFiles.Form.dump),
        ("[ro.product.model]: [X]\n", .dump), ("9,h,0,Bl=90\n", .dump),
        ("time=\"2026-05-03 19:18:20\" type=ACTIVITY_RESUMED package=a.b\n", .dump),
        ("<?xml version=\"1.0\"?><device name=\"Android\"></device>", .powerProfile),
        ("timestamp,node,component,Energy\n", .powerlog), ("ID,timestamp,NodeID,RootNodeID\n", .powerlog),
        ("Start\tEnd\tBundle ID\n", .usage), ("\"App name\",\"Date\",\"Time\",\"Duration\"\n", .appUsage),
        ("timestamp,device_id,battery_status,battery_level\n", .aware), ("{\"bug_type\":\"298\"}\n", .jetsamReport),
        ("{\"buckets\": {}}", .activityWatch), ("{\"metaData\": {}}", .metrics), ("[{\"metaData\": {}}]", .metrics),
        ("{\"android_lmk\": {}}", .perfetto),
    ]) func `a file is known by what it begins with`(text: String, form: PhoneFiles.Form) throws {
        let scratch = try TemporaryFolder()
        // A line of a log alone says nothing: what it tells of a process does.
        let log = "09-14 12:41:02.777  1000  1411 I am_kill : [0,1,com.example.news,945,empty #17,1]\n"
        try scratch.write("f", text.hasPrefix("-----") ? text + log : text)
        #expect(try PhoneFiles.form(of: scratch.path + "/f") == form)
    }

    @Test(arguments: ["", "a,b\n1,2\n", "hello\n", "{\"a\": 1}", "<html></html>"])
    func `what is no recording is refused by its name`(text: String) throws {
        let scratch = try TemporaryFolder()
        try scratch.write("odd.txt", text)
        #expect { try readPhone(paths: [scratch.path + "/odd.txt"], RecordingOptions()) } throws: { error in
            "\(error)".contains("odd.txt is not a recording of a phone in a known format")
        }
    }

    @Test func `of a folder what is no recording is left out, links are not followed`() throws {
        let scratch = try TemporaryFolder()
        let parts = try SourceText.unpacked(path: Self.folder + "bugreport-parts.txt").text
        try scratch.makeFolder("logs/deep")
        try scratch.write("logs/deep/bugreport.txt", parts)
        try scratch.write("logs/notes.txt", "hello\n")
        #expect(symlink(scratch.path + "/logs/deep/bugreport.txt", scratch.path + "/logs/link.txt") == 0)
        let phone = try readPhone(paths: [scratch.path + "/logs"], RecordingOptions())
        #expect(phone.sources.map(\.form) == ["dump of an Android phone"])
        #expect(phone.notes.contains("left out, because they are not recordings: notes.txt"))
    }

    @Test func `a list ends with its file`() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("deviceidle.txt", "Whitelist user apps:\n  com.example.chat\n")
        try scratch.write("properties.txt", "[ro.product.model]: [Pixel 7]\ncom.example.other\n")
        let paths = ["deviceidle.txt", "properties.txt"].map { scratch.path + "/" + $0 }
        let phone = try readPhone(paths: paths, RecordingOptions())
        #expect(phone.apps.keys.sorted() == ["com.example.chat"] && phone.product == "Pixel 7")
    }

    @Test func `a battery and a memory of no phone are not taken`() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("emulator.txt", "Estimated battery capacity: 1000 mAh\nMemTotal: 131072 kB\n")
        let phone = try readPhone(paths: [scratch.path + "/emulator.txt"], RecordingOptions())
        #expect(phone.capacity == nil)
        #expect(phone.notes.contains("no phone has a battery of 1000 mAh, so the value is ignored"))
    }

    @Test(arguments: [("3900", 4333), ("3900000", nil)] as [(String, Int?)])
    func `a charge in microampere-hours is no capacity of a phone`(charge: String, capacity: Int?) throws {
        let text = """
            Battery History [Format: 2] (12% used, 520KB used of 4096KB, 40 strings using 2KB):
              09-14 08:00:00.000 RESET:TIME: 2026-09-14-08-00-00
              09-14 08:00:00.000 090 status=discharging charge=\(charge) +screen top=u0a1:"com.example.chat"
              09-14 08:10:00.000 089 -screen
            """
        let scratch = try TemporaryFolder()
        try scratch.write("history.txt", text)
        let phone = try readPhone(paths: [scratch.path + "/history.txt"], RecordingOptions())
        #expect(phone.capacity.map { Int($0) } == capacity)
    }

    @Test func `in a bug report the history begins at its heading, not at a log`() throws {
        let text = """
            09-14 06:54:01.000  1000  1411 I am_proc_bound: [0,1500,com.android.systemui]
            Battery History [Format: 2] (12% used, 520KB used of 4096KB, 40 strings using 2KB):
              09-14 08:00:00.000 RESET:TIME: 2026-09-14-08-00-00
              09-14 08:00:00.000 090 status=discharging charge=3900 +screen top=u0a1:"com.example.chat"
              09-14 08:10:00.000 089 -screen +job=u0a1:"com.example.chat/.Sync"
              09-14 08:20:00.000 088 +job=u0a2:"@SyncManager@com.example.mail/com.example:jane@example.org"
            DUMP OF SERVICE other:
            09-14 23:00:00.000  1000  1411 I am_low_memory: 31
            """
        let file = try importBatterystats(bytes: Array(text.utf8), name: "b.txt", BatterystatsOptions())
        #expect(file.covered.upperBound == .zero + .hours(8) + .minutes(20))
        #expect(file.response.levels.map(\.level) == [0.9, 0.89, 0.88, 0.88])
        #expect(file.response.jobs.map(\.app) == ["com.example.chat", "com.example.mail"])
        // 3900 mAh at 90 %.
        #expect(abs((file.response.fullCharge ?? 0) - 4333.3) < 0.1)
        #expect(file.response.level(at: .zero + .hours(8) + .minutes(5)) == 0.895)
    }
}
