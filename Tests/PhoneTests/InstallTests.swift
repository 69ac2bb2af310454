// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Disk
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Apps that come to the phone, and new versions of those that are there.
@Suite struct InstallTests {
    private let rows = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "1000,lock,,", "2000,update,app-0,", "3000,unlock,,",
        "3000,open,app-0,60", "3100,lock,,",
    ]

    @Test func `a new version ends its app, is downloaded, and the next open is cold`() throws {
        let (outcome, found) = try ScriptedDay.plain(rows).run(tables: [.events])
        let exits = found.events.filter { $0.event == .exit && $0.app == AppID(0) }
        #expect(exits.map(\.time) == [.seconds(2000)] && exits.map(\.exit) == [.normal])
        let comes = found.events.filter { $0.event == .updated }
        #expect(comes.map(\.time) == [.seconds(2000)] && comes.map(\.to) == [.notRunning])
        #expect(found.events.filter { $0.launchKind != nil }.map(\.time) == [.seconds(100), .seconds(3000)])
        #expect(outcome("workload_updates_per_day") == 1 && outcome("workload_installs_per_day") == 0)
        var without = rows
        without.remove(at: 4)
        let before = try ScriptedDay.plain(without).run().outcome
        #expect(outcome("wifi_bytes_per_day") - before("wifi_bytes_per_day") >= 190_000_000)
        #expect(outcome("energy_wh_per_day") > before("energy_wh_per_day"))
    }

    @Test func `a new version waits for Wi-Fi, and for its app to leave the screen`() throws {
        var rows = rows
        rows[4] = "500,update,app-0,"
        rows.swapAt(3, 4)
        let onScreen = try ScriptedDay.plain(rows).run(tables: [.events]).rows.events.filter { $0.event == .updated }
        #expect(onScreen.map(\.time) == [.seconds(4100)])
        rows = self.rows
        rows[0] = "0,network,,cellular"
        rows.append("5000,network,,wifi")
        let offline = try ScriptedDay.plain(rows).run(tables: [.events]).rows.events.filter { $0.event == .updated }
        #expect(offline.map(\.time) == [.seconds(5600)])
    }

    /// The bundle has 200 MB and the app keeps a reserve of 150 MB; photos grow by 240 MB in the day.
    @Test func `an app takes room once, and a full phone refuses it every hour until there is some`() throws {
        var day = ScriptedDay.plain([
            "0,network,,wifi", "200,install,app-0,", "300,install,app-0,", "400,install,app-1,",
        ])
        var disk = DiskParameters()
        (disk.free, disk.reserveSigma, disk.photosPerDay) = (ByteCount(500_000_000), 0, .zero)
        (disk.purgeBelow, disk.purgeUntil, disk.freezerBelow) = (.zero, .zero, .zero)
        day.device.disk = disk
        for index in day.apps.indices { day.apps[index].files.bundle = ByteCount(200_000_000) }
        let (outcome, found) = try day.run(tables: [.events, .disk])
        #expect(found.events.filter { $0.event == .installed }.map(\.time) == [.seconds(200), .seconds(300)])
        let brought = found.disk.filter { $0.event == .bring }
        #expect(brought.map(\.time) == [.seconds(200)] && brought.first?.free == ByteCount(300_000_000))
        // At 400 s, and every hour from then on until the day is over.
        let refused = found.disk.filter { $0.event == .installRefused }
        #expect(refused.count == 24 && refused.allSatisfy { $0.app == AppID(1) && $0.free == ByteCount(300_000_000) })
        #expect(outcome("refused_installs_per_day") == 24 && outcome("workload_installs_per_day") == 2)
    }

    @Test func `an app that the user installs comes at once, over the mobile network too`() throws {
        let rows = ["0,network,,cellular", "100,unlock,,", "200,install,app-0,", "300,lock,,"]
        let (outcome, found) = try ScriptedDay.plain(rows).run(tables: [.events])
        #expect(found.events.filter { $0.event == .installed }.map(\.time) == [.seconds(200)])
        #expect(outcome("workload_installs_per_day") == 1 && outcome("workload_updates_per_day") == 0)
        #expect(outcome("cellular_bytes_per_day") >= 190_000_000)
        #expect(found.events.allSatisfy { $0.event != .exit })
    }

    /// The phone tries at 3,700 s and at 7,300 s, each time an hour after the first install had to wait.
    @Test func `two versions that wait for a network are one install of the newest`() throws {
        let rows = ["100,update,app-0,", "200,update,app-0,", "300,update,app-1,", "5000,network,,wifi"]
        let (outcome, found) = try ScriptedDay.plain(rows).run(tables: [.events])
        let updates = found.events.filter { $0.event == .updated }
        #expect(updates.map(\.app) == [AppID(0), AppID(1)])
        #expect(updates.allSatisfy { $0.time == .seconds(7300) })
        #expect(outcome("workload_updates_per_day") == 2)
    }

    /// The first version waits for Wi-Fi until the phone tries again at 5,600 s; the second comes before.
    @Test func `a version that comes at once replaces the one that waits`() throws {
        let rows = ["0,network,,cellular", "2000,update,app-0,", "3000,network,,wifi", "4000,update,app-0,"]
        let (outcome, found) = try ScriptedDay.plain(rows).run(tables: [.events])
        #expect(found.events.filter { $0.event == .updated }.map(\.time) == [.seconds(4000)])
        #expect(outcome("workload_updates_per_day") == 1)
    }
}
