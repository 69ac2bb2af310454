// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

@Suite struct PushTests {
    /// A phone whose only background work are the silent pushes to one app.
    private func specification(
        perDay: Double, persona: Persona = TestWorld.persona, days: Double = 2, scheduling: String = "never",
        tables: TableSet = [.requests, .events], change: (inout AppModel) -> Void = { _ in }
    ) -> RunSpecification {
        var apps = TestWorld.apps(20) { $0.pushesPerDay = 0 }
        apps[15].traits.silentPushesPerDay = perDay
        change(&apps[15])
        return TestWorld.specification(
            apps: apps, persona: persona, days: days, tables: tables, scheduling: scheduling)
    }

    private func pushes(_ rows: RowCollector) -> [RequestRow] { rows.requests.filter { $0.work == .silentPush } }

    @Test func `a flood is let through two or three times an hour`() {
        let rows = RowCollector()
        let outcome = simulate(specification(perDay: 1440), sink: rows)
        let background = pushes(rows).filter { $0.started != .distantFuture }
        // 70 minutes let three through: 123 in two days, and on screen they come at once.
        #expect(background.count >= 48 && outcome("silent_pushes_per_day") == Double(background.count) / 2)
        let sent = pushes(rows).count
        #expect(abs(sent - 2880) < 161, "three deviations of their number")
        let share = Double(background.count) / Double(sent)
        #expect(abs(outcome("silent_push_delivered_share") - share) < 2 / 2880.0)
        #expect(outcome("push_delivered_share") == outcome("silent_push_delivered_share"))
        let launches = rows.events.count { $0.event == .launch && $0.to == .background && $0.app == AppID(15) }
        #expect(outcome("event_launches_per_day") == Double(launches) / 2 && launches > 48)
    }

    @Test func `a few pushes a day arrive, and keep the app fresh`() {
        let tables: TableSet = [.requests, .events, .appDays]
        let (rows, others) = (RowCollector(), RowCollector())
        let without = simulate(specification(perDay: 0, days: 4, tables: tables), sink: others)
        let with = simulate(specification(perDay: 30, days: 4, tables: tables), sink: rows)
        let started = pushes(rows).count { $0.started != .distantFuture }
        let sent = rows.days.reduce(0) { $0 + Int($1.silentPushesSent) }
        #expect(abs(with("silent_push_delivered_share") - Double(started) / Double(sent)) < 1e-9)
        #expect(abs(with("content_age_s_mean") / rows.meanContentAge - 1) < 1e-9)
        #expect(abs(without("content_age_s_mean") / others.meanContentAge - 1) < 1e-9)
        // Order is the claim: how many arrive, and how much fresher the app is, depends on when it is opened.
        #expect(with("silent_push_delivered_share") > 0.7)
        #expect(with("content_age_s_mean") < without("content_age_s_mean"))
        #expect(with("background_energy_wh_per_day") > without("background_energy_wh_per_day"))
        #expect(without("event_launches_per_day") == 0)
    }

    @Test func `every push that was sent is let through, replaced, dropped or waits at the end`() {
        let rows = RowCollector()
        let outcome = simulate(specification(perDay: 300), sink: rows)
        let sent = outcome("silent_pushes_per_day") / outcome("silent_push_delivered_share") * 2
        let settled = pushes(rows).count
        #expect(abs(Double(settled) - sent) <= 2)
        for row in pushes(rows) where row.started != .distantFuture {
            #expect(row.submitted <= row.started && row.started <= row.ended)
            #expect(row.ended - row.started <= .seconds(30))
        }
    }

    @Test func `nothing is launched for an app that was force-quit, and its push is dropped`() {
        var persona = TestWorld.persona
        persona.forceQuitsPerDay = 40
        let rows = RowCollector()
        _ = simulate(specification(perDay: 200, persona: persona, days: 4), sink: rows)
        var isForceQuit = false
        var launches = 0
        var blocked = 0
        for row in rows.events where row.app == AppID(15) {
            if row.event == .exit, row.reason == nil { isForceQuit = true }
            guard row.event == .launch else { continue }
            launches += 1
            if row.to == .inactive { isForceQuit = false }
            if isForceQuit { blocked += 1 }
        }
        #expect(launches > 10)
        #expect(blocked == 0)
        #expect(pushes(rows).contains { $0.outcome == "cancelled" })
    }

    /// The network is away from 300 s to 1,000 s, and the user swipes the app away at 500 s.
    @Test func `a force quit drops no alert, whether it was sent before or after`() throws {
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "200,lock,,", "300,network,,none",
            "400,push,app-0,", "500,force_quit,app-0,", "600,push,app-1,", "1000,network,,wifi", "1100,push,app-0,",
        ]
        let alerts = try ScriptedDay.plain(rows).run(tables: [.events]).rows.events.filter { $0.event == .alert }
        #expect(alerts.map(\.app) == [AppID(0), AppID(1), AppID(0)])
        #expect(alerts.map(\.time) == [1000.0, 1000, 1100].map { SimTime.seconds($0) })
    }

    @Test func `an app whose switch is off gets none, one on screen gets them at once`() {
        let off = simulate(specification(perDay: 100) { $0.refreshEnabled = false })
        #expect(off("silent_pushes_per_day") == 0)
        let rows = RowCollector()
        _ = simulate(specification(perDay: 5000, days: 1) { $0.popularity = 50 }, sink: rows)
        let own = rows.events.filter { $0.app == AppID(15) && [.becomeActive, .enterBackground].contains($0.event) }
        var seen = 0
        for (start, end) in zip(own, own.dropFirst()) where start.event == .becomeActive && end.event != start.event {
            for row in pushes(rows) where row.submitted > start.time && row.submitted < end.time {
                #expect(row.started == row.submitted || row.outcome == "replaced")
                if row.started == row.submitted { seen += 1 }
            }
        }
        #expect(seen > 5)
    }

    @Test func `F16: a launch in the background says of what kind it was`() {
        let rows = RowCollector()
        _ = simulate(specification(perDay: 100), sink: rows)
        let launches = rows.events.filter { $0.event == .launch && $0.to == .background && $0.from != .background }
        #expect(!launches.isEmpty)
        #expect(launches.allSatisfy { $0.launchKind != nil })
    }
}

@Suite struct CameraTests {
    @Test(arguments: [ActivityClass.camera, .messaging])
    func `while the camera is in use neither refreshes nor silent pushes launch anything`(activity: ActivityClass)
        throws
    {
        // App 1 is in front for six hours, half an hour after the unlock that follows the long night.
        var day = ScriptedDay([
            "0,network,,wifi", "100,unlock,,", "200,open,app-0,60", "3600,open,app-1,21600", "26000,lock,,",
        ])
        day.apps[1].activity = activity
        day.apps[0].refreshPeriod = .minutes(15)
        day.apps[0].traits.silentPushesPerDay = 500
        day.scheduling = "opportunistic"
        let rows = try day.run(tables: [.requests]).rows.requests
        let during = rows.filter {
            $0.app == AppID(0) && $0.started > .seconds(3605) && $0.started < .seconds(3600 + 21_600)
        }
        #expect(during.isEmpty == (activity == .camera))
        #expect(rows.contains { $0.work == .silentPush && $0.started > .seconds(3600 + 21_600) })
    }
}
