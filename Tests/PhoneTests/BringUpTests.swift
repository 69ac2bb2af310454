// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import LifeCycle
import Measures
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

/// One way brings a process up in the background, whatever the reason.
@Suite struct BringUpTests {
    private static let app = AppID(0)

    private func makeCore() -> PhoneCore {
        let (measures, catalogue) = MetricCatalog.declared
        return PhoneCore(TestWorld.specification(apps: TestWorld.apps(3)), catalogue, measures.core, sink: nil)
    }

    @Test func `a launch draws the same and takes the same time for a refresh and for an event`() {
        var forEvent = makeCore()
        forEvent.run(Self.app, for: EventPlan(.location, for: forEvent))
        var forTask = makeCore()
        var requests = Requests(forTask, MetricCatalog.declared.measures.requests)
        requests.startWork(Self.app, .refresh, runtime: nil, &forTask)
        #expect(forEvent.power.totalPower == forTask.power.totalPower)
        let eventTime = forEvent.engine.time(of: Slots.app(Self.app, .event))
        #expect(eventTime == forTask.engine.time(of: Slots.app(Self.app, .work)))
        // A cold launch takes 0.7 s on an efficiency core at its highest clock.
        let factor = forTask.power.processor.workLaunchFactor
        #expect(abs((eventTime?.seconds ?? 0) - 0.7 * factor) < 1e-8)
        #expect(forEvent.processes.state(of: Self.app) == .background)
    }

    @Test func `the last release suspends, and not the one before`() {
        var core = makeCore()
        _ = core.bringUp(Self.app)
        let idle = core.power.totalPower
        let load = AssertionLoad(cause: .backgroundTask, processor: .milliwatts(100))
        let first = core.acquire(Self.app, .event, load)
        let second = core.acquire(Self.app, .continued, load)
        core.release(first)
        #expect(core.processes.state(of: Self.app) == .background)
        core.release(second)
        #expect(core.processes.state(of: Self.app) == .suspended)
        #expect(core.power.totalPower == idle)
    }

    /// Every reason for which an app executes in the background, with or without a grace after work.
    @Test(arguments: [AssertionReason.task, .event, .call, .playback, .continued], [0, 4.0])
    func `the last release starts the grace after work, whatever the reason`(
        reason: AssertionReason, grace: Double
    ) throws {
        var device = TestWorld.device()
        device.os.lifeCycle.workGrace = .seconds(grace)
        let (measures, catalogue) = MetricCatalog.declared
        var core = PhoneCore(
            TestWorld.specification(apps: TestWorld.apps(3), device: device), catalogue, measures.core, sink: nil)
        let asleep = core.power.totalPower
        _ = core.bringUp(Self.app)
        let assertion = core.acquire(
            Self.app, reason, AssertionLoad(cause: .backgroundTask, processor: .milliwatts(100)))
        core.release(assertion)
        let due = core.engine.time(of: Slots.app(Self.app, .lifeCycle))
        guard grace > 0 else {
            #expect(core.processes.state(of: Self.app) == .suspended)
            #expect(due == nil)
            return
        }
        #expect(core.processes.state(of: Self.app) == .background)
        #expect(due == .zero + .seconds(grace))
        // The phone stays awake, and nothing computes.
        let awake = core.device.power.platform.awakePower
        #expect(abs((core.power.totalPower - asleep - awake).watts) < 1e-12)
        let slot = core.engine.next(notAfter: .zero + .seconds(grace))
        #expect(slot == Slots.app(Self.app, .lifeCycle))
        core.graceTimer(Self.app)
        #expect(core.processes.state(of: Self.app) == .suspended)
        #expect(core.power.totalPower == asleep)
    }

    @Test func `death releases all that an app holds, and a stale release does nothing`() {
        var core = makeCore()
        _ = core.bringUp(Self.app)
        let idle = core.power.totalPower
        let load = AssertionLoad(cause: .backgroundTask, processor: .milliwatts(100))
        let first = core.acquire(Self.app, .task, load)
        _ = core.acquire(Self.app, .call, AssertionLoad(cause: .backgroundTask, processor: .milliwatts(50)))
        #expect(core.conditions.runningLaunches == 1)
        core.exit(Self.app, .abnormal)
        #expect(!core.assertions.holdsAny(Self.app))
        #expect(core.power.totalPower == idle)
        #expect(core.conditions.runningLaunches == 0)
        _ = core.bringUp(Self.app)
        let next = core.acquire(Self.app, .task, load)
        core.release(first)
        let isHeld = core.isHeld(next)
        #expect(isHeld)
    }

    /// A refresh waits for its server since 4,359 s when its app is opened.
    @Test func `opening an app at work neither suspends nor resumes it in between`() throws {
        let visits = ["100,unlock,,", "100,open,app-0,60", "300,lock,,", "4380,unlock,,", "4380,open,app-0,60"]
        var day = ScriptedDay(["0,network,,wifi"] + visits + ["5000,lock,,"]) {
            $0.refreshPeriod = .hours(1)
            $0.refreshWait = .seconds(1800)
        }
        day.scheduling = "immediate"
        day.device.background.refreshLimit = .hours(1)
        day.device.background.shortGrantShare = 0
        let (_, rows) = try day.run(tables: [.events, .requests, .callbacks])
        let opened = try #require(rows.events.last { $0.event == .launch && $0.to == .inactive })
        #expect(opened.time == .zero + .seconds(4380))
        #expect(opened.from == .background && opened.launchKind == .resume)
        let same = rows.events.filter { $0.app == AppID(0) && $0.time == opened.time }
        #expect(same.map(\.event) == [.launch])
        let work = try #require(rows.requests.first { $0.ended == opened.time })
        #expect(work.outcome == "cancelled")
        // It is suspended once, five seconds after it is left.
        let suspended = rows.events.filter { $0.event == .suspend && $0.time > opened.time }.map(\.time)
        #expect(suspended.first == .zero + .seconds(4445))
    }

    /// A refresh and a processing task of one app are due at 4,000 s: the second waits for the end of the first.
    @Test func `an app goes from one piece of work to the next without being suspended`() throws {
        let rows = ["0,network,,wifi", "5,plug,,10", "100,unlock,,", "100,open,app-0,60", "400,lock,,"]
        var day = ScriptedDay.plain(rows) {
            $0.refreshPeriod = .seconds(3840)
            $0.processingPeriod = .seconds(3840)
            $0.processingTime = .seconds(5)
        }
        day.scheduling = "immediate"
        let (_, found) = try day.run(tables: [.events, .requests])
        let work = found.requests.filter { $0.app == AppID(0) && $0.started != .distantFuture }.prefix(2)
        #expect(work.count == 2)
        let (first, second) = (try #require(work.first), try #require(work.last))
        #expect(Set(work.map(\.work)) == [.refresh, .processing])
        #expect(first.outcome == "success" && second.started == first.ended)
        let rest = found.events.filter { $0.app == AppID(0) && $0.time >= first.started && $0.time <= second.ended }
        #expect(rest.map(\.event) == [.launch, .launch, .suspend])
        #expect(rest.last?.time == second.ended)
        #expect(rest.dropFirst().first?.from == .background && rest.dropFirst().first?.launchKind == nil)
    }

    @Test func `a call is one launch, and its app is never suspended at the instant at which it begins`() throws {
        var apps = TestWorld.apps(4)
        apps[0].traits.callsPerDay = 20
        let rows = RowCollector()
        _ = simulate(TestWorld.specification(apps: apps, days: 6, tables: [.events]), sink: rows)
        let begun = rows.events.filter { $0.event == .modeBegin }
        #expect(begun.count > 60)
        for call in begun {
            let same = rows.events.filter { $0.app == call.app && $0.time == call.time }
            #expect(!same.contains { $0.event == .suspend }, "suspended at \(call.time)")
            // A suspended app resumes at once, so that its one launch may stand at this instant too.
            #expect(same.count { $0.event == .launch } <= 1, "launched again at \(call.time)")
        }
    }
}
