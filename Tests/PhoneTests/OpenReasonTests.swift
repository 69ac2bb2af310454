// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Why apps come to the screen, and what shows a notification without a server.
@Suite struct OpenReasonTests {
    @Test func `every open says by what, and one from another app leaves that one in memory`() throws {
        let day = ScriptedDay.plain([
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "160,open,app-1,seconds=60 by=app",
            "220,open,app-2,seconds=60 by=widget", "400,lock,,",
        ])
        let (outcome, rows) = try day.run(tables: [.events, .callbacks])
        let launches = rows.events.filter { $0.event == .launch }
        #expect(launches.map(\.openedBy) == [.icon, .app, .widget])
        #expect(launches.map(\.app) == [AppID(0), AppID(1), AppID(2)])
        for reason in OpenReason.allCases {
            let expected = launches.count { $0.openedBy == reason }
            #expect(outcome("opens_by_\(reason.name)_per_day") == Double(expected))
        }
        // The app before goes to the background at the instant at which the other comes up, and neither ends.
        let left = rows.events.first { $0.event == .enterBackground && $0.app == AppID(0) }
        #expect(left?.time == launches[1].time && launches[1].time == .zero + .seconds(160))
        #expect(!rows.events.contains { $0.event == .exit })
    }

    @Test func `an app that dies on screen is opened again for that reason`() throws {
        var day = ScriptedDay.plain(["100,unlock,,", "100,open,app-0,seconds=600 by=link", "3000,lock,,"])
        day.apps[0].faults.crashesPerHour = 60
        let (outcome, rows) = try day.run(tables: [.events])
        let launches = rows.events.filter { $0.event == .launch }
        #expect(launches.first?.openedBy == .link)
        #expect(launches.count > 1 && launches.dropFirst().allSatisfy { $0.openedBy == .restart })
        #expect(outcome("opens_by_link_per_day") == 1)
        #expect(outcome("opens_by_restart_per_day") == Double(launches.count - 1))
    }

    @Test func `a scheduled notification is shown without a network and runs nothing, a push waits for one`() throws {
        let day = ScriptedDay.plain(["50,push,app-1,local=1", "60,push,app-1,", "9000,unlock,,", "9100,lock,,"])
        let (outcome, rows) = try day.run(tables: [.events, .requests])
        #expect(rows.events.filter { $0.event == .localAlert }.map(\.time) == [.zero + .seconds(50)])
        #expect(!rows.events.contains { $0.event == .alert || $0.event == .launch })
        #expect(outcome("local_notifications_per_day") == 1 && outcome("wifi_bytes_per_day") == 0)
    }

    @Test func `an open within an hour of a scheduled notification answers it`() throws {
        let rows = ["50,notification,app-1,local=1", "3000,unlock,,", "3000,open,app-1,60", "3200,lock,,"]
        #expect(try ScriptedDay.plain(rows).run().outcome("answered_alerts_per_day") == 1)
        let late = ["50,notification,app-1,local=1", "3700,unlock,,", "3700,open,app-1,60", "3900,lock,,"]
        #expect(try ScriptedDay.plain(late).run().outcome("answered_alerts_per_day") == 0)
    }

    @Test func `apps that the user refused show nothing, pushed or scheduled`() throws {
        var day = ScriptedDay.plain(["0,network,,wifi", "50,push,app-1,", "60,push,app-2,local=1"])
        day.persona.background.refusedShare = 1
        let (outcome, rows) = try day.run(tables: [.events])
        #expect(rows.events.map(\.event) == [.refusedAlert, .refusedAlert])
        #expect(outcome("refused_alerts_per_day") == 2 && outcome("local_notifications_per_day") == 0)
        #expect(outcome("push_delivered_share") == 0)
    }

    @Test func `whom a lost alert does not reach does not open the app for it`() throws {
        func run(_ share: Double) -> (RunOutcome, RowCollector) {
            var device = TestWorld.device()
            device.background.pushes.lostShare = share
            var persona = TestWorld.persona
            persona.notifications = Persona.Notifications()
            persona.notifications?.answerShare = 0.5
            persona.notifications?.inUseShare = 0
            persona.notificationsPerDay = 80
            let rows = RowCollector()
            let specification = TestWorld.specification(persona: persona, device: device, days: 6, tables: [.events])
            return (simulate(specification, sink: rows), rows)
        }
        let (all, half, none) = (run(0).0, run(0.5), run(1).0)
        let opens = all("opens_by_notification_per_day")
        #expect(opens > 5 && none("opens_by_notification_per_day") == 0)
        let share = half.0("opens_by_notification_per_day") / opens
        #expect(share > 0.4 && share < 0.85, "\(share)")
        // An app all of whose alerts of the last hours were lost is not opened for one.
        let lost = half.1.events.filter { $0.event == .lostPush }
        #expect(abs(Double(lost.count) / 6 - half.0("lost_pushes_per_day")) < 1e-9 && lost.count > 100)
    }

    @Test func `pushes whose token fails never arrive, alert or silent`() throws {
        func outcome(_ share: Double) -> (RunOutcome, RowCollector) {
            var device = TestWorld.device()
            device.background.pushes.lostShare = share
            let apps = TestWorld.apps(20) { $0.traits.silentPushesPerDay = 20 }
            let rows = RowCollector()
            let outcome = simulate(
                TestWorld.specification(apps: apps, device: device, tables: [.events, .appDays]), sink: rows)
            return (outcome, rows)
        }
        let (all, none) = (outcome(1), outcome(0))
        #expect(all.0("push_delivered_share") == 0 && all.0("silent_push_delivered_share") == 0)
        let sent = all.1.days.reduce(0) { $0 + Int($1.pushesSent) }
        #expect(all.0("lost_pushes_per_day") == Double(sent) / 2 && sent > 400)
        #expect(none.0("lost_pushes_per_day") == 0)
        // What is lost on its way cannot be dropped by the phone.
        #expect(all.1.days.allSatisfy { $0.pushesDropped == 0 })
        // A quarter of a thousand: four deviations are 6 %.
        let (quarter, rows) = outcome(0.25)
        let share = quarter("lost_pushes_per_day") * 2 / Double(rows.days.reduce(0) { $0 + Int($1.pushesSent) })
        #expect(abs(share - 0.25) < 0.06)
    }
}

/// A system without jetsam promises an app no more.
@Suite struct SilentKillTests {
    @Test(arguments: ["jetsam", "lmkd"])
    func `a kill for memory calls nothing, whoever chooses it`(eviction: String) throws {
        let device = TestWorld.device(ram: .gibibytes(3))
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(40) { $0.foregroundFootprint = .mebibytes(400) }, device: device,
                tables: [.events, .callbacks], eviction: eviction), sink: rows)
        let kills = rows.events.filter { $0.event == .exit && $0.reason != nil && $0.from == .suspended }
        #expect(kills.count > 20)
        for kill in kills {
            let calls = rows.callbacks.filter { $0.app == kill.app && $0.time == kill.time }
            // It may be launched again at once.
            #expect(
                calls.allSatisfy { [.willFinishLaunching, .didFinishLaunching].contains($0.callback) }, "\(calls)")
        }
        // The same apps were called as long as they executed.
        #expect(kills.allSatisfy { kill in rows.callbacks.contains { $0.app == kill.app && $0.time < kill.time } })
    }
}
