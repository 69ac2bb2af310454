// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Properties of tables with daemons, limits, a reaper and a freezer over random histories.
@Suite struct GovernedRunTests {
    @Test(arguments: 0..<40) func `pages are conserved and every list is right after every step`(seed: Int) {
        let names = EvictionPolicies.all
        let entry = names[seed % names.count]
        let policy = seed < 20 ? Jetsam() : entry.make(entry.descriptor.defaultArguments(seed: 5))
        var run = GovernedRun(processes: 40, seed: UInt64(seed), policy: policy)
        for step in 0..<400 {
            run.step()
            if let broken = run.table.invariant() {
                Issue.record("seed \(seed), step \(step): \(broken)")
                return
            }
        }
    }

    @Test func `nobody dies above the threshold of the reason`() {
        var seen: [KillReason: Int] = [:]
        for seed in 0..<60 {
            var run = GovernedRun(processes: 40, seed: UInt64(seed))
            for _ in 0..<400 {
                run.step()
                let thresholds = run.table.thresholds
                for kill in run.lastKills {
                    seen[kill.reason, default: 0] += 1
                    switch kill.reason {
                    case .idleExit: #expect(kill.availableBefore < thresholds.idle && kill.band == 0)
                    case .pageShortage: #expect(kill.availableBefore < run.shortage)
                    case .highwater: #expect(kill.availableBefore < thresholds.soft || run.wasSignalled)
                    case .longIdleExit: #expect(kill.band == 0)
                    default: break
                    }
                }
            }
        }
        for reason in [KillReason.idleExit, .pageShortage, .highwater, .longIdleExit, .perProcessLimit, .vnodeLimit] {
            #expect(seen[reason, default: 0] > 0, "no kill for \(reason.name)")
        }
    }

    @Test func `who is seen dies only when nobody idle is left, except by a limit`() {
        for seed in 0..<60 {
            var run = GovernedRun(processes: 40, seed: UInt64(seed))
            for _ in 0..<400 {
                run.step()
                for kill in run.lastKills where kill.band >= 100 && kill.reason == .pageShortage {
                    let idle = (0..<40).filter { run.table.isAlive(AppID($0)) && run.table.band(of: AppID($0)) == 0 }
                    #expect(idle.isEmpty, "band \(kill.band) died while somebody was idle")
                }
            }
        }
    }

    @Test func `a killed process does not run and holds nothing`() {
        var run = GovernedRun(processes: 30, seed: 7)
        for _ in 0..<3000 {
            run.step()
            for kill in run.lastKills where !run.table.isAlive(kill.app) {
                #expect(run.table.state(of: kill.app) == .notRunning)
                #expect(run.table.footprint(of: kill.app) == .zero && run.table.volatile(of: kill.app) == .zero)
                #expect(!run.table.isFrozen(kill.app) && run.table.positionInBand(of: kill.app) == nil)
            }
            for index in 0..<30 { #expect(run.table.footprint(of: AppID(index)) >= .zero) }
        }
    }

    @Test func `freezing and thawing conserve the pages of a process`() throws {
        var run = GovernedRun(processes: 3, seed: 2)
        run.table.spawn(AppID(0), ProcessTraits(), footprint: .mebibytes(80), at: run.now)
        #expect(run.table.pause(AppID(0), at: run.now) == nil)
        #expect(run.table.freeze(AppID(0), at: run.now) == nil)
        #expect(run.table.footprint(of: AppID(0)) == .mebibytes(80))
        #expect(run.table.swapped(of: AppID(0)) == .mebibytes(80))
        #expect(run.table.band(of: AppID(0)) == 75)
        #expect(run.table.freezerBudget == .mebibytes(220))
        #expect(run.table.unpause(AppID(0), at: run.now) == nil)
        #expect(run.table.footprint(of: AppID(0)) == .mebibytes(80))
        #expect(run.table.swapped(of: AppID(0)) < .mebibytes(80))
        #expect(run.table.thaws(of: AppID(0)) == 1)
        #expect(run.table.invariant() == nil)
    }
}
