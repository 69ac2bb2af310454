// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Random but legal histories under every policy, with all rules checked after every step.
@Suite struct RandomRunTests {
    @Test(arguments: EvictionPolicies.all.map(\.descriptor.name), [2, 5])
    func `memory is conserved and the rules hold after every step`(name: String, seed: Int) throws {
        let policy = try makePolicy(name, seed: 99)
        let isBound = policy.killsNobody
        var run = RandomRun(apps: 60, seed: UInt64(seed), policy: policy)
        for step in 0..<2000 {
            run.step()
            if let broken = run.phone.table.invariant() {
                Issue.record("step \(step): \(broken)")
                return
            }
        }
        let totals = run.phone.table.statistics(at: run.phone.now)
        #expect(isBound ? totals.totalKills == totals.kills(.perProcessLimit) : totals.totalKills > 50)
        #expect((run.phone.table.lowestAvailable < .zero) == isBound)
        let launches = [totals.warmLaunches, totals.coldLaunches, totals.resumes]
        #expect(isBound || !launches.contains(0), "warm, cold, resumes: \(launches)")
    }

    @Test func `the rules hold on phones of any size`() {
        var kills = 0
        for seed in 0..<48 {
            let entry = EvictionPolicies.all[seed % EvictionPolicies.all.count]
            let policy = entry.make(entry.descriptor.defaultArguments(seed: 3))
            var run = RandomRun(anyMemory: UInt64(seed), policy: policy)
            for step in 0..<300 {
                run.step()
                if step % 50 == 7 {
                    let ballast = ByteCount.mebibytes(400 * run.random.nextUniform())
                    run.phone.table.setBallast(ballast, at: run.phone.now)
                }
                if step % 70 == 9 { run.phone.table.repeatWarning(at: run.phone.now) }
                kills += run.lastKills.count
                if let broken = run.phone.table.invariant() {
                    Issue.record("seed \(seed), step \(step): \(broken)")
                    break
                }
            }
        }
        #expect(kills > 5000)
    }

    @Test func `jetsam kills nobody above the thresholds and idle apps before all others`() {
        // Up to 3 GB the thresholds are 5 and 10 %.
        var run = RandomRun(apps: 60, seed: 3, policy: Jetsam())
        let idle = run.phone.table.memory.visible * 0.10
        let critical = run.phone.table.memory.visible * 0.05
        var seen = 0
        for _ in 0..<4000 {
            run.step()
            for kill in run.lastKills {
                seen += 1
                switch kill.reason {
                case .idleExit: #expect(kill.availableBefore < idle && kill.band == 0)
                case .pageShortage: #expect(kill.availableBefore < critical)
                case .perProcessLimit: #expect(kill.footprint > run.phone.table.memory.perProcessLimit)
                default: Issue.record("unexpected reason \(kill.reason)")
                }
                if kill.reason == .pageShortage, kill.band > 0 {
                    #expect(!(0..<60).contains { run.isIdle($0) }, "a worker died while somebody was idle")
                }
            }
        }
        #expect(seen > 100)
    }

    @Test(arguments: AnyRule.allCases)
    func `the next victim is what a search of all processes finds`(rule: AnyRule) {
        var run = RandomRun(apps: 60, seed: 11, policy: rule.policy)
        for _ in 0..<1500 {
            run.step()
            for idleOnly in [true, false] {
                let expected = run.search(rule, idleOnly: idleOnly)
                let found = run.phone.table.nextVictim(idleOnly: idleOnly, at: run.phone.now)
                #expect(found.map { rule.rank(run.phone.table.view(of: $0)) } == expected)
            }
        }
    }

    @Test func `the same history gives the same kills`() {
        var kills: [[Int]] = []
        for _ in 0..<2 {
            var run = RandomRun(apps: 40, seed: 5, policy: RandomOrder(seed: 1))
            var order: [Int] = []
            for _ in 0..<2000 {
                run.step()
                order += run.lastKills.map { Int($0.app.index) }
            }
            kills.append(order)
        }
        #expect(kills[0] == kills[1])
        #expect(kills[0].count > 20)
    }
}

/// Policies without memory, so that a search can recompute their ranks.
enum AnyRule: CaseIterable {
    case band, lastForeground, size, launched, opens

    var policy: any EvictionPolicy {
        switch self {
        case .band: Jetsam()
        case .lastForeground: LeastRecentlyUsed()
        case .size: LargestFirst()
        case .launched: FirstInFirstOut()
        case .opens: LeastFrequentlyUsed()
        }
    }

    func rank(_ view: EvictionCandidate) -> Double {
        switch self {
        case .band: Double(view.band)
        case .lastForeground: view.lastForeground.seconds
        case .size: -Double(view.footprint.bytes)
        case .launched: view.launched.seconds
        case .opens: Double(view.opens)
        }
    }
}
