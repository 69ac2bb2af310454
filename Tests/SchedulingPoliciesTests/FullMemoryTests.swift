// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import SchedulingPolicies

/// Ledgers and counts that are used for much longer than they look back.
@Suite struct FullMemoryTests {
    @Test func `after ten days of hourly runs the ledger of a day has the last 24 of each app`() {
        var ledger = DayLedger()
        // The runs of the two apps are in one pool, in turn: a minute of app 0, and half an hour later two of app 1.
        for hour in 0..<240 {
            let start = Double(hour) * 60
            ledger.record(AppID(0), from: .minutes(start), to: .minutes(start + 1))
            ledger.record(AppID(1), from: .minutes(start + 30), to: .minutes(start + 32))
        }
        // Now it is 239 * 60 + 32 = 14,372 min; a day ago it was 12,932 min. The runs from 12,960 min on count, and
        // the one that ended at 12,932 min does not.
        let now = SimTime.minutes(14_372)
        #expect(ledger.used(AppID(0), at: now) == .minutes(24))
        #expect(ledger.used(AppID(1), at: now) == .minutes(48))
        // A minute less is left when the first of these runs has left: 12,960 + 1 + 1,440 min.
        #expect(ledger.instant(ofUsing: .minutes(23), AppID(0), at: now) == .minutes(14_401))
        // Two runs and half of the third of app 1: 12,990 + 120 + 1 + 1,440 min.
        #expect(ledger.instant(ofUsing: .minutes(43), AppID(1), at: now) == .minutes(14_551))
    }

    @Test func `each minute of an app with many jobs lets twenty begin`() {
        var rate = StartRate()
        func next(_ second: Double, _ app: Int = 2) -> Double {
            rate.nextAllowed(AppID(app), at: .seconds(second)).seconds
        }
        for minute in 0..<3 {
            let first = Double(minute) * 60
            for job in 0..<20 {
                #expect(next(first + Double(job)) == first + Double(job))
                rate.begin(AppID(2), at: .seconds(first + Double(job)))
            }
            #expect(next(first + 20) == first + 60 && next(first + 60) == first + 60)
            #expect(next(first + 20, 1) == first + 20)
        }
        // After a pause the minute begins with the next job, at 250 s.
        for job in 0..<20 { rate.begin(AppID(2), at: .seconds(250 + Double(job))) }
        #expect(next(270) == 310)
    }

    /// The screen went off at the time of the samples; light doze begins a minute later if no job runs.
    @Test func `the end of work that the policy did not start ends none of its jobs`() throws {
        var values = JobSchedulerTests.plain
        values[1] = 0
        var policy = try PolicyBench.policy("jobscheduler", values)
        var device = Samples.locked()
        device.lockedSince = Samples.now
        // Work that began under another policy.
        var earlier = Samples.refresh()
        earlier.app = AppID(1)
        policy.didFinish(earlier, foundNewContent: false, at: Samples.now)
        device.now = Samples.now + .seconds(30)
        let decision = policy.decide(Samples.refresh(), device)
        #expect(decision.proceed)
        // The job puts doze off by three minutes at most; then doze is idle for five minutes.
        func next(_ seconds: Double) -> SimTime? {
            device.now = Samples.now + .seconds(seconds)
            return policy.nextWindow(device)
        }
        #expect(next(90) == nil)
        #expect(next(240) == Samples.now + .minutes(9))
    }

    @Test func `a line that a thousand requests have passed through is empty and owes no waiting`() {
        var line = WaitingLine()
        var request = Samples.refresh()
        for index in 0..<1000 {
            request.app = AppID(index % 50)
            line.enter(request, at: .seconds(Double(index) / 3))
            #expect(line.count == 1)
            line.leave(request)
            // A second removal changes nothing.
            line.leave(request)
        }
        #expect(line.count == 0 && line.waited(at: .seconds(1000)) == 0)
        #expect(line.instant(ofWaiting: 1) == .distantFuture)
        // Of two requests, one enters twice: it keeps its first instant. 30 s + 10 s at 100 s.
        for (app, second) in [(0, 70.0), (1, 90), (0, 95)] {
            request.app = AppID(app)
            line.enter(request, at: .seconds(second))
        }
        #expect(line.count == 2 && line.waited(at: .seconds(100)) == 40)
    }
}
