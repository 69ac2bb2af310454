// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// The oracle against every schedule there is, and against every rival.
///
/// Its objective: the age at the open of what was fetched, counted beyond slack and lead, added over the apps; then the
/// number of instants at which work starts without a free occasion.
@Suite struct ClairvoyantTests {
    private static let slack = 3.0
    private static let lead = 1.0

    private struct Case {
        var floors: [Double]
        var opens: [Double]
        var free: [Double]

        init(apps: Int, span: Double, _ random: inout PolicyRandom) {
            floors = (0..<apps).map { _ in (random.nextUniform() * span * 0.7).rounded() }
            opens = floors.map { ($0 + random.nextUniform() * span * 0.6).rounded() }
            free = (0..<2).compactMap { _ in random.nextUniform() < 0.6 ? (random.nextUniform() * span).rounded() : nil
            }
        }

        var jobs: [BenchJob] {
            floors.indices.map { app in
                var job = BenchJob.at(app, from: floors[app], to: opens[app] + 1000)
                job.nextOpen = .seconds(opens[app])
                return job
            }
        }

        /// The radio is up for an instant.
        var moments: [PolicyBench.Moment] {
            Set(free).sorted().flatMap { time -> [PolicyBench.Moment] in
                [
                    .init(time: .seconds(time), change: .radioUp) { $0.radioIsUp = true },
                    .init(time: .seconds(time + 0.25), change: []) { $0.radioIsUp = false },
                ]
            }
        }

        func cost(_ starts: [Double?]) -> (staleness: Double, wakes: Int) {
            var staleness = 0.0
            var paid: [Double] = []
            for (start, open) in zip(starts, opens) {
                let served = start.map { $0 + lead <= open } ?? false
                let age = served ? open - (start ?? 0) : open + 100
                staleness += max(0, age - slack - lead)
                if let start, !free.contains(start), !paid.contains(start) { paid.append(start) }
            }
            return (staleness, paid.count)
        }

        func run(_ policy: any SchedulingPolicy) -> (staleness: Double, wakes: Int) {
            var bench = PolicyBench(policy, device: PolicyBench.pocket)
            // What starts after the open is of no use to it, but paid for.
            return cost(bench.run(jobs, moments: moments).map { $0?.seconds })
        }

        /// The least over every combination of whole instants, and of leaving work out.
        var optimum: (staleness: Double, wakes: Int) {
            var best = (staleness: Double.infinity, wakes: Int.max)
            var starts = [Double?](repeating: nil, count: floors.count)
            func assign(_ app: Int) {
                guard app < floors.count else {
                    let found = cost(starts)
                    if found < best { best = found }
                    return
                }
                starts[app] = nil
                assign(app + 1)
                for time in stride(from: floors[app], through: opens[app], by: 1) {
                    starts[app] = time
                    assign(app + 1)
                }
            }
            assign(0)
            return best
        }
    }

    private static var oracle: Clairvoyant {
        adjusted(Clairvoyant()) { ($0.slack, $0.lead) = (.seconds(slack), .seconds(lead)) }
    }

    @Test func `on small cases it is as good as the best of all schedules`() {
        var random = PolicyRandom(seed: 23)
        for _ in 0..<150 {
            let small = Case(apps: 3, span: 12, &random)
            let found = small.run(Self.oracle)
            #expect(found == small.optimum, "\(small)")
        }
    }

    @Test func `property 1: no rival beats the oracle on its objective`() {
        var random = PolicyRandom(seed: 29)
        var strictly = 0
        for _ in 0..<30 {
            let large = Case(apps: 25, span: 400, &random)
            let best = large.run(Self.oracle)
            for entry in SchedulingPolicies.all where !entry.descriptor.isOracle {
                let rival = large.run(entry.make(entry.descriptor.defaultArguments(seed: 1)))
                #expect(best <= rival, "\(entry.descriptor.name) beats the oracle")
                if best < rival { strictly += 1 }
            }
        }
        #expect(strictly > 100)
    }

    @Test func `beyond the life of a request it keeps the chain going, so that the next one comes in time`() {
        var policy = Self.oracle
        var device = PolicyBench.pocket
        var request = Samples.refresh()
        request.submitted = Samples.now
        request.earliestBegin = Samples.now + .hours(4)
        request.deadline = request.earliestBegin + .day
        // The open is 30 h away; a run at the last chance would bring a request that may only run at 32 h.
        request.nextOpen = Samples.now + .hours(30)
        device.now = request.earliestBegin
        let waits = policy.decide(request, device)
        #expect(waits.proceed == false)
        #expect(waits.reconsider < request.nextOpen - .hours(4))
        device.now = waits.reconsider + .seconds(3)
        #expect(policy.decide(request, device).proceed)
        request.nextOpen = .distantFuture
        #expect(policy.decide(request, device).proceed == false)
    }
}
