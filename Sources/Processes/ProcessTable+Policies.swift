// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension ProcessTable {
    /// Replaces the policies for memory; the parameters are those of `init`.
    ///
    /// The new policies receive the last use of each process as an open at its own instant, oldest first, and then rank
    /// all live processes. They do not receive earlier uses or kills. Frozen and compressed memory stays as it is, and
    /// memory is balanced at once.
    public mutating func exchange(
        policy: any EvictionPolicy, ranksAppsOnly: Bool = false, ranksReaper: Bool = false,
        freezing: FreezingChoice = .system, compression: CompressionOrder = .longestSuspended,
        freezingPolicy: (any EvictionPolicy)? = nil, at now: SimTime
    ) {
        advance(to: now)
        isUnbounded = policy.killsNobody
        ranking = VictimRanking(policy, profile, capacity: processes.count, appsOnly: ranksAppsOnly)
        killer.reaper.isRanked = ranksReaper
        self.freezing = freezing
        freezer.isWanted = freezing != .none
        self.compression = compression
        self.freezingPolicy = freezingPolicy
        learnsFromOpens = compression.asksPolicy || freezingPolicy != nil
        for (app, time) in lastUses { tellOpen(Int(app.index), at: time) }
        for index in processes.indices {
            processes[index].queue = .none
            processes[index].isStale = false
        }
        let living = processes.indices.filter { processes[$0].isAlive }
        for index in living.sorted(by: { processes[$0].sequence < processes[$1].sequence }) { markStale(index) }
        rebalance(at: now)
    }

    /// All processes that were ever used, with the time of their last use, oldest first.
    ///
    /// An app was last used when it was last on screen; a process without a screen, when its work last began.
    public var lastUses: [(app: AppID, time: SimTime)] {
        let used = processes.indices.filter { processes[$0].opens > 0 }
        return used.map { (AppID($0), processes[$0].lastForeground) }
            .sorted { ($0.time, $0.app.index) < ($1.time, $1.app.index) }
    }
}
