// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
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

/// What is held or switched on for an owner ends with the owner.
@Suite struct HeldByOwnerTests {
    private func makeCore(_ change: (inout DeviceModel) -> Void) -> PhoneCore {
        var device = TestWorld.device()
        change(&device)
        let (measures, catalogue) = MetricCatalog.declared
        return PhoneCore(
            TestWorld.specification(apps: TestWorld.apps(3), device: device), catalogue, measures.core, sink: nil)
    }

    /// Two tasks run and one waits when the phone restarts; after the restart two can run again.
    @Test func `a restart ends running and waiting tasks, and their slots are free afterwards`() throws {
        var day = ScriptedDay([
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "110,open,app-1,5", "120,open,app-2,5", "130,lock,,",
            "135,restart,,120", "1000,unlock,,", "1000,open,app-0,5", "1010,open,app-1,5", "1020,lock,,",
        ])
        day.device.os = try #require(OSProfile.named("ios-26", ram: day.device.memory.ram))
        day.device.habits.workSigma = 0
        for index in day.apps.indices {
            day.apps[index].traits.continuedShare = 1
            day.apps[index].traits.continuedTime = .minutes(1)
        }
        let tasks = try day.run(tables: [.requests]).rows.requests.filter { $0.work == .continued }
        let before = tasks.filter { $0.submitted < .seconds(135) }
        #expect(before.map(\.app) == [AppID(0), AppID(1), AppID(2)])
        #expect(before.allSatisfy { $0.outcome == "failed" && $0.ended == .seconds(135) })
        #expect(before.map { $0.started == .distantFuture } == [false, false, true])
        let after = tasks.filter { $0.submitted > .seconds(135) }
        #expect(after.map(\.app) == [AppID(0), AppID(1)])
        #expect(after.allSatisfy { $0.outcome == "success" && $0.started == $0.submitted })
    }

    /// The app is left at 40,060 s and would be followed for up to six hours.
    @Test func `a restart ends a workout, and the receiver stays off afterwards`() throws {
        let rows = ["40000,unlock,,", "40000,open,app-0,60", "40100,lock,,", "40120,restart,,"]
        let day = ScriptedDay.plain(rows) { $0.traits.trackingPerDay = .days(1) }
        let (outcome, found) = try day.run(tables: [.events, .deviceHours])
        #expect(found.events.filter { $0.event == .trackingEnd }.map(\.time) == [.seconds(40_120)])
        #expect(outcome("tracked_s_per_day") == 60)
        // All of it is in the hour from 39,600 s on.
        let power = day.device.power.peripherals.locationPower.watts
        #expect(abs(found.hours[11].locationJoules / (power * 60) - 1) < 1e-6)
        #expect(found.hours.dropFirst(12).allSatisfy { $0.locationJoules == 0 })
    }

    /// Pieces of two minutes at 16 kB/s begin at 40,060 s and at 40,180 s; the next would begin at 40,300 s.
    @Test(arguments: ["restart,,", "force_quit,app-0,"])
    func `music whose process ends fetches no further piece`(end: String) throws {
        func bytes(_ share: Double) throws -> Double {
            let rows = ["0,network,,wifi", "100,unlock,,", "40000,open,app-0,60", "40100,lock,,", "40200,\(end)"]
            var day = ScriptedDay.plain(rows) { $0.activity = .music }
            day.device.modes.musicStreamedShare = share
            day.persona.background.audioPerDay = .hours(23.9)
            return try day.run().outcome("wifi_bytes_per_day")
        }
        // Two pieces of 120 s * 16,000 B/s.
        #expect(try bytes(1) - bytes(0) == 3_840_000)
    }

    @Test func `a telephone call lets go of the phone at its end and when the phone goes off`() {
        var core = makeCore { $0.interruptions = InterruptionParameters() }
        var calls = Interruptions(core, MetricCatalog.declared.measures.interruptions)
        let idle = core.power.totalPower
        calls.incoming(of: .system, .minutes(10), &core)
        calls.answeredTimer(&core)
        let first = core.power.totalPower
        calls.overTimer(&core)
        let between = core.power.totalPower
        #expect(first != idle && between == idle)
        // The next call is one, because the first one is over.
        calls.incoming(of: .system, .minutes(10), &core)
        calls.answeredTimer(&core)
        let second = core.power.totalPower
        #expect(second == first)
        core.power.restart(after: .minute, at: core.now)
        calls.losePower(&core)
        let isAnsweredPending = core.engine.isPending(Slots.device(.callAnswered))
        let isOverPending = core.engine.isPending(Slots.device(.callOver))
        #expect(!isAnsweredPending && !isOverPending)
        // Nothing is left to be released later.
        calls.overTimer(&core)
        let off = core.power.totalPower
        #expect(off == .zero)
    }

    /// An unanswered call rings for 25 s, an alarm for 10 s.
    @Test func `sound is back when the last call or alarm is over`() {
        var parameters = InterruptionParameters()
        (parameters.callsPerDay, parameters.alertsPerDay) = (0, 1)
        var device = TestWorld.device()
        device.interruptions = parameters
        var phone = Phone(TestWorld.specification(apps: TestWorld.apps(3), device: device), sink: nil)
        phone.start()
        phone.behaviours.interruptions.incoming(of: .system, nil, &phone.core)
        phone.behaviours.interruptions.timer(&phone.core)
        let due = phone.core.engine.time(of: Slots.device(.soundBack))
        #expect(due == SimTime.seconds(25))
        // A call that is answered and over before does not end the silence.
        phone.behaviours.interruptions.incoming(of: AppID(0), .second, &phone.core)
        phone.behaviours.propagate(&phone.core)
        phone.behaviours.interruptions.overTimer(&phone.core)
        let isEarly = phone.core.hasNews
        phone.behaviours.interruptions.soundTimer(&phone.core)
        let isBack = phone.core.hasNews
        #expect(!isEarly && isBack)
    }

    @Test func `a part is paid for again only after the last of its users has ended`() {
        var core = makeCore { $0.power.peripherals.starts.gps = .joules(5) }
        var gps = WakeHardware()
        gps.usesGPS = true
        var parts = PartsInUse()
        var joules: [Double] = []
        // Apps 0 and 1 begin, app 0 ends, app 2 begins; then both others end, and app 0 begins again.
        parts.begin(gps, AppID(0), &core)
        joules.append(core.power.energy(of: .location).joules)
        parts.begin(gps, AppID(1), &core)
        parts.end(gps)
        parts.begin(gps, AppID(2), &core)
        joules.append(core.power.energy(of: .location).joules)
        parts.end(gps)
        parts.end(gps)
        parts.begin(gps, AppID(0), &core)
        joules.append(core.power.energy(of: .location).joules)
        #expect(joules == [5, 5, 10])
    }
}
