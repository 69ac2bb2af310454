// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// Properties that schedulers must have whatever happens (the fourth and the first are with TailEnder and the oracle;
/// those of eviction are elsewhere).
@Suite struct PolicyPropertyTests {
    /// Work over a day and a half on a phone that is charged at night and is on Wi-Fi for parts of the day.
    private struct Day {
        var jobs: [BenchJob]
        var moments: [PolicyBench.Moment]

        init(_ seed: UInt64) {
            var random = PolicyRandom(seed: seed)
            jobs = (0..<40).map { app in
                let submitted = random.nextUniform() * 60_000
                let floor = submitted + random.nextUniform() * 7200
                return .at(app, from: floor, to: floor + 40_000, submitted: submitted)
            }
            moments = []
            for _ in 0..<12 {
                let time = SimTime.seconds(random.nextUniform() * 90_000)
                switch Int(random.nextUniform() * 6) {
                case 0: moments.append(.init(time: time, change: .pluggedIn) { $0.pluggedIn = true })
                case 1: moments.append(.init(time: time, change: []) { $0.pluggedIn = false })
                case 2: moments.append(.init(time: time, change: .wifiJoined) { $0.network = .wifi })
                case 3: moments.append(.init(time: time, change: []) { $0.network = .cellular })
                case 4: moments.append(.init(time: time, change: .radioUp) { $0.radioIsUp = true })
                default: moments.append(.init(time: time, change: []) { $0.radioIsUp = false })
                }
            }
        }

        func run(_ policy: any SchedulingPolicy) -> [SimTime?] {
            var bench = PolicyBench(policy, device: PolicyBench.pocket)
            return bench.run(jobs, moments: moments)
        }

        /// Whether the phone was on the charger at an instant.
        func isPlugged(at time: SimTime) -> Bool {
            var device = PolicyBench.pocket
            for moment in moments.sorted(by: { $0.time < $1.time }) where moment.time <= time { moment.apply(&device) }
            return device.pluggedIn
        }
    }

    @Test(arguments: SchedulingPolicies.all.map(\.descriptor.name))
    func `nothing starts before its floor or after its deadline`(name: String) throws {
        for seed in 1...5 {
            let day = Day(UInt64(seed))
            for (job, start) in zip(day.jobs, day.run(try PolicyBench.policy(name))) {
                guard let start else { continue }
                #expect(start >= job.floor && start < job.deadline)
            }
        }
    }

    @Test func `property 2: waiting for the charger spends least of the battery per piece of work`() throws {
        for seed in 1...5 {
            let day = Day(UInt64(seed))
            func share(_ name: String) throws -> Double? {
                let starts = day.run(try PolicyBench.policy(name)).compactMap { $0 }
                guard !starts.isEmpty else { return nil }
                return Double(starts.filter { !day.isPlugged(at: $0) }.count) / Double(starts.count)
            }
            let least = try share("charger-and-wifi") ?? 0
            for name in SchedulingPolicies.all.map(\.descriptor.name) {
                if let other = try share(name) { #expect(least <= other, "\(name)") }
            }
            #expect(least == 0)
        }
    }

    @Test func `property 3: starting at once has the least delay`() throws {
        for seed in 1...5 {
            let day = Day(UInt64(seed))
            let soonest = day.run(Immediate())
            for (job, start) in zip(day.jobs, soonest) { #expect(start == job.floor) }
        }
    }

    @Test func `property 7: the Lyapunov knob goes from at once to the last chance`() throws {
        for seed in 1...5 {
            let day = Day(UInt64(seed))
            #expect(day.run(adjusted(Lyapunov()) { $0.v = 0 }) == day.run(Immediate()))
            // Nothing but a free occasion or the last second before a deadline starts any work.
            var bench = PolicyBench(adjusted(Lyapunov()) { $0.v = 1e9 }, device: PolicyBench.pocket)
            let starts = bench.run(day.jobs)
            let chances = Set(day.jobs.map { $0.deadline - .second })
            for start in starts { #expect(start.map(chances.contains) == true) }
        }
    }

    @Test func `property 8: jobs without quotas, Doze and batches start as soon as their constraints allow`() throws {
        for seed in 1...5 {
            let day = Day(UInt64(seed))
            let free = try PolicyBench.policy("jobscheduler", [2, 2, 1, 1, 1860, 0, 1000, 0, 0])
            #expect(day.run(free) == day.run(Immediate()))
        }
    }

    @Test func `a policy that holds everything back says what it waits for`() throws {
        for entry in SchedulingPolicies.all {
            var policy = entry.make(entry.descriptor.defaultArguments(seed: 1))
            let answer = policy.decide(Samples.refresh(likelihood: 0), PolicyBench.pocket)
            #expect(answer.proceed || answer.reconsider < .distantFuture || answer.wakeOn != [])
        }
    }
}
