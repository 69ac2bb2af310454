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

    /// A wake-up that nothing may move by more than a minute: the radio's, the processor's, or both.
    private func fixed(_ app: Int, at minute: Double, _ kind: RequestKind, network: Bool) -> BenchJob {
        var one = job(app, floor: minute)
        (one.kind, one.needsNetwork, one.deadline) = (kind, network, .minutes(minute + 1))
        return one
    }

    @Test func `the same hardware comes before partly shared, and that before none in common`() {
        let same = fixed(0, at: 120, .refresh, network: true)
        let partly = fixed(1, at: 110, .processing, network: true)
        let disjoint = fixed(2, at: 100, .processing, network: false)
        // The radio's request may wait from 90 to 157.5 min within its window, and to 176.4 within its grace.
        let request = job(3, floor: 90)
        let late = fixed(0, at: 160, .refresh, network: true)
        let cases: [([BenchJob], Double)] = [
            ([disjoint, partly, same], 120), ([same, partly, disjoint], 120), ([disjoint, partly], 110),
            ([disjoint], 100), ([late, partly], 160), ([late, fixed(1, at: 120, .refresh, network: true)], 120),
            ([fixed(0, at: 177, .refresh, network: true)], 90),
        ]
        for (wakes, expected) in cases {
            var bench = PolicyBench(Simty(), device: PolicyBench.pocket)
            let starts = minutes(bench.run(wakes + [request]))
            #expect(starts.last == expected)
            #expect(starts.dropLast() == wakes.map { $0.floor.seconds / 60 }[...])
        }
    }

    @Test func `a wake-up keeps the earliest end of grace of its members`() {
        // The first may wait until 39.2 min, the second until 33 only, so that the third, of 36, finds no room.
        var second = job(1, floor: 30)
        second.deadline = .minutes(33)
        var bench = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(bench.run([job(0, floor: 20), second, job(2, floor: 36)])) == [30, 30, 36])
    }

    @Test func `grace lets a wake-up be shared that no window reaches`() {
        let jobs = [job(0, floor: 20), job(1, floor: 37)]
        // The window of the first ends at 35 min, its grace at 39.2.
        var aligned = PolicyBench(native(), device: PolicyBench.pocket)
        #expect(minutes(aligned.run(jobs)) == [20, 37])
        var similar = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(similar.run(jobs)) == [37, 37])
    }

    private func part(_ job: BenchJob, _ change: (inout WakeHardware) -> Void) -> BenchJob {
        var job = job
        change(&job.hardware)
        return job
    }

    @Test func `an exact alarm has no window, and a grace under SIMTY`() {
        var exact = job(0, floor: 20)
        exact.isExact = true
        var aligned = PolicyBench(native(), device: PolicyBench.pocket)
        #expect(minutes(aligned.run([exact, job(1, floor: 30)])) == [20, 30])
        // The grace ends at 39.2 min.
        var similar = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(similar.run([exact, job(1, floor: 30)])) == [30, 30])
    }

    @Test func `work that the user notices waits for no longer than its window`() {
        let heard = part(job(0, floor: 20)) { $0.sounds = true }
        var first = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(first.run([heard, job(1, floor: 37)])) == [20, 37])
        var within = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(within.run([heard, job(1, floor: 34)])) == [34, 34])
        let seen = part(job(1, floor: 37)) { $0.lightsScreen = true }
        var second = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(second.run([job(0, floor: 20), seen])) == [20, 37])
        let shaken = part(job(1, floor: 37)) { $0.vibrates = true }
        var third = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(third.run([job(0, floor: 20), shaken])) == [20, 37])
    }

    @Test func `positions are joined to positions, wherever other wake-ups are earlier`() {
        var parts: [BenchJob] = [(0, 100.0), (1, 120.0)].map { fixed($0.0, at: $0.1, .refresh, network: false) }
        parts[0].hardware.sensesMotion = true
        parts[1].hardware.locates = true
        var request = job(2, floor: 90)
        request.needsNetwork = false
        request.hardware.locates = true
        var bench = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(bench.run(parts + [request])) == [100, 120, 120])
        // Who uses no part is like nobody: the earliest of all.
        request.hardware = []
        var plain = PolicyBench(Simty(), device: PolicyBench.pocket)
        #expect(minutes(plain.run(parts + [request])) == [100, 120, 100])
    }

    @Test func `wake-ups joined by their grace alone have no window to share`() {
        // 20 and 37 min fire at 37; of those that a third of 30 may join, only that of 45 shares its window, to 52.5.
        let later = fixed(2, at: 45, .refresh, network: true)
        var bench = PolicyBench(Simty(), device: PolicyBench.pocket)
        let starts = bench.run([job(0, floor: 20), job(1, floor: 37), later, job(3, floor: 30)])
        #expect(minutes(starts) == [37, 37, 45, 45])
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
