// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

/// Expedited jobs, run times and rates of Android's scheduler, against the constants of QuotaController.
@Suite struct JobLimitTests {
    /// The policy without Doze and batches; whether run times follow the quota.
    private func policy(dozes: Bool = false, runsByQuota: Bool = false) throws -> any SchedulingPolicy {
        var values = JobSchedulerTests.plain
        values[1] = dozes ? 0 : 2
        values[7] = runsByQuota ? 1 : 0
        return try PolicyBench.policy("jobscheduler", values)
    }

    /// A request of an app that was opened so many hours of the wall and of the screen ago.
    private func request(wall: Double, screen: Double = 0, expedited: Bool = false, at now: SimTime) -> RequestView {
        var request = Samples.refresh()
        request.lastOpened = now - .hours(wall)
        request.screenTimeSinceOpened = .hours(screen)
        request.deadline = now + .days(2)
        request.isExpedited = expedited
        return request
    }

    @Test func `twenty jobs of an app begin in a minute that starts with the first`() throws {
        var policy = try policy()
        var device = Samples.locked()
        for second in 0..<20 {
            device.now = Samples.now + .seconds(Double(second))
            var one = request(wall: 1, at: device.now)
            #expect(policy.decide(one, device).proceed)
            one.lastRun = device.now
            policy.didFinish(one, foundNewContent: false, at: device.now)
        }
        device.now = Samples.now + .seconds(20)
        let held = policy.decide(request(wall: 1, at: device.now), device)
        #expect(!held.proceed && held.rule == .quota && held.reconsider == Samples.now + .minute)
        // Neither another app nor one on a charger is held.
        var other = request(wall: 1, at: device.now)
        other.app = AppID(1)
        #expect(policy.decide(other, device).proceed)
        var plugged = device
        plugged.pluggedIn = true
        #expect(policy.decide(request(wall: 1, at: device.now), plugged).proceed)
        device.now = Samples.now + .minute
        #expect(policy.decide(request(wall: 1, at: device.now), device).proceed)
    }

    @Test func `Doze, batches and buckets leave an app alone that may use the battery without restriction`() throws {
        // Dark for two hours, and of an app that was not opened for nine days.
        for (isFree, isHeld) in [(false, true), (true, false)] {
            var values = JobSchedulerTests.plain
            values[1] = 0
            values[2] = 5
            var policy = try PolicyBench.policy("jobscheduler", values)
            var device = Samples.locked()
            device.lockedSince = Samples.now - .hours(2)
            device.unpluggedSince = device.lockedSince
            var one = request(wall: 216, screen: 20, at: device.now)
            one.isUnrestricted = isFree
            #expect(policy.decide(one, device).proceed != isHeld)
        }
    }

    /// Jobs of fifteen minutes, one after the other, in a day.
    @Test(arguments: [(0.0, 96), (1, 16)])
    func `of quotas only the hours of a day limit such an app, from Android 16 on`(column: Double, count: Int) throws {
        var values = JobSchedulerTests.plain
        values[0] = column
        var policy = try PolicyBench.policy("jobscheduler", values)
        var device = Samples.locked()
        var begun = 0
        for quarter in 0..<96 {
            device.now = Samples.now + .minutes(Double(quarter) * 15)
            var one = request(wall: 216, screen: 20, at: device.now)
            one.isUnrestricted = true
            guard policy.decide(one, device).proceed else { continue }
            begun += 1
            one.lastRun = device.now
            policy.didFinish(one, foundNewContent: true, at: device.now + .minutes(15))
        }
        #expect(begun == count)
    }

    @Test func `four hours in a day are all that an app in use may run`() throws {
        var policy = try policy()
        var device = Samples.locked()
        var starts: [Double] = []
        for quarter in 0..<192 {
            device.now = Samples.now + .minutes(Double(quarter) * 15)
            var one = request(wall: 1, at: device.now)
            let decision = policy.decide(one, device)
            guard decision.proceed else {
                if quarter == 48 { #expect(decision.reconsider == Samples.now + .day + .seconds(30)) }
                continue
            }
            starts.append(Double(quarter) / 4)
            one.lastRun = device.now
            policy.didFinish(one, foundNewContent: false, at: device.now + .minutes(5))
        }
        // Five minutes each: forty-eight in twelve hours, and as many when the day has passed since.
        #expect(starts.count == 96)
        #expect(starts[47] == 11.75)
        #expect(starts[48] == 24.25)
    }

    @Test func `an expedited job starts in Doze while its ten minutes of the day last`() throws {
        var policy = try policy(dozes: true)
        var device = Samples.locked()
        device.lockedSince = Samples.now - .minutes(30)
        func decide(_ after: Double, expedited: Bool = true) -> SchedulingDecision {
            device.now = Samples.now + .minutes(after)
            return policy.decide(request(wall: 49, screen: 2, expedited: expedited, at: device.now), device)
        }
        func run(from: Double, to: Double) {
            var one = request(wall: 49, screen: 2, expedited: true, at: device.now)
            one.lastRun = Samples.now + .minutes(from)
            policy.didFinish(one, foundNewContent: false, at: Samples.now + .minutes(to))
        }
        #expect(decide(0, expedited: false).rule == .doze)
        #expect(decide(0).proceed)
        run(from: 0, to: 6)
        #expect(decide(7).proceed)
        run(from: 7, to: 11)
        // Ten minutes are used up: an ordinary job, which Doze holds.
        #expect(decide(12).rule == .doze)
        // A day after the first began its time comes back, whoever dozes.
        device.lockedSince += .day
        #expect(decide(1440).rule == .doze)
        #expect(decide(1441).proceed)
    }

    @Test func `expedited time by bucket is that of Android 12 to 15, and of 16`() {
        #expect(StandbyBucket.allCases.map { $0.expeditedTime(isPresent: false) / .minute } == [30, 30, 10, 10, 5])
        #expect(StandbyBucket.allCases.map { $0.expeditedTime(isPresent: true) / .minute } == [30, 15, 10, 10, 5])
    }

    @Test(arguments: [(false, 30.0), (true, 300.0)])
    func `time on screen gives back ten seconds for each piece, of what was used`(isPresent: Bool, piece: Double) {
        var ledger = ExpeditedLedger(isPresent: isPresent)
        let app = AppID(3)
        func at(_ seconds: Double) -> SimTime { Samples.now + .seconds(seconds) }
        // Nobody earns in advance.
        ledger.recordUse(of: app, from: at(0), to: at(piece))
        ledger.record(app, from: at(1000), to: at(1100))
        #expect(ledger.used(app, at: at(1100)) == .seconds(100))
        // Two whole pieces and one second: thirty seconds; of less than a second nothing.
        ledger.recordUse(of: app, from: at(2000), to: at(2000 + 2 * piece + 1))
        #expect(ledger.used(app, at: at(3000)) == .seconds(70))
        ledger.recordUse(of: app, from: at(4000), to: at(4000.9))
        #expect(ledger.used(app, at: at(5000)) == .seconds(70))
        ledger.recordUse(of: app, from: at(5000), to: at(5000 + 20 * piece))
        #expect(ledger.used(app, at: at(20_000)) == .zero)
        // What was earned goes with what it was earned of.
        ledger.record(app, from: at(90_000), to: at(90_040))
        #expect(ledger.used(app, at: at(90_100)) == .seconds(40))
        #expect(ledger.used(AppID(1), at: at(90_100)) == .zero)
    }

    @Test func `what begins within a minute after its app was left is free of charge`() throws {
        var policy = try policy(dozes: true)
        var device = Samples.locked()
        device.lockedSince = Samples.now - .minutes(30)
        func run(at minute: Double) -> Bool {
            device.now = Samples.now + .minutes(minute)
            var one = request(wall: 49, screen: 2, expedited: true, at: device.now)
            guard policy.decide(one, device).proceed else { return false }
            one.lastRun = device.now
            policy.didFinish(one, foundNewContent: false, at: device.now + .minutes(10))
            return true
        }
        let app = request(wall: 1, at: Samples.now).app
        policy.didUse(app, from: Samples.now - .minutes(2), to: Samples.now)
        // The first ten minutes are free, so that those of the day are left for the second; Doze holds the third.
        #expect(run(at: 1))
        #expect(run(at: 12))
        #expect(!run(at: 23))
        var ledger = ExpeditedLedger(isPresent: false)
        ledger.recordUse(of: app, from: Samples.now, to: Samples.now + .minute)
        #expect(ledger.isFree(app, at: Samples.now + .minutes(2)))
        #expect(!ledger.isFree(app, at: Samples.now + .minutes(2) + .seconds(1)))
        #expect(!ledger.isFree(AppID(9), at: Samples.now + .minutes(2)))
    }

    @Test func `a job runs as long as its quota lasts, and for half an hour with a charger`() throws {
        var policy = try policy(runsByQuota: true)
        var device = Samples.locked()
        func runtime(wall: Double, screen: Double = 0, expedited: Bool = false) -> SimDuration? {
            let one = request(wall: wall, screen: screen, expedited: expedited, at: device.now)
            return policy.decide(one, device).runtime
        }
        #expect(runtime(wall: 1) == .minutes(30))
        #expect(runtime(wall: 13) == .minutes(10))
        var one = request(wall: 13, at: device.now)
        one.lastRun = device.now
        policy.didFinish(one, foundNewContent: false, at: device.now + .minutes(4))
        device.now += .minutes(4)
        #expect(runtime(wall: 13) == .minutes(6))
        #expect(runtime(wall: 49, screen: 2, expedited: true) == .minutes(10))
        device.pluggedIn = true
        #expect(runtime(wall: 13) == .minutes(30))
        var fixed = try self.policy()
        #expect(fixed.decide(request(wall: 13, at: device.now), device).runtime == nil)
    }

    @Test func `the ledger of a day counts what lies within it, and says when enough has left`() {
        var ledger = DayLedger()
        ledger.record(AppID(2), from: .minutes(0), to: .minutes(10))
        ledger.record(AppID(2), from: .minutes(100), to: .minutes(120))
        ledger.record(AppID(0), from: .minutes(0), to: .minutes(1))
        #expect(ledger.used(AppID(2), at: .minutes(120)) == .minutes(30))
        #expect(ledger.used(AppID(2), at: .minutes(1440 + 4)) == .minutes(26))
        #expect(ledger.used(AppID(2), at: .minutes(1440 + 105)) == .minutes(15))
        #expect(ledger.instant(ofUsing: .minutes(25), AppID(2), at: .minutes(120)) == .minutes(1440 + 5))
        #expect(ledger.instant(ofUsing: .minutes(5), AppID(2), at: .minutes(120)) == .minutes(1440 + 115))
        #expect(ledger.instant(ofUsing: .minutes(30), AppID(2), at: .minutes(120)) == .minutes(120))
        // What has left for good is dropped, and the sum with it.
        ledger.record(AppID(2), from: .minutes(3000), to: .minutes(3001))
        #expect(ledger.used(AppID(2), at: .minutes(3001)) == .minutes(1))
        #expect(ledger.used(AppID(7), at: .minutes(3001)) == .zero)
    }
}
