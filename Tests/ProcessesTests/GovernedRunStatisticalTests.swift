// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// Ten thousand short random histories of any kind of process, all rules checked after every step.
@Suite struct GovernedRunStatisticalTests {
    @Test(arguments: 0..<10) func `the rules hold in a thousand random histories`(block: Int) {
        var kills = 0
        for seed in (block * 1000)..<(block * 1000 + 1000) {
            var run = GovernedRun(processes: 12, seed: UInt64(seed))
            for step in 0..<60 {
                run.step()
                kills += run.lastKills.count
                if let broken = run.table.invariant() ?? run.broken ?? objection(to: run) {
                    Issue.record("seed \(seed), step \(step): \(broken)")
                    return
                }
            }
        }
        #expect(kills > 500)
    }

    /// Reasons that walk the bands upwards; limits, culprits, frozen processes and callers that are spared do not.
    private static let fromTheBottom: Set<KillReason> = [
        .pageShortage, .idleExit, .longIdleExit, .compressorSpaceShortage, .compressorThrashing, .fileCacheThrashing,
        .pageoutStarvation, .processThrashing, .sustainedPressure,
    ]

    /// What is wrong with the kills of the last step.
    private func objection(to run: GovernedRun) -> String? {
        let thresholds = run.table.thresholds
        let isFull = run.lastKills.contains { $0.reason == .compressorSpaceShortage }
        for kill in run.lastKills {
            switch kill.reason {
            case .idleExit where kill.availableBefore >= thresholds.idle: return "an idle exit without a shortage"
            case .pageShortage where kill.availableBefore >= run.shortage: return "a kill above critical"
            case .highwater where kill.availableBefore >= thresholds.soft && !run.wasSignalled && !isFull:
                return "a kill above a soft limit without a shortage"
            case .perProcessLimit where kill.footprint <= .zero: return "a limit of nothing"
            case .idleExit where kill.band != 0: return "an idle exit in band \(kill.band)"
            default: break
            }
            let idle = (0..<run.count).contains {
                run.table.isAlive(AppID($0)) && run.table.band(of: AppID($0)) == 0
            }
            if Self.fromTheBottom.contains(kill.reason), kill.band >= 100, idle {
                return "who is seen died before an idle one, of \(kill.reason.name)"
            }
            if run.table.footprint(of: kill.app) < .zero { return "a negative footprint" }
        }
        return nil
    }
}
