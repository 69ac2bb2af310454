// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

/// Android's scheduler against the constants of its sources.
@Suite struct JobSchedulerTests {
    // MARK: Doze

    private let still = (since: SimTime.zero, deep: SimTime.zero + DozeSchedule.deepLead)

    private func next(_ doze: DozeSchedule, after idle: SimDuration) -> SimDuration? {
        doze.nextWindow(still, at: .zero + idle).map { $0 - .zero }
    }

    @Test func `the first night without jobs has the maintenance windows that follow from the constants`() {
        let doze = DozeSchedule(mode: .full)
        var (windows, lengths): ([Double], [Int]) = ([], [])
        var wasOpen = true
        for second in 0..<24 * 3600 {
            let isOpen = next(doze, after: .seconds(Double(second))) == nil
            if isOpen, !wasOpen {
                windows.append(Double(second) / 60)
                lengths.append(0)
            }
            if isOpen, !lengths.isEmpty { lengths[lengths.count - 1] += 1 }
            wasOpen = isOpen
        }
        // Light: after a minute 5, 10, 15, 15 and 15 min apart. Deep: from 64.5 min on 1, 2, 4, 6 and 6 h apart.
        let light = [360, 965, 1870, 2775, 3680].map { $0 / 60.0 }
        #expect(windows == light + [124.5, 245, 485.5, 846, 1206.5])
        #expect(lengths == [5, 5, 5, 5, 5, 30, 30, 30, 30, 30])
    }

    @Test func `a closed window names the next one`() {
        let doze = DozeSchedule(mode: .full)
        #expect(next(doze, after: .seconds(59.9)) == nil)
        #expect(next(doze, after: .minutes(1)) == .minutes(6))
        #expect(next(doze, after: .seconds(365)) == .seconds(965))
        // The light window at 76 min lies beyond the start of deep doze.
        #expect(next(doze, after: .minutes(63)) == .minutes(124.5))
        #expect(next(doze, after: .minutes(64.6)) == .minutes(124.5))
        #expect(next(doze, after: .minutes(125)) == .minutes(245))
        #expect(next(DozeSchedule(mode: .light), after: .minutes(63)) == .seconds(3685 + 900))
        #expect(next(DozeSchedule(mode: .off), after: .hours(5)) == nil)
    }

    @Test func `jobs put light doze off, by three minutes at most`() {
        for (end, begins) in [(30.0, 60.0), (90, 90), (1000, 240)] {
            var doze = DozeSchedule(mode: .full)
            doze.begin(still, at: .zero)
            // One that ends later is under way at the question.
            if end <= begins { doze.end(at: .zero + .seconds(end)) }
            #expect(doze.nextWindow(still, at: .zero + .seconds(begins - 0.1)) == nil)
            #expect(doze.nextWindow(still, at: .zero + .seconds(begins)) == .zero + .seconds(begins + 300))
        }
    }

    @Test func `a window stays open while jobs run, within a budget that short windows add to`() {
        var doze = DozeSchedule(mode: .full)
        doze.begin(still, at: .zero + .seconds(361))
        doze.end(at: .zero + .seconds(380))
        #expect(next(doze, after: .seconds(379.9)) == nil)
        // Idle for 10 min from the end of the job on; 40 s of the first minute are left.
        #expect(next(doze, after: .seconds(380)) == .seconds(980))
        doze.begin(still, at: .zero + .seconds(980))
        #expect(next(doze, after: .seconds(980 + 99.9)) == nil)
        #expect(next(doze, after: .seconds(980 + 100)) == .seconds(980 + 100 + 900))
        // That took 40 s more than a minute, so that a minute is left again, with the job still under way.
        #expect(next(doze, after: .seconds(1980 + 59.9)) == nil)
        #expect(next(doze, after: .seconds(1980 + 60)) == .seconds(1980 + 60 + 900))
    }

    @Test func `a window of deep doze is open for five minutes, then ten, where jobs run`() {
        var doze = DozeSchedule(mode: .full)
        doze.begin(still, at: .zero + .minutes(124.6))
        #expect(next(doze, after: .minutes(129.4)) == nil)
        #expect(next(doze, after: .minutes(129.5)) == .minutes(249.5))
        #expect(next(doze, after: .minutes(259.4)) == nil)
        #expect(next(doze, after: .minutes(259.5)) == .minutes(499.5))
        // Ended at once, the window is open for half a minute.
        doze = DozeSchedule(mode: .full)
        doze.begin(still, at: .zero + .minutes(124.6))
        doze.end(at: .zero + .minutes(124.7))
        #expect(next(doze, after: .minutes(124.9)) == nil)
        #expect(next(doze, after: .minutes(125)) == .minutes(245))
    }

    @Test func `a phone that is taken in hand between begins anew`() {
        var doze = DozeSchedule(mode: .full)
        doze.begin(still, at: .zero + .seconds(10))
        let later = (since: SimTime.zero + .minutes(20), deep: SimTime.zero + .minutes(20) + DozeSchedule.deepLead)
        doze.end(at: .zero + .minutes(22))
        #expect(doze.nextWindow(later, at: .zero + .minutes(22)) == .zero + .minutes(27))
    }

    @Test func `a dozing phone holds jobs until a window, a charger or a hand`() throws {
        var policy = try PolicyBench.policy("jobscheduler")
        var request = Samples.refresh()
        request.lastOpened = Samples.now - .minutes(50)
        var device = Samples.locked()
        device.lockedSince = Samples.now - .minutes(30)
        let held = policy.decide(request, device)
        #expect(held.rule == .doze)
        #expect(held.reconsider == Samples.now + .seconds(1870 - 1800))
        #expect(held.wakeOn == [.pluggedIn, .unlocked])
        // Idleness begins when the phone is taken off the charger.
        device.unpluggedSince = Samples.now - .seconds(50)
        #expect(policy.decide(request, device).proceed)
        device.unpluggedSince = .zero
        device.pluggedIn = true
        #expect(policy.decide(request, device).proceed)
        device.pluggedIn = false
        #expect(!policy.decide(request, device).proceed)
        // A screen that is on is no doze, even on the lock screen.
        device.screenOn = true
        #expect(policy.decide(request, device).proceed)
    }

    // MARK: Motion

    private static let moving: [Double] = [2, 3, 1, 1, 1860, 0, 16, 0, 0]

    /// The phone of a policy that looks at motion, locked at this instant; `at` is in minutes after it.
    private func device(at minutes: Double) -> DeviceConditions {
        var device = Samples.locked()
        device.lockedSince = Samples.now
        device.now = Samples.now + .minutes(minutes)
        return device
    }

    private func minutes(_ time: SimTime?) -> Double? { time.map { ($0 - Samples.now).seconds / 60 } }

    @Test func `a phone that is moved before deep doze dozes deeply later, and lightly as before`() throws {
        var policy = try PolicyBench.policy("jobscheduler", Self.moving)
        #expect(policy.followsMotion)
        // For half an hour nobody looks.
        let moved1 = policy.didMove(device(at: 29))
        #expect(!moved1)
        #expect(minutes(policy.nextWindow(device(at: 65))) == 124.5)
        let moved2 = policy.didMove(device(at: 40))
        #expect(!moved2)
        // Ten minutes inactive, thirty pending, four and a half to be sure: 84.5.
        #expect(minutes(policy.nextWindow(device(at: 70))) == 4585.0 / 60)
        #expect(policy.idleUntil(device(at: 84)) == nil)
        #expect(minutes(policy.nextWindow(device(at: 84.6))) == 144.5)
        #expect(minutes(policy.idleUntil(device(at: 84.5))) == 144.5)
        // What is taken up and locked again begins anew.
        var later = device(at: 200)
        later.lockedSince = Samples.now + .minutes(190)
        #expect(minutes(policy.nextWindow(later)) == 190 + 965.0 / 60)
        #expect(policy.idleUntil(later) == nil)
    }

    @Test func `a phone that is moved in deep doze wakes, and begins anew`() throws {
        var policy = try PolicyBench.policy("jobscheduler", Self.moving)
        #expect(minutes(policy.nextWindow(device(at: 70))) == 124.5)
        let moved3 = policy.didMove(device(at: 70))
        #expect(moved3)
        #expect(policy.nextWindow(device(at: 70.9)) == nil)
        #expect(minutes(policy.nextWindow(device(at: 71))) == 76)
        // For ten minutes nobody looks again; then deep doze is put off, and light doze goes on.
        let moved4 = policy.didMove(device(at: 79))
        #expect(!moved4)
        #expect(policy.idleUntil(device(at: 114.4)) == nil)
        #expect(minutes(policy.idleUntil(device(at: 114.5))) == 174.5)
        let moved5 = policy.didMove(device(at: 80))
        #expect(!moved5)
        #expect(policy.idleUntil(device(at: 124.4)) == nil)
        #expect(minutes(policy.idleUntil(device(at: 124.5))) == 184.5)
        let decision = policy.decide(Samples.refresh(), device(at: 75))
        #expect(decision.wakeOn == [.pluggedIn, .unlocked, .moved])
    }

    @Test func `only deep doze holds alarms, and a phone that is taken to lie still hears of no motion`() throws {
        var still = try PolicyBench.policy("jobscheduler", [2, 0, 1, 1, 1860, 0, 16, 0, 0])
        let hasMoved = still.didMove(device(at: 70))
        #expect(!still.followsMotion && !hasMoved)
        #expect(still.idleUntil(device(at: 64)) == nil)
        #expect(minutes(still.idleUntil(device(at: 64.5))) == 124.5)
        #expect(still.idleUntil(device(at: 124.9)) == nil)
        #expect(minutes(still.idleUntil(device(at: 125))) == 245)
        let light = try PolicyBench.policy("jobscheduler", [2, 1, 1, 1, 1860, 0, 16, 0, 0])
        #expect(light.idleUntil(device(at: 70)) == nil)
        #expect(minutes(light.nextWindow(device(at: 70))) == 4585.0 / 60)
    }

    // MARK: Buckets and quotas

    @Test func `an app is in the last bucket whose two thresholds are exceeded`() {
        func bucket(_ screen: Double, _ wall: Double) -> StandbyBucket {
            StandbyBucket(screenTime: .hours(screen), wall: .hours(wall))
        }
        #expect(bucket(0.5, 11.9) == .active)
        #expect(bucket(0.5, 12) == .workingSet)
        #expect(bucket(0.5, 500) == .workingSet)
        #expect(bucket(1, 24) == .frequent)
        #expect(bucket(2, 48) == .rare)
        #expect(bucket(50, 47) == .frequent)
        #expect(bucket(6, 191.9) == .rare)
        #expect(bucket(6, 192) == .restricted)
    }

    /// Starts of an app that always wants to run, in the given time, without Doze or batching.
    private func starts(
        _ screen: Double, _ wall: Double, every: Double = 5, lasting: Double = 2, hours: Double, values: [Double],
        change: (inout DeviceConditions) -> Void = { _ in }
    ) throws -> Int {
        var policy = try PolicyBench.policy("jobscheduler", values)
        var device = Samples.locked()
        change(&device)
        var count = 0
        var request = Samples.refresh()
        for minute in stride(from: 0, to: hours * 60, by: every) {
            device.now = Samples.now + .minutes(minute)
            request.lastOpened = device.now - .hours(wall)
            request.screenTimeSinceOpened = .hours(screen)
            request.deadline = device.now + .day
            guard policy.decide(request, device).proceed else { continue }
            count += 1
            request.lastRun = device.now
            policy.didFinish(request, foundNewContent: false, at: device.now + .seconds(lasting))
        }
        return count
    }

    static let plain: [Double] = [0, 2, 1, 1, 1860, 0, 16, 0, 0]

    @Test func `sessions are what binds: 10 in 2 h, 8 in 8 h, 3 a day, 1 a day`() throws {
        #expect(try starts(0, 13, hours: 2, values: Self.plain) == 10)
        #expect(try starts(1, 25, hours: 8, values: Self.plain) == 8)
        #expect(try starts(2, 49, hours: 24, values: Self.plain) == 3)
        #expect(try starts(6, 200, hours: 24, values: Self.plain) == 1)
        // Three days of a rare app: three a day, as the window rolls on.
        #expect(try starts(2, 49, hours: 72, values: Self.plain) == 9)
        // In use: never in want of quota with short jobs.
        #expect(try starts(0, 1, hours: 8, values: Self.plain) == 96)
        var present = Self.plain
        present[0] = 1
        #expect(try starts(0, 13, hours: 4, values: present) == 10)
        #expect(try starts(1, 25, hours: 12, values: present) == 8)
    }

    @Test func `ten minutes of run time are all that a window holds`() throws {
        // Five jobs of two minutes fill the ten; the next starts when 30 s are back, two hours and half a minute later.
        #expect(try starts(0, 13, every: 10, lasting: 120, hours: 2, values: Self.plain) == 5)
        var ledger = QuotaLedger()
        let quota = StandbyBucket.workingSet.quota
        ledger.record(AppID(3), from: .seconds(0), to: .seconds(600))
        #expect(ledger.nextAllowed(AppID(3), quota, at: .seconds(600)) == .seconds(7200 + 30))
        #expect(ledger.nextAllowed(AppID(3), quota, at: .seconds(7230)) == .seconds(7230))
        #expect(ledger.nextAllowed(AppID(2), quota, at: .seconds(600)) == .seconds(600))
    }

    @Test func `an active app has 75 sessions in its window, and twenty minutes in all of them`() {
        var ledger = QuotaLedger()
        let quota = StandbyBucket.active.presentQuota
        // Sessions of 20 s, one a minute: 30 of them lie in the 30 minutes before 31 min, 600 s of the 1,200 s.
        for minute in 0..<31 {
            ledger.record(AppID(0), from: .seconds(Double(minute) * 60), to: .seconds(Double(minute) * 60 + 20))
        }
        #expect(ledger.used(AppID(0), quota, at: .seconds(1860)) == .seconds(600))
        #expect(ledger.nextAllowed(AppID(0), quota, at: .seconds(1860)) == .seconds(1860))
        // Sessions of 50 s, one a minute: the twenty-fourth uses up the twenty minutes.
        for minute in 0..<24 {
            ledger.record(AppID(1), from: .seconds(Double(minute) * 60), to: .seconds(Double(minute) * 60 + 50))
        }
        // 30 s of the first session, which began at 0 s, must leave the window of 30 minutes.
        #expect(ledger.nextAllowed(AppID(1), quota, at: .seconds(1430)) == .seconds(30 + 1800))
        // Sessions of 1 s every 10 s: the seventy-fifth is the last, until the first, which ended at 1 s, has left.
        for number in 0..<75 {
            let begin = SimTime.seconds(Double(number) * 10)
            #expect(ledger.nextAllowed(AppID(2), quota, at: begin) == begin)
            ledger.record(AppID(2), from: begin, to: begin + .seconds(1))
        }
        #expect(ledger.nextAllowed(AppID(2), quota, at: .seconds(750)) == .seconds(1 + 1800))
    }

    @Test func `jobs less than five seconds apart are one session`() {
        var ledger = QuotaLedger()
        for second in stride(from: 0.0, to: 60, by: 6) {
            ledger.record(AppID(0), from: .seconds(second), to: .seconds(second + 2))
        }
        let quota = StandbyBucket.rare.quota
        #expect(ledger.nextAllowed(AppID(0), quota, at: .seconds(60)) == .seconds(60))
        ledger.record(AppID(0), from: .seconds(100), to: .seconds(101))
        #expect(ledger.nextAllowed(AppID(0), quota, at: .seconds(110)) == .seconds(110))
        ledger.record(AppID(0), from: .seconds(200), to: .seconds(201))
        // Three sessions: the first of them, which ended at 56 s, has to leave.
        #expect(ledger.nextAllowed(AppID(0), quota, at: .seconds(210)) == .seconds(56) + .day)
    }

    @Test func `a charger lifts the quota of all but restricted apps`() throws {
        #expect(try starts(2, 49, hours: 24, values: Self.plain) { $0.pluggedIn = true } == 288)
        // Nothing ran off the charger, so that nothing is charged even to a restricted app.
        #expect(try starts(6, 200, hours: 24, values: Self.plain) { $0.pluggedIn = true } == 288)
    }

    // MARK: Batching

    private func idle(_ count: Int) -> [BenchJob] {
        // Not opened for 13 h: the working set, which is batched.
        (0..<count).map { .at($0, from: 46_800 + Double($0) * 60, to: 200_000) }
    }

    @Test func `four jobs wait 31 minutes, a fifth releases them all`() throws {
        let values: [Double] = [2, 2, 5, 1, 1860, 0, 16, 0, 0]
        var four = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: PolicyBench.pocket)
        #expect(four.run(idle(4)).map { $0?.seconds } == Array(repeating: 46_800 + 1860, count: 4))
        var five = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: PolicyBench.pocket)
        #expect(five.run(idle(5)).map { $0?.seconds } == Array(repeating: 46_800 + 240, count: 5))
    }

    @Test func `apps in use are not batched`() throws {
        var bench = PolicyBench(
            try PolicyBench.policy("jobscheduler", [2, 2, 5, 1, 1860, 0, 16, 0, 0]), device: PolicyBench.pocket)
        #expect(bench.run([.at(0, from: 100, to: 90_000)]) == [.seconds(100)])
    }

    // MARK: Flexible constraints

    @Test func `wishes drop at 50, 60, 70 and 80 percent of twelve hours`() throws {
        let values: [Double] = [2, 2, 1, 1, 1860, 1, 16, 0, 0]
        // In a pocket on cellular one constraint is met, the battery; the phone turns idle after 31 min.
        let job = BenchJob.at(0, from: 0, to: 86_400)
        var bench = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: PolicyBench.pocket)
        #expect(bench.run([job]).map { $0?.seconds } == [0.6 * 43_200])
        // On Wi-Fi three of four are met.
        var device = PolicyBench.pocket
        device.network = .wifi
        var wifi = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: device)
        #expect(wifi.run([job]).map { $0?.seconds } == [0.5 * 43_200])
        // A charger at last makes all four.
        let plug = PolicyBench.Moment(time: .seconds(7200), change: .pluggedIn) { $0.pluggedIn = true }
        var plugged = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: device)
        #expect(plugged.run([job], moments: [plug]).map { $0?.seconds } == [7200])
        // A deadline two hours off: all wishes drop a quarter of an hour before.
        var short = PolicyBench(try PolicyBench.policy("jobscheduler", values), device: PolicyBench.pocket)
        #expect(short.run([.at(0, from: 0, to: 7200)]).map { $0?.seconds } == [6300])
    }
}
