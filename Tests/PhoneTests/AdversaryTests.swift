// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Glibc
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

/// Policies that kill whom the phone is just at work on, and scheduling by whim: whoever dies, the phone goes on.
@Suite struct AdversaryTests {
    /// Both families, with much memory and with little.
    private static let systems: [(String, Double)] = [
        ("ios-18", 4), ("ios-14", 2), ("android-13", 3), ("android-15", 6),
    ]

    private static let distances = list("FLOTSAM_ADVERSARY_DISTANCES")?.compactMap { Int($0) } ?? [1, 7]
    private static let days = list("FLOTSAM_ADVERSARY_DAYS")?.first.flatMap { Double($0) } ?? 0.5

    private static func list(_ name: String) -> [Substring]? {
        getenv(name).map { String(cString: $0).split(separator: ",") }
    }

    /// Ends of one app in the rows, whatever ended it, and starts.
    private func check(_ rows: [EventRow], _ app: AppID) {
        let mine = rows.filter { $0.app == app }
        let starts = mine.count { $0.from == .notRunning && $0.to != .notRunning }
        let ends = mine.count { $0.from != .notRunning && $0.to == .notRunning }
        #expect(starts == ends || starts == ends + 1, "\(app): \(starts) starts, \(ends) ends")
    }

    @Test(arguments: systems, Adversary.Order.allCases)
    func `whoever dies in whatever a phone does, it goes on, and each process ends as often as it began`(
        system: (String, Double), order: Adversary.Order
    ) {
        // Each distance between two kills meets other calls; with 1 nobody lives longer than an instant.
        for every in Self.distances {
            let specification = BusyWorld.specification(
                system.0, ram: .gibibytes(system.1), days: Self.days, seed: UInt64(every),
                Adversary(order, every: every, seed: UInt64(every)))
            let rows = RowCollector()
            var phone = Phone(specification, sink: rows)
            phone.start()
            phone.run(until: phone.core.end)
            let outcome = phone.outcome()
            #expect(outcome("kills_per_day") > 10)
            for index in specification.apps.indices { check(rows.events, AppID(index)) }
        }
    }

    /// A core of one app and its helpers or daemons, on which the policy kills in the question of that number.
    private func core(_ change: (inout DeviceModel) -> Void = { _ in }, every: Int) -> PhoneCore {
        var device = TestWorld.device()
        change(&device)
        var specification = TestWorld.specification(apps: [BusyWorld.app(0)], device: device)
        specification.makeEviction = { _ in Adversary(.touched, every: every, seed: 1) }
        let (measures, catalogue) = MetricCatalog.declared
        return PhoneCore(specification, catalogue, measures.core, sink: nil)
    }

    @Test func `each change of a process says whether that one lives, and leaves one that is gone alone`() {
        let app = AppID(0)
        var core = core(every: 1)
        var lives = [core.launch(app, foreground: false, footprint: .mebibytes(10)).lives]
        lives.append(core.prewarm(app, footprint: .mebibytes(10)))
        lives.append(core.spawn(app, ProcessTraits(), footprint: .mebibytes(10)))
        #expect(core.processes.kills.count == 3)
        lives.append(core.resume(app, foreground: true))
        lives.append(core.enterBackground(app, window: 0, audio: false))
        lives.append(core.setFootprint(of: app, to: .mebibytes(20)))
        lives.append(core.setBand(of: app, to: 100))
        lives.append(core.compressColdPages(of: app, share: 0.5))
        lives.append(core.stop(app))
        lives.append(core.setDirty(true, of: app))
        lives.append(core.assert(band: 100, of: app))
        lives.append(core.dropAssertion(of: app))
        #expect(lives.allSatisfy { !$0 })
        core.killNow(app)
        core.jettison(app)
        core.recordUse(of: app)
        #expect(core.processes.kills.count == 3 && core.processes.footprint(of: app) == .zero)
    }

    /// The changes of a process in the background, each as the one that kills it.
    private static let changes: [@Sendable (inout PhoneCore, AppID) -> Bool] = [
        { core, app in core.setFootprint(of: app, to: .mebibytes(20)) },
        { core, app in core.setBand(of: app, to: 100) },
        { core, app in core.compressColdPages(of: app, share: 0.5) },
        { core, app in core.stop(app) },
        { core, app in core.assert(band: 100, of: app) },
        { core, app in core.dropAssertion(of: app) },
        { core, app in core.resume(app, foreground: true) },
    ]

    @Test(arguments: changes.indices)
    func `a change that kills the process it is about answers so`(number: Int) {
        let app = AppID(0)
        var spared = core(every: .max)
        let lives = [
            spared.launch(app, foreground: false, footprint: .mebibytes(10)).lives, Self.changes[number](&spared, app),
        ]
        #expect(lives == [true, true])
        // A launch that steps up to its footprint at once is one question.
        var killed = core(every: 2)
        let dies = [
            killed.launch(app, foreground: false, footprint: .mebibytes(10)).lives, Self.changes[number](&killed, app),
        ]
        #expect(dies == [true, false])
        #expect(killed.processes.kills.map(\.app) == [app])
    }

    @Test func `an app that is killed by what it lets go of near its limit does not grow on`() {
        for every in 1...6 {
            var core = core(every: every)
            let app = AppID(0)
            var visits = Visits(&core, MetricCatalog.declared.measures.visits)
            let size = core.processes.limit(of: app).size * 0.95
            guard core.launch(app, foreground: true, footprint: size).lives else { continue }
            core.front.app = app
            visits.growthTimer(app, &core)
            #expect(core.processes.kills.count <= 1)
        }
    }

    @Test func `an app that was started in the background before its end was told comes back to the screen`() {
        var phone = Phone(TestWorld.specification(apps: TestWorld.apps(3)), sink: nil)
        phone.start()
        let app = AppID(0)
        let intent = Intent(.open, at: .zero, app: app)
        phone.behaviours.visits.wantOpen(intent, plannedEnd: .zero + .minutes(5), &phone.core)
        phone.behaviours.visits.comeToFront(app, &phone.core)
        #expect(phone.core.processes.state(of: app) == .inactive)
        phone.core.exit(app, .badAccess, reopens: true)
        _ = phone.core.bringUp(app)
        #expect(phone.core.processes.state(of: app) == .background)
        let end = ProcessEnd(app: app, outcome: .failed, reopens: true, wasKilled: false)
        phone.behaviours.visits.processEnded(end, &phone.core)
        #expect(phone.core.processes.state(of: app) == .inactive)
    }
}
