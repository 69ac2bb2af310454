// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// What apps write, what the system purges, and what fails for want of room.
@Suite struct StorageTests {
    private static let app = AppID(0)

    /// A day on which nothing grows but what a test says.
    ///
    /// - Parameters:
    ///   - free: In megabytes.
    ///   - caches: What each app has at the start, in megabytes; with nothing there is nothing to purge.
    static func day(
        _ rows: [String], free: Double, caches: Int64 = 100, _ change: (inout AppModel) -> Void = { _ in }
    ) -> ScriptedDay {
        var day = ScriptedDay.plain(["0,network,,wifi"] + rows)
        var disk = DiskParameters()
        disk.free = ByteCount(Int64(free * 1e6))
        (disk.photosPerDay, disk.reserveSigma) = (.zero, 0)
        (disk.purgeBelow, disk.purgeUntil) = (ByteCount(500_000_000), ByteCount(590_000_000))
        day.device.disk = disk
        for index in day.apps.indices {
            day.apps[index].files.updatesPerMonth = 0
            day.apps[index].files.caches = ByteCount(caches * 1_000_000)
            day.apps[index].files.documentsPerHour = ByteCount(6_000_000)
            day.apps[index].files.cachesPerHour = ByteCount(60_000_000)
            day.apps[index].files.temporaryPerHour = ByteCount(12_000_000)
        }
        change(&day.apps[0])
        return day
    }

    private static let visit = ["100,unlock,,", "100,open,app-0,600", "3000,lock,,"]

    @Test func `F53: a visit writes by its length`() throws {
        let (outcome, rows) = try Self.day(Self.visit, free: 9000).run(tables: [.disk, .events])
        let active = try #require(rows.events.first { $0.event == .becomeActive }).time
        let hours = (700 - active.seconds) / 3600
        #expect(rows.disk.map(\.event) == [.begin, .write, .write, .write])
        #expect(rows.disk.dropFirst().map(\.time) == Array(repeating: .zero + .seconds(700), count: 3))
        let bytes = rows.disk.dropFirst().map { Double($0.bytes.bytes) }
        for (found, rate) in zip(bytes, [6e6, 60e6, 12e6]) { #expect(abs(found - rate * hours) < 1) }
        #expect(rows.disk[3].free == ByteCount(9_000_000_000) - ByteCount(Int64(bytes.reduce(0, +))))
        #expect(abs(outcome("disk_written_bytes_per_day") - bytes.reduce(0, +)) < 1e-6)
        // Until 700 s all is free, then less by what was written.
        let lost = bytes.reduce(0, +) / 1_048_576 * (86400 - 700) / 86400
        #expect(abs(outcome("disk_free_mib_mean") - (9e9 / 1_048_576 - lost)) < 1e-6)
    }

    @Test func `caches at the limit of their app take no more room, and are written all the same`() throws {
        let day = Self.day(Self.visit, free: 9000) { $0.files.cachesLimit = ByteCount(104_000_000) }
        let rows = try day.run(tables: [.disk]).rows.disk
        #expect(rows[2].bytes.bytes > 9_900_000)
        #expect(rows[1].free - rows[2].free == ByteCount(4_000_000))
    }

    /// Apps 1, 2 and 0 are used one after another; the last visit brings the free space below 500 MB.
    private static let three = [
        "100,unlock,,", "100,open,app-1,60", "1000,open,app-2,60", "2000,open,app-0,600", "5000,open,app-1,60",
        "6000,lock,,",
    ]

    @Test func `F53: little room takes the caches of the app that was on screen longest ago`() throws {
        let (outcome, rows) = try Self.day(Self.three, free: 513).run(tables: [.disk, .events])
        let purges = rows.disk.filter { $0.event == .purgeCaches }
        #expect(purges.map(\.app) == [AppID(1)] && purges.map(\.time) == [.zero + .seconds(2600)])
        let written = rows.disk.filter { $0.app == AppID(1) && $0.event == .write && $0.time < purges[0].time }
        let first = try #require(written.max { $0.bytes < $1.bytes })
        #expect(purges.map(\.bytes) == [ByteCount(100_000_000) + first.bytes])
        // Its process was suspended, and ended for it.
        let end = try #require(rows.events.first { $0.event == .exit })
        #expect(end.app == AppID(1) && end.exit == .normal && end.time == .zero + .seconds(2600))
        #expect(outcome("cache_purges_per_day") == 1)
        #expect(outcome("purged_bytes_per_day") == Double(purges[0].bytes.bytes))
    }

    @Test func `the largest caches go first where the system begins with them`() throws {
        var day = Self.day(Self.three, free: 513)
        day.device.disk?.order = .largest
        day.apps[2].files.caches = ByteCount(150_000_000)
        let purges = try day.run(tables: [.disk]).rows.disk.filter { $0.event == .purgeCaches }
        #expect(purges.map(\.app) == [AppID(2)])
    }

    @Test func `a purge costs the next launch a second and the network a third of the bytes`() throws {
        let launches = try [(513.0, 1.0), (513, 0), (9000, 1)].map { free, rebuild in
            var day = Self.day(Self.three, free: free)
            day.device.disk?.rebuild = .seconds(rebuild)
            let rows = try day.run(tables: [.disk, .events]).rows
            let launch = try #require(rows.events.last { $0.event == .launch && $0.app == AppID(1) })
            return (launch, rows.disk.filter { $0.event == .fetchAgain })
        }
        let again = try #require(launches[0].1.first)
        #expect(launches[0].1.count == 1 && launches[2].1.isEmpty)
        #expect(abs(Double(again.bytes.bytes) - 0.3 * 101e6) < 0.1e6)
        #expect(launches[0].0.launchKind != .resume && launches[2].0.launchKind == .resume)
        #expect(abs(launches[0].0.delaySeconds - launches[1].0.delaySeconds - 1) < 1e-9)
    }

    @Test func `what cannot be saved is lost with the process`() throws {
        let rows = Self.visit.dropLast(1) + ["900,force_quit,app-0,", "3000,lock,,"]
        let lost = try [100.0, 9000].map { free in
            let (outcome, found) = try Self.day(Array(rows), free: free, caches: 0).run(tables: [.events, .disk])
            let active = try #require(found.events.first { $0.event == .launch }).time
            #expect(outcome("failed_saves_per_day") == (free < 150 ? 1 : 0))
            return (outcome("lost_work_s_per_day"), 700 - active.seconds)
        }
        #expect(abs(lost[0].0 - lost[0].1) < 1e-6)
        #expect(lost[1].0 == 0)
    }

    @Test func `downloads and refreshes fail without room`() throws {
        for (free, failed) in [(100.0, true), (9000, false)] {
            var day = Self.day(Self.visit, free: free, caches: 0) {
                $0.traits.transfersPerDay = 40
                $0.traits.transferBytes = ByteCount(1_000_000)
                $0.refreshPeriod = .hours(2)
            }
            day.scheduling = "immediate"
            let (outcome, rows) = try day.run(tables: [.requests, .disk])
            let ended = rows.requests.filter { $0.started != .distantFuture && $0.work != .transferDone }
            let outcomes = Set(ended.map(\.outcome))
            #expect(ended.count > 3 && outcomes == [failed ? "failed" : "success"])
            let count = Double(rows.disk.count { $0.event == .workFailed })
            #expect(outcome("work_without_room_per_day") == count && (count > 3) == failed)
        }
    }

    @Test func `a new version needs room beside the old one`() throws {
        // The app is of 190 MB and leaves 150 MB free: 339 MB are too little, 341 MB enough.
        for (free, isInstalled) in [(339.0, false), (341, true)] {
            var day = Self.day([], free: free, caches: 0) { $0.files.updatesPerMonth = 30 }
            day.device.disk?.purgeBelow = .zero
            day.device.disk?.freezerBelow = .zero
            let (outcome, rows) = try day.run(tables: [.disk])
            let updates = rows.disk.filter { $0.event == .update || $0.event == .updatePutOff }
            #expect(updates.map(\.time) == [.zero + .hours(3)] && updates.map(\.app) == [Self.app])
            #expect(outcome("app_updates_per_day") == (isInstalled ? 1 : 0))
            #expect(outcome("updates_put_off_per_day") == (isInstalled ? 0 : 1))
        }
    }

    @Test func `the kernel ends what is frozen when storage is short`() throws {
        // Photos take a gigabyte an hour of 38.4: about the twenty-first hour less than 18 are free.
        for (below, dies) in [(0.0, false), (17.95e9, true)] {
            var device = TestWorld.device(ram: .gibibytes(3))
            device.os.freezer = FreezerRules()
            device.disk = DiskParameters()
            device.disk?.freezerBelow = ByteCount(Int64(below))
            device.disk?.photosPerDay = ByteCount(24_000_000_000)
            var specification = TestWorld.specification(device: device, days: 1, tables: [.events])
            specification.warmup = .zero
            let rows = RowCollector()
            let outcome = simulate(specification, sink: rows)
            let kills = rows.events.filter { $0.reason == .diskSpaceShortage }
            #expect(outcome("kills_disk_space_shortage_per_day") == Double(kills.count))
            #expect(outcome("frozen_per_day") > 5)
            // It is looked at every hour and stays short: what is frozen dies once.
            #expect((kills.count > 2) == dies && kills.isEmpty == !dies, "\(kills.count)")
            #expect(kills.allSatisfy { $0.from == .suspended && (19...21).contains($0.time.seconds / 3600) })
            #expect(Set(kills.map(\.time)).count == (dies ? 1 : 0))
        }
    }

    @Test func `a phone without storage in its model has no rows and no failures`() throws {
        let (outcome, rows) = try ScriptedDay.plain(Self.visit).run(tables: [.disk])
        #expect(rows.disk.isEmpty)
        for metric in ["disk_free_mib_mean", "disk_written_bytes_per_day", "failed_saves_per_day"] {
            #expect(outcome(metric) == 0)
        }
    }
}
