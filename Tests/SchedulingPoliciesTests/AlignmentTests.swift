// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// Windows and batches of alarms against what Android's sources and the papers say of them.
@Suite struct AlignmentTests {
    private func native(lazy: Bool = false) -> NativeAlignment {
        adjusted(NativeAlignment()) { $0.isLazy = lazy }
    }

    private func job(_ app: Int, submitted: Double = 0, floor: Double) -> BenchJob {
        BenchJob(
            app: app, submitted: .minutes(submitted), floor: .minutes(floor), deadline: .minutes(floor) + .day)
    }

    private func minutes(_ starts: [SimTime?]) -> [Double?] { starts.map { $0.map { $0.seconds / 60 } } }

    @Test func `a window is three quarters of the interval, nothing under ten seconds, an hour at most`() {
        var request = Samples.refresh()
        request.earliestBegin = request.submitted + .minutes(20)
        #expect(native().window(of: request) == .minutes(15))
        request.earliestBegin = request.submitted + .seconds(9.9)
        #expect(native().window(of: request) == .zero)
        request.earliestBegin = request.submitted + .seconds(10)
        #expect(native().window(of: request) == .seconds(7.5))
        request.earliestBegin = request.submitted + .hours(8)
        #expect(native().window(of: request) == .hour)
    }

    @Test func `a batch fires at the latest start of its members, within every window`() {
        // Windows in minutes: 20 to 35, 30 to 52.5; 60 to 105 stands alone.
        let jobs = [job(0, floor: 20), job(1, floor: 30), job(2, floor: 60)]
        var bench = PolicyBench(native(), device: PolicyBench.pocket)
        #expect(minutes(bench.run(jobs)) == [30, 30, 60])
    }

    @Test func `an alarm joins the first batch that it overlaps`() {
        // 40 to 70 overlaps neither 20 to 35 nor joins before 36; 30 to 52.5 joins the first of both.
        let jobs = [job(0, floor: 20), job(1, floor: 40), job(2, floor: 30)]
        var bench = PolicyBench(native(), device: PolicyBench.pocket)
        #expect(minutes(bench.run(jobs)) == [30, 40, 30])
    }

    @Test func `lazy batching fires at the earliest window end, with all whose window is open`() {
        let jobs = [job(0, floor: 20), job(1, floor: 30), job(2, floor: 60)]
        var bench = PolicyBench(native(lazy: true), device: PolicyBench.pocket)
        #expect(minutes(bench.run(jobs)) == [35, 35, 105])
    }

    @Test func `nothing runs outside its window, and batches save wakes`() {
        var random = PolicyRandom(seed: 5)
        for isLazy in [false, true] {
            var wakes = 0
            for _ in 0..<50 {
                let jobs = (0..<12).map { app in job(app, floor: (1 + random.nextUniform() * 90).rounded()) }
                var bench = PolicyBench(native(lazy: isLazy), device: PolicyBench.pocket)
                let starts = bench.run(jobs)
                for (job, start) in zip(jobs, starts) {
                    let window = min(.hour, (job.floor - job.submitted) * 0.75)
                    #expect(start.map { $0 >= job.floor && $0 <= job.floor + window } == true)
                }
                wakes += Set(starts.compactMap { $0 }).count
            }
            #expect(wakes < 50 * 6)
        }
    }

    @Test func `similar hardware is preferred over an earlier wake-up`() {
        var processing = job(0, floor: 20)
        processing.kind = .processing
        processing.needsNetwork = false
        // The second of the radio's wake-ups is later than the processor's and is joined all the same.
        let jobs = [processing, job(1, floor: 25), job(2, floor: 18)]
        var bench = PolicyBench(adjusted(Simty()) { $0.window = 0.1 }, device: PolicyBench.pocket)
        let starts = minutes(bench.run(jobs))
        #expect(starts[2] == starts[1])
        #expect(starts[2] == 25)
        #expect(starts[0] == 20 || starts[0] == 25)
    }

    @Test func `grace lets a wake-up be shared that no window reaches`() {
        let jobs = [job(0, floor: 20), job(1, floor: 37)]
        // The window of the first ends at 35 min, its grace at 39.2.
        var aligned = PolicyBench(native(), device: PolicyBench.pocket)
        #expect(minutes(aligned.run(jobs)) == [20, 37])
        var similar = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(similar.run(jobs)) == [37, 37])
    }

    @Test func `a batch that shares the window comes before an earlier one that only shares the grace`() {
        // Windows in minutes: 20 to 35 with a grace to 39.2, 50 to 87.5; 36 to 63 with a grace to 70.6.
        let jobs = [job(0, floor: 20), job(1, floor: 50), job(2, floor: 36)]
        var bench = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(bench.run(jobs)) == [20, 50, 50])
    }
}

extension SimTime {
    static func minutes(_ value: Double) -> SimTime { .zero + .minutes(value) }
}
