// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Processes
import Quantities
import TestSupport
import Testing

@testable import Importers

/// The state that `dumpsys meminfo` tells: every process in its band, and pages that add up to the memory.
@Suite struct MeminfoStartTests {
    private static let head = "MemTotal: 7668992 kB\nSwapTotal: 3067592 kB\n"
    private static let list = """
        Total PSS by process:
            400,000K: com.example.video (pid 1 / activities)
            300,000K: system (pid 2)                                     (   50,000K in swap)
            200,000K: com.example.chat (pid 3)                           (  120,000K in swap)
             90,000K: com.example.music (pid 4)
             80,000K: com.example.mail (pid 5)
             60,000K: com.example.mail (pid 6)
             40,000K: com.example.home (pid 7 / activities)
             30,000K: com.example.sync (pid 8)
        Total PSS by OOM adjustment:
            300,000K: Persistent
                300,000K: system (pid 2)                                     (   50,000K in swap)
            400,000K: Foreground
                400,000K: com.example.video (pid 1 / activities)
             90,000K: Perceptible
                 90,000K: com.example.music (pid 4)
             30,000K: B Services (3,000K in swap)
                 30,000K: com.example.sync (pid 8)
             40,000K: Home
                 40,000K: com.example.home (pid 7 / activities)
            340,000K: Cached
                200,000K: com.example.chat (pid 3)                           (  120,000K in swap)
                 80,000K: com.example.mail (pid 5)
                 60,000K: com.example.mail (pid 6)
        Total RAM: 7,668,992K (status normal)
         Free RAM: 3,214,872K (  340,000K cached pss + 2,600,000K cached kernel +   214,872K free)
             ZRAM:   100,000K physical used for   250,000K in swap (3,067,592K total swap)

        """
    private static let starts = """
        == dumpstate: 2026-09-14 12:00:00
        --------- beginning of events
        09-14 08:00:00.000  1000  1411  2589 I am_proc_start: [0,5,10101,com.example.mail,next-top-activity,{a}]
        09-14 11:00:00.000  1000  1411  2589 I am_proc_start: [0,3,10102,com.example.chat,next-top-activity,{a}]
        09-14 12:00:00.000  1000  1411  2589 I am_low_memory: 31

        """

    private func phone(_ text: String) throws -> RecordedPhone {
        let scratch = try TemporaryFolder()
        try scratch.write("report.txt", text)
        return try readPhone(paths: [scratch.path + "/report.txt"], RecordingOptions())
    }

    private func kib(_ count: Int64) -> ByteCount { ByteCount(count * 1024) }

    @Test func `processes stand in their bands, the one used longest ago first`() throws {
        let start = try #require(try phone(Self.head + Self.starts + Self.list).start { $0 })
        #expect(
            start.processes.map(\.name) == [
                "com.example.music", "com.example.sync", "com.example.mail", "com.example.mail-6", "com.example.chat",
                "com.example.home", "com.example.video",
            ])
        #expect(start.processes.map(\.process.traits.band) == [120, 40, 0, 0, 0, 0, 0])
        #expect(start.processes.map(\.process.age.seconds) == [604_800, 604_800, 14_400, 14_400, 3600, 0, 0])
        let chat = start.processes[4].process
        #expect(chat.footprint == kib(200_000) && chat.compressed == kib(120_000) && chat.isSuspended)
        let note = "2 of 7 processes were not used in the recording, so they count as the least recently used."
        #expect(start.notes.last == note)
    }

    @Test func `the pages of the machine add up to the memory`() throws {
        let memory = try #require(try phone(Self.head + Self.list).start { $0 }).memory
        #expect(memory.ram == .gibibytes(8) && memory.reserved == .zero)
        #expect(memory.compressorRatio == 2.5 && memory.compressorLimit == kib(3_067_592))
        // 250,000 KiB are swapped: 120,000 of apps, 50,000 of the listed system, the rest of nobody in the list.
        #expect(memory.systemFootprint == kib(300_000 + 80_000))
        #expect(abs(memory.systemCompressedShare - 130.0 / 380) < 1e-12)
        // Apps 900,000 of which 120,000 are swapped, the system 250,000 resident, the pool 100,000, 2,814,872 free.
        #expect(memory.wired == kib(8_388_608 - 780_000 - 250_000 - 100_000 - 2_814_872))
        #expect(memory.fileCacheMinimum == kib(2_814_872))
    }

    @Test func `of several lists the last one counts`() throws {
        let phone = try phone(Self.head + Self.list + Self.list.replacing("400,000K: com", with: "410,000K: com"))
        #expect(phone.standing.count == 8 && phone.standing[0].footprint == kib(410_000))
        #expect(phone.standing.map(\.band).suffix(3) == ["Cached", "Home", "B Services"])
    }

    @Test func `a list without what is free, or with more than the memory, makes no state`() throws {
        #expect(try phone(Self.head + Self.list.replacing(" Free RAM", with: " Lost RAM")).start { $0 } == nil)
        let small = Self.list.replacing("2,600,000K cached kernel", with: "7,600,000K cached kernel")
        #expect { try phone(Self.head + small).start { $0 } } throws: {
            "\($0)".contains("add up to more than the memory of the phone")
        }
    }
}
