// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Testing
import Vocabulary

/// A policy that says itself when somebody dies, and one whose ranks depend on everybody.
@Suite struct OwnTriggerTests {
    /// Lets apps die, the first to be launched first, while less than a share of memory is free or in files.
    struct EarlyTrigger: EvictionPolicy {
        var share: Double
        var replacesTrigger: Bool { true }
        mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { candidate.launched.seconds }
        mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
            (memory.free + memory.fileBacked) / memory.total < share ? .infinity : nil
        }
    }

    /// Ranks by footprint among all whom the user does not see, largest first.
    struct ByFootprintRank: EvictionPolicy {
        var ranks: [AppID: Int] = [:]
        var rankLifetime: SimDuration? { .zero }
        mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
            ranks.removeAll()
            let hidden = candidates.filter { !$0.state.isForeground }
            let order = hidden.sorted { ($1.footprint, $0.app) < ($0.footprint, $1.app) }
            for (rank, candidate) in order.enumerated() { ranks[candidate.app] = rank }
        }
        mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
            Double(ranks[candidate.app] ?? 1000)
        }
    }

    @Test func `the policy's trigger replaces the profile's, above its thresholds`() {
        var phone = TestPhone(apps: 40, policy: EarlyTrigger(share: 0.4))
        phone.makeIdle(Array(0..<12))
        #expect(!phone.killed.isEmpty)
        #expect(phone.killed == Array(0..<phone.killed.count))
        #expect(phone.table.kills.allSatisfy { $0.availableBefore > phone.table.memory.visible * 0.3 })
        #expect(phone.table.availableShare >= 0.4)
    }

    @Test func `a policy that never triggers lets memory run down to nothing, and no further`() {
        var phone = TestPhone(apps: 60, policy: EarlyTrigger(share: 0))
        phone.makeIdle(Array(0..<60), mebibytes: 200)
        #expect(phone.table.lowestAvailable >= .zero)
        #expect(!phone.killed.isEmpty)
        #expect(phone.table.kills.allSatisfy { $0.availableBefore < .zero })
    }

    @Test func `ranks that depend on the others are up to date at every death`() {
        var phone = TestPhone(apps: 60, policy: ByFootprintRank())
        for app in 0..<60 { phone.makeIdle([app], mebibytes: Double(50 + 7 * (app * 37 % 60))) }
        #expect(phone.table.kills.count > 5)
        // Nobody else is hidden when only idle processes die.
        for kill in phone.table.kills { #expect(kill.rank == 0) }
    }

    @Test func `memory that grows without end is never under pressure`() {
        var phone = TestPhone(apps: 80, policy: Unbounded())
        phone.makeIdle(Array(0..<80), mebibytes: 200)
        #expect(phone.table.lowestAvailable < .zero && phone.killed.isEmpty)
        #expect(phone.table.pressure == .normal && phone.table.warnings.isEmpty)
    }
}
