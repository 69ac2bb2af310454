// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

/// TailEnder against the statements of its paper, in the paper's model: a transfer takes no time and leaves the radio
/// up for one tail, and a transfer within a tail begins a new one.
@Suite struct TailEnderTests {
    private static let tail = 4

    /// Theorem (IMC 2009, section 4): the time in tails is at most twice that of an optimal schedule.
    @Test(arguments: [0, 0.25, 0.5, 0.62, 0.75, 1])
    func `property 4: no deadline is missed, and tails cost at most twice the optimum`(rho: Double) {
        var random = PolicyRandom(seed: 7)
        var worst = 0.0
        for _ in 0..<400 {
            let jobs = Self.jobs(&random)
            // Work counts as late a second before it is given up, so the deadline of the theorem is that second.
            let policy = adjusted(TailEnder()) {
                ($0.patience, $0.tail, $0.rho) = (.days(1), .seconds(Double(Self.tail)), rho)
            }
            var bench = PolicyBench(policy, device: PolicyBench.pocket)
            let starts = bench.run(
                jobs.map { .at($0.app, from: Double($0.from), to: Double($0.to) + 1, submitted: Double($0.from)) })
            for (job, start) in zip(jobs, starts) {
                let start = start?.seconds ?? -1
                #expect(start >= Double(job.from) && start <= Double(job.to), "a deadline was missed")
            }
            let cost = Self.cost(starts.compactMap { $0?.seconds })
            worst = max(worst, cost / Self.optimum(jobs))
        }
        #expect(worst <= 2)
        // The bound means something: no schedule in these cases is always optimal.
        #expect(worst > 1.2)
    }

    @Test func `work that arrives just after the usable part of a tail costs 1.6 times the optimum`() {
        // Rho 0: each piece waits for its deadline; the optimum serves neighbours together.
        let jobs = [(0, 0, 10), (1, 11, 30)].map { (app: $0.0, from: $0.1, to: $0.2) }
        var bench = PolicyBench(
            adjusted(TailEnder()) { ($0.patience, $0.tail, $0.rho) = (.day, .seconds(4), 0) },
            device: PolicyBench.pocket)
        let starts = bench.run(jobs.map { .at($0.app, from: Double($0.from), to: Double($0.to) + 1) })
        #expect(Self.cost(starts.compactMap { $0?.seconds }) == 8)
        #expect(Self.optimum(jobs) == 5)
    }

    @Test func `work that comes while a tail is still long leaves at once, later work waits`() {
        let jobs: [BenchJob] = [.at(0, from: 0, to: 101), .at(1, from: 105, to: 301), .at(2, from: 107, to: 301)]
        var bench = PolicyBench(
            adjusted(TailEnder()) { ($0.patience, $0.tail, $0.rho) = (.day, .seconds(10), 0.6) },
            device: PolicyBench.pocket)
        #expect(bench.run(jobs).map { $0?.seconds } == [100, 105, 300])
    }

    @Test func `property 4: without a tail it is deadline batching`() throws {
        var random = PolicyRandom(seed: 3)
        for _ in 0..<100 {
            let jobs = Self.jobs(&random).map {
                BenchJob.at($0.app, from: Double($0.from), to: 5000, submitted: Double($0.from))
            }
            var first = PolicyBench(
                adjusted(TailEnder()) { ($0.patience, $0.tail, $0.rho) = (.seconds(9), .zero, 0.62) },
                device: PolicyBench.pocket)
            var second = PolicyBench(
                adjusted(EarliestDeadline()) { $0.window = .seconds(9) }, device: PolicyBench.pocket)
            #expect(first.run(jobs) == second.run(jobs))
        }
    }

    // MARK: The paper's model

    private typealias Job = (app: Int, from: Int, to: Int)

    private static func jobs(_ random: inout PolicyRandom) -> [Job] {
        (0..<(2 + Int(random.nextUniform() * 5))).map { app in
            let from = Int(random.nextUniform() * 12)
            return (app, from, min(15, from + Int(random.nextUniform() * 8)))
        }
    }

    /// Time in tails.
    private static func cost(_ times: [Double]) -> Double {
        let times = times.sorted()
        var total = times.isEmpty ? 0 : Double(tail)
        for (first, second) in zip(times, times.dropFirst()) { total += min(Double(tail), second - first) }
        return total
    }

    /// The least over all sets of whole instants: gaps and tails are whole, so that no other instants do better.
    ///
    /// From each instant to the next one, over which no job lies wholly.
    private static func optimum(_ jobs: [Job]) -> Double {
        let last = jobs.map(\.to).max() ?? 0
        var best = [Double](repeating: .infinity, count: last + 1)
        for time in 0...last where !jobs.contains(where: { $0.to < time }) { best[time] = Double(tail) }
        for time in 0...last {
            for before in 0..<time where best[before] < .infinity {
                guard !jobs.contains(where: { $0.from > before && $0.to < time }) else { continue }
                best[time] = min(best[time], best[before] + Double(min(tail, time - before)))
            }
        }
        var least = Double.infinity
        for time in 0...last where !jobs.contains(where: { $0.from > time }) { least = min(least, best[time]) }
        return least
    }

    /// The same by trying every set of instants.
    private static func bruteOptimum(_ jobs: [Job]) -> Double {
        let span = (jobs.map(\.to).max() ?? 0) + 1
        var best = Double.infinity
        for set in 1..<(1 << span) {
            let isEnough = jobs.allSatisfy { job in (job.from...job.to).contains { set >> $0 & 1 == 1 } }
            guard isEnough else { continue }
            best = min(best, cost((0..<span).filter { set >> $0 & 1 == 1 }.map(Double.init)))
        }
        return best
    }

    @Test func `the optimum is what trying every set of instants finds`() {
        var random = PolicyRandom(seed: 11)
        for _ in 0..<40 {
            let jobs = Self.jobs(&random).map { (app: $0.app, from: $0.from / 2, to: max($0.from / 2, $0.to / 2)) }
            #expect(Self.optimum(jobs) == Self.bruteOptimum(jobs))
        }
    }
}
