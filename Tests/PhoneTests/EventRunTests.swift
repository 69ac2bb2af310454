// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

@Suite struct EventRunTests {
    /// A phone on which nothing but one app's trait runs anything in the background.
    private func specification(
        persona: Persona = TestWorld.persona, device: DeviceModel = TestWorld.device(), days: Double = 2,
        scheduling: String = "never", trait: (inout AppModel) -> Void
    ) -> RunSpecification {
        var apps = TestWorld.apps(20) { app in
            app.pushesPerDay = 0
            app.popularity = 1
        }
        trait(&apps[15])
        return TestWorld.specification(
            apps: apps, persona: persona, device: device, days: days, tables: [.requests, .events, .appDays],
            scheduling: scheduling)
    }

    private let app = AppID(15)

    private var listener: Persona {
        var persona = TestWorld.persona
        persona.background.audioPerDay = .hours(2)
        persona.background.navigationPerDay = .hours(1)
        persona.places.commute = [8.0...9.0, 17.0...18.0]
        persona.forceQuitsPerDay = 0
        return persona
    }

    private func eventLaunches(_ rows: RowCollector) -> Int {
        rows.events.count { $0.event == .launch && $0.to == .background && $0.app == app }
    }

    // MARK: Modes

    @Test func `F40: four hours of music in the background are 120 pieces of two minutes at 128 kbit a second`() throws
    {
        func bytes(_ share: Double) throws -> Double {
            var day = ScriptedDay.plain(["0,network,,wifi", "100,unlock,,", "40000,open,app-0,60", "40100,lock,,"]) {
                $0.activity = .music
            }
            day.device.modes.musicStreamedShare = share
            day.persona.background.audioPerDay = .hours(23.9)
            return try day.run().outcome("wifi_bytes_per_day")
        }
        // 16 kB a second for 14,400 s.
        let (all, half) = (try bytes(1) - bytes(0), try bytes(0.5) - bytes(0))
        #expect(abs(all - 230.4e6) < 1 && abs(half - 115.2e6) < 1, "\(all) \(half)")
    }

    @Test func `music in the background ends when its app comes to the front`() throws {
        let rows = ["0,network,,wifi", "100,unlock,,", "40000,open,app-0,60", "43260,open,app-0,20000", "64000,lock,,"]
        var day = ScriptedDay.plain(rows) { $0.activity = .music }
        day.device.modes.musicStreamedShare = 1
        day.persona.background.audioPerDay = .hours(23.9)
        let hours = try day.run(tables: [.deviceHours]).rows.hours
        // From 40,060 s on 1.92 MB every two minutes: the last of the 27 begins at 43,180 s, and one at 43,300 would.
        #expect(hours[11].bytes[.wifi] == 27 * 1_920_000)
        #expect(hours[12...16].allSatisfy { $0.bytes[.wifi] == 0 })
    }

    @Test
    func `F39: moving about runs apps that follow the location for ten seconds at most, even when force-quit`() {
        let rows = RowCollector()
        _ = simulate(specification(persona: listener, days: 3) { $0.traits.followsLocation = true }, sink: rows)
        let runs = rows.requests.filter { $0.work == .location }
        #expect(runs.count == 3 * 26)
        #expect(runs.allSatisfy { $0.ended - $0.started <= .seconds(10) && $0.app == app })
        var persona = listener
        persona.forceQuitsPerDay = 100
        var device = TestWorld.device()
        let follows: (inout AppModel) -> Void = { app in
            app.traits.followsLocation = true
            app.popularity = 50
        }
        let (others, fewer) = (RowCollector(), RowCollector())
        let outlived = simulate(
            specification(persona: persona, device: device, days: 3, trait: follows), sink: others)
        device.modes.locationOutlivesForceQuit = false
        let blocked = simulate(
            specification(persona: persona, device: device, days: 3, trait: follows), sink: fewer)
        #expect(abs(outlived("event_launches_per_day") * 3 - Double(eventLaunches(others))) < 1e-9)
        #expect(abs(blocked("event_launches_per_day") * 3 - Double(eventLaunches(fewer))) < 1e-9)
        // Order is the claim: for how long an app stays force-quit is drawn.
        #expect(blocked("event_launches_per_day") < outlived("event_launches_per_day"))
    }

    @Test func `F39: an accessory runs its app, unless it was force-quit`() {
        let worn: (inout AppModel) -> Void = { app in
            app.traits.bluetoothEventsPerDay = 100
            app.popularity = 50
        }
        let calm = simulate(specification(persona: listener, trait: worn))
        // 200 in two days; three deviations of their number are 42.
        #expect(abs(2 * calm("event_launches_per_day") - 200) < 42)
        var persona = listener
        persona.forceQuitsPerDay = 200
        let rows = RowCollector()
        let cut = simulate(specification(persona: persona, trait: worn), sink: rows)
        #expect(abs(2 * cut("event_launches_per_day") - Double(eventLaunches(rows))) < 1e-9)
        // Order is the claim: for how long the app stays force-quit is drawn.
        #expect(cut("event_launches_per_day") < calm("event_launches_per_day"))
    }

    // MARK: Calls

    @Test func `F39: a call launches its app whatever its state, and holds it as long as it lasts`() {
        var persona = TestWorld.persona
        persona.interruption = LogNormal(median: .minutes(2), sigma: 0.3)
        let rows = RowCollector()
        let outcome = simulate(specification(persona: persona, days: 4) { $0.traits.callsPerDay = 10 }, sink: rows)
        let calls = rows.requests.filter { $0.work == .call }
        #expect(calls.count > 20)
        #expect(calls.allSatisfy { $0.outcome == "success" })
        let (begins, ends) = (
            rows.events.filter { $0.event == .modeBegin }, rows.events.filter { $0.event == .modeEnd }
        )
        let held = ends.reduce(0) { $0 + $1.time.seconds } - begins.reduce(0) { $0 + $1.time.seconds }
        #expect(begins.count == ends.count && abs(outcome("held_s_per_day") - held / 4) < 1e-6)
    }

    @Test func `an app that reports no calls is ended, and after three such pushes launched no more`() {
        let rows = RowCollector()
        let outcome = simulate(
            specification(days: 4) { app in
                app.traits.callsPerDay = 100
                app.traits.reportsCalls = 0
                app.popularity = 0
            }, sink: rows)
        let launches = rows.events.filter { $0.app == app && $0.event == .launch }
        #expect(launches.count == 3)
        #expect(outcome("exits_bg_abnormal_per_day") == 3.0 / 4)
        let sent = rows.requests.count { $0.work == .call }
        #expect(outcome("missed_calls_per_day") == Double(sent) / 4 && abs(sent - 400) < 60)
        #expect(outcome("held_s_per_day") == 0)
    }

    // MARK: Transfers

    private func transfers(_ rows: RowCollector) -> [RequestRow] { rows.requests.filter { $0.work == .transfer } }

    @Test func `a transfer goes on without its app, which is told at the end`() {
        let rows = RowCollector()
        let outcome = simulate(
            specification(persona: listener, days: 4) { app in
                app.traits.transfersPerDay = 6
                app.traits.transferBytes = .mebibytes(200)
            }, sink: rows)
        let done = transfers(rows).filter { $0.outcome == "success" }
        #expect(done.count > 5)
        #expect(rows.requests.contains { $0.work == .transferDone })
        // Those that were wanted since the app last ran go together, and each of them counts.
        var counted = 0
        for row in done {
            let (transfers, rest) = (row.bytes[.wifi] + row.bytes[.cellular])
                .quotientAndRemainder(dividingBy: 200 * 1_048_576)
            #expect(transfers > 0 && rest == 0)
            counted += Int(transfers)
        }
        #expect(outcome("transfers_per_day") == Double(counted) / 4)
    }

    @Test func `a discretionary transfer waits for power and Wi-Fi`() {
        let change: (inout AppModel) -> Void = { app in
            app.traits.transfersPerDay = 6
            app.traits.transferBytes = .mebibytes(50)
        }
        let rows = RowCollector()
        let prompt = simulate(specification(persona: listener, days: 4, trait: change))
        let patient = simulate(
            specification(persona: listener, days: 4) { app in
                change(&app)
                app.traits.transferIsDiscretionary = true
            }, sink: rows)
        let moved = transfers(rows).filter { $0.outcome == "success" }
        #expect(!moved.isEmpty && moved.allSatisfy { $0.bytes[.cellular] == 0 && $0.bytes[.wifi] >= 50 * 1_048_576 })
        // Order is the claim: the one waits for a network, the other for the evening's charger.
        #expect(patient("transfer_delay_s_p95") > 4 * prompt("transfer_delay_s_p95"))
    }

    @Test func `a force quit cancels what is under way`() {
        var persona = listener
        persona.forceQuitsPerDay = 100
        let rows = RowCollector()
        _ = simulate(
            specification(persona: persona, days: 4) { app in
                app.popularity = 10
                app.traits.transfersPerDay = 30
                app.traits.transferBytes = .mebibytes(200)
                app.traits.transferIsDiscretionary = true
            }, sink: rows)
        #expect(transfers(rows).contains { $0.outcome == "cancelled" })
    }

    // MARK: Widgets, fetch, work

    @Test func `a widget that is seen often is reloaded 40 to 72 times a day`() {
        let rows = RowCollector()
        let with = simulate(specification(days: 6) { $0.traits.hasWidget = true }, sink: rows)
        let without = simulate(specification(days: 6) { _ in })
        #expect(with("widget_reloads_per_day") >= 40 && with("widget_reloads_per_day") <= 72)
        #expect(without("widget_reloads_per_day").isNaN)
        let reloads = rows.days.reduce(0) { $0 + Int($1.widgetReloads) }
        #expect(abs(with("widget_reloads_per_day") * 6 - Double(reloads)) < 1e-9)
        // Order is the claim; to the joule: tests of reloads.
        #expect(with("background_energy_wh_per_day") > without("background_energy_wh_per_day"))
    }

    @Test func `fetches that find nothing come less often`() {
        func refreshes(_ usesFetch: Bool, content: Double, fails: Double = 0) -> Double {
            let apps = TestWorld.apps(10) { app in
                app.contentPerDay = content
                app.traits.usesFetch = usesFetch
                app.traits.refreshFails = fails
            }
            return simulate(TestWorld.specification(apps: apps, days: 3, scheduling: "immediate"))("refreshes_per_day")
        }
        // Order is the claim: how a fetch is put off when it found nothing is the policy's matter.
        let idle = refreshes(true, content: 0.1)
        #expect(idle < 0.5 * refreshes(false, content: 0.1))
        #expect(idle < 0.7 * refreshes(true, content: 200))
        #expect(refreshes(false, content: 24, fails: 1) == 0)
    }

    @Test func `memory that work takes leaves less room for others`() {
        let device = TestWorld.device(ram: .gibibytes(3))
        func resident(_ size: ByteCount) -> Double {
            let apps = TestWorld.apps(40) { $0.traits.workFootprint = size }
            let run = TestWorld.specification(apps: apps, device: device, days: 3, scheduling: "immediate")
            return simulate(run)("resident_apps_mean")
        }
        // Order is the claim: whom the work drives out depends on what else there is.
        #expect(resident(.mebibytes(150)) < resident(.zero))
    }

    @Test func `everything at once closes every book`() {
        var persona = listener
        persona.forceQuitsPerDay = 20
        persona.charging.nightProbability = 0.3
        let apps = TestWorld.apps(30) { app in
            app.traits.silentPushesPerDay = 40
            app.traits.hasNotificationService = true
            app.traits.callsPerDay = 1
            app.traits.reportsCalls = 0.7
            app.activity = .music
            app.traits.followsLocation = true
            app.traits.bluetoothEventsPerDay = 10
            app.traits.transfersPerDay = 3
            app.traits.transferBytes = .mebibytes(60)
            app.traits.transferUpShare = 0.5
            app.traits.hasWidget = true
            app.traits.usesFetch = true
            app.traits.refreshFails = 0.1
            app.traits.workFootprint = .mebibytes(40)
        }
        var device = TestWorld.device(ram: .gibibytes(2))
        device.power.battery.health = 0.15
        let run = TestWorld.specification(apps: apps, persona: persona, device: device, days: 4)
        let outcome = simulate(run)
        #expect(outcome.ledgerError < 1e-9)
        #expect(outcome.fingerprint == simulate(run).fingerprint)
        #expect(outcome("dead_hours_per_day") > 0)
        #expect(outcome("silent_pushes_per_day") > 10)
    }
}
