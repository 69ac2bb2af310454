// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import Measures
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

/// Quotas of caches, apps that the system removes from a full phone, and swap that takes room.
@Suite struct RemovedAppTests {
    // MARK: Quotas

    @Test func `a purge by quota leaves caches in proportion to the quotas`() throws {
        let rows = [
            "100,unlock,,", "100,open,app-1,120", "1000,open,app-2,60", "2000,open,app-0,600", "6000,lock,,",
        ]
        var day = StorageTests.day(rows, free: 513)
        day.device.disk?.order = .quota
        day.device.disk?.offloads = true
        day.device.disk?.offloadAfter = .zero
        let disk = try day.run(tables: [.disk]).rows.disk
        let purges = disk.filter { $0.event == .purgeCaches }
        #expect(purges.map(\.app) == [AppID(1), AppID(2)])
        #expect(Set(purges.map(\.time)) == [.zero + .seconds(2600)])
        // What a visit wrote to the caches is the middle one of its three writes.
        let left = try purges.map { purge in
            let written = disk.filter { $0.app == purge.app && $0.event == .write && $0.time < purge.time }
            return Double(100_000_000 + (try #require(written.dropFirst().first)).bytes.bytes - purge.bytes.bytes)
        }
        // Ranks 1 and 2: 1 / ln 4 - 0.285 and 1 / ln 5 - 0.285.
        #expect(abs(left[0] / left[1] - 0.436347 / 0.336335) < 1e-5)
        // Not a byte less than enough, or apps would be removed for it.
        let free = try #require(purges.last).free.bytes
        #expect(free >= 590_000_000 && free < 590_000_003)
        #expect(!disk.contains { $0.event == .offload })
    }

    // MARK: Removed apps

    /// App 0 fills the phone while 2 was never used and 1 not for long; then each of those is wanted, twice.
    private static let wanted = [
        "100,unlock,,", "100,open,app-1,60", "8000,open,app-0,600", "10000,open,app-2,60", "20000,open,app-2,60",
        "30000,open,app-1,60", "40000,open,app-1,60", "80000,lock,,",
    ]

    private func full(_ rows: [String], _ change: (inout ScriptedDay) -> Void = { _ in }) -> ScriptedDay {
        var day = StorageTests.day(rows, free: 505, caches: 0)
        for index in day.apps.indices { day.apps[index].traits.callsPerDay = 200 }
        day.persona.interruption.cap = 1
        day.device.disk?.offloads = true
        day.device.disk?.offloadAfter = .hour
        change(&day)
        return day
    }

    @Test func `the app unused for longest is removed, and is fetched again when it is wanted`() throws {
        let (outcome, rows) = try full(Self.wanted).run(tables: [.disk, .events])
        let found = rows.disk.filter { $0.event == .offload || $0.event == .install }
        #expect(found.map(\.event) == [.offload, .install, .offload, .install, .offload])
        // To fetch one again makes room short, then or at the next visit: the next that was unused for longest goes.
        #expect(found.map(\.app.index) == [2, 2, 1, 1, 0])
        #expect(found.map { $0.time.seconds } == [8600, 10000, 10000, 30000, 40060])
        #expect(found.allSatisfy { $0.bytes == ByteCount(190_000_000) })
        #expect(outcome("offloads_per_day") == 3 && outcome("reinstalls_per_day") == 2)
        // The visit that finds it gone is missed, the next is not.
        let missed = rows.events.filter { $0.event == .missed }
        #expect(missed.map { $0.time.seconds } == [10000, 30000] && missed.map(\.app.index) == [2, 1])
        #expect(outcome("missed_visits_per_day") == 2)
        let seen = rows.events.filter { $0.event == .launch && $0.to == .inactive }
        #expect(seen.map { $0.time.seconds } == [100, 8000, 20000, 40000])
        // It comes with its data, among them what its windows were: nothing is lost as by a swipe.
        #expect(outcome("restored_share") == 1)
        let written = rows.disk.filter { $0.event == .write || $0.event == .install }
        #expect(outcome("disk_written_bytes_per_day") == Double(written.reduce(0) { $0 + $1.bytes.bytes }))
        #expect(found[1].free == found[0].free - ByteCount(190_000_000))
    }

    @Test func `an app that was removed does nothing until it is opened`() throws {
        let launches = try full(Self.wanted).run(tables: [.events]).rows.events
            .filter { $0.event == .launch && $0.app == AppID(2) }.map { $0.time.seconds }
        #expect(launches.count { $0 < 8600 } > 5 && launches.count { $0 > 20000 && $0 < 80000 } > 5)
        #expect(!launches.contains { $0 >= 8600 && $0 < 20000 })
    }

    /// As on Android, a swipe leaves the requests of an app, but its removal does not.
    @Test func `an app that was removed runs no request, even if a swipe would stop none`() throws {
        let day = full(Self.wanted) {
            $0.scheduling = "immediate"
            $0.apps[2].refreshPeriod = .minutes(30)
            $0.apps[2].completionProbability = 1
            $0.apps[2].resubmitProbability = 1
            $0.device.background.forceQuitStopsWork = false
        }
        let rows = try day.run(tables: [.disk, .requests]).rows
        let gone = try #require(rows.disk.first { $0.event == .offload && $0.app == AppID(2) }).time
        let starts = rows.requests.filter { $0.app == AppID(2) && $0.work == .refresh && $0.started != .distantFuture }
        // It is wanted at 10,000 s and is there at 20,000 s.
        #expect(starts.contains { $0.started < gone })
        #expect(!starts.contains { $0.started >= gone && $0.started < .seconds(20_000) })
        #expect(rows.requests.contains { $0.app == AppID(2) && $0.outcome == "cancelled" && $0.ended == gone })
    }

    @Test func `nothing is removed that was on screen lately, or where the user has not asked for it`() throws {
        let lately = try full(Self.wanted) { $0.device.disk?.offloadAfter = .days(1) }.run(tables: [.disk])
        let never = try full(Self.wanted) { $0.device.disk?.offloads = false }.run(tables: [.disk])
        for run in [lately, never] {
            #expect(run.outcome("offloads_per_day") == 0 && run.outcome("missed_visits_per_day") == 0)
            #expect(run.rows.disk.last.map { $0.free.bytes < 500_000_000 } == true)
        }
    }

    @Test func `an app that is gone stays away without a network`() throws {
        let day = full(Self.sorted(Self.wanted + ["9000,network,,none"]))
        let outcome = try day.run(tables: []).outcome
        #expect(outcome("offloads_per_day") == 1 && outcome("reinstalls_per_day") == 0)
        // App 2 is missed twice, and 1 is there.
        #expect(outcome("missed_visits_per_day") == 2)
    }

    @Test func `an app that is gone stays away without room for it and what it writes`() throws {
        for (reserve, comesBack) in [(520, false), (440, true)] {
            let day = full(Self.wanted) {
                $0.device.disk?.reserve = ByteCount(Int64(reserve) * 1_000_000)
                $0.device.disk?.purgeBelow = ByteCount(510_000_000)
            }
            let installs = try day.run(tables: [.disk]).rows.disk.filter { $0.event == .install }
            #expect(installs.contains { $0.app == AppID(2) } == comesBack)
        }
    }

    /// App 2 is removed in the visit from 8,000 s to 8,600 s; its bundle of 190 MB then leaves about 500 MB free.
    @Test(arguments: [(520, 0.0), (440, 1)])
    func `a removed app that the user installs waits for space`(reserve: Int, installs: Double) throws {
        let day = full(Self.sorted(Self.wanted.filter { !$0.contains("app-2") } + ["9000,install,app-2,"])) {
            $0.device.disk?.reserve = ByteCount(Int64(reserve) * 1_000_000)
            $0.device.disk?.purgeBelow = ByteCount(510_000_000)
        }
        let (outcome, rows) = try day.run(tables: [.disk, .events])
        #expect(rows.disk.contains { $0.event == .offload && $0.app == AppID(2) && $0.time < .seconds(9000) })
        #expect(rows.disk.count { $0.event == .install && $0.app == AppID(2) } == Int(installs))
        #expect(rows.events.count { $0.event == .installed } == Int(installs))
        #expect(outcome("workload_installs_per_day") == installs)
    }

    /// Versions of both apps wait for Wi-Fi, which comes at 21,000 s, and are tried again every hour from 10,700 s on.
    ///
    /// By then app 2 was removed at 8,600 s and opened again at 20,000 s.
    @Test func `a version that waits is dropped with its app, which returns in its newest version`() throws {
        let rows = [
            "7000,network,,cellular", "7100,update,app-0,", "7100,update,app-2,", "9000,update,app-2,",
            "21000,network,,wifi",
        ]
        let day = full(Self.sorted(Self.wanted + rows)) { $0.device.disk?.updateRoom = 1 }
        let (outcome, found) = try day.run(tables: [.disk, .events])
        #expect(found.disk.contains { $0.event == .offload && $0.app == AppID(2) && $0.time == .seconds(8600) })
        let updates = found.events.filter { $0.event == .updated }
        #expect(updates.map(\.app) == [AppID(0)] && updates.map(\.time) == [.seconds(21_500)])
        #expect(outcome("workload_updates_per_day") == 1)
    }

    @Test func `whoever finds an app gone has left the one before`() throws {
        let rows = Self.sorted(Self.wanted + ["9900,open,app-0,3600"])
        let events = try full(rows).run(tables: [.events]).rows.events
        let left = events.filter { $0.event == .enterBackground && $0.app == AppID(0) }.map { $0.time.seconds }
        #expect(left.contains(10000))
    }

    private static func sorted(_ rows: [String]) -> [String] {
        func seconds(_ row: String) -> Double { Double(row.prefix { $0 != "," }) ?? 0 }
        return rows.sorted { seconds($0) < seconds($1) }
    }

    // MARK: Swap

    @Test func `what was written out of memory takes room as far as there is some`() throws {
        let (bytes, less) = (ByteCount(90_000_000), ByteCount(20_000_000))
        for (free, grown, left) in [(1e9, 90.0, 910.0), (60e6, 60, 0)] {
            var parameters = DiskParameters()
            parameters.free = ByteCount(Int64(free))
            var space = DiskSpace(parameters, apps: [], normals: [])
            #expect(Double(space.setSwap(bytes).bytes) == grown * 1e6)
            #expect(Double(space.free.bytes) == left * 1e6)
            #expect(Double(space.setSwap(less).bytes) == (20 - grown) * 1e6)
            #expect(Double(space.free.bytes) == free - 20e6)
        }
    }

    @Test func `frozen apps take room by what is left of their memory after compression`() throws {
        func run(_ counts: Bool) -> (RunOutcome, RowCollector) {
            var device = TestWorld.device(ram: .gibibytes(3))
            device.os.freezer = FreezerRules()
            device.disk = DiskParameters()
            device.disk?.countsSwap = counts
            let rows = RowCollector()
            let specification = TestWorld.specification(device: device, days: 1, tables: [.disk, .deviceHours])
            return (simulate(specification, sink: rows), rows)
        }
        let (with, rows) = run(true)
        let (without, plain) = run(false)
        let swaps = rows.disk.filter { $0.event == .swap }
        #expect(swaps.count > 5 && !plain.disk.contains { $0.event == .swap })
        #expect(swaps.allSatisfy { $0.app == .system })
        // What was thawed since is out no more, most of it is: nothing like the 2.7 times that it had in memory.
        let first = try #require(swaps.first)
        let hours = rows.hours.filter { $0.hour < Int(first.time.seconds / 3600) }
        let written = hours.reduce(0) { $0 + $1.flashWrittenMiB } / TestWorld.device().memory.compressorRatio
        #expect(first.bytes.mebibytes <= written && first.bytes.mebibytes > 0.6 * written)
        // The free space is less by the mean of what is out.
        var (total, out, since) = (0.0, 0.0, 0.0)
        for row in swaps {
            total += out * (row.time.seconds - since)
            out += row.bytes.mebibytes
            since = row.time.seconds
            #expect(out >= 0)
        }
        total += out * (86400 - since)
        let less = without("disk_free_mib_mean") - with("disk_free_mib_mean")
        #expect(abs(less - total / 86400) < 1e-6 * without("disk_free_mib_mean"), "\(less) \(total / 86400)")
    }
}
