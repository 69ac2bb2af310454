// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The freezer writes suspended apps to storage and protects them, so that the user can resume them without a launch.
///
/// Frozen apps have their own band. The freezer freezes one app per run, the longest idle first, within its slots and a
/// daily budget. If there is no new candidate, it freezes a thawed app again. If there is no budget, it ends the
/// protection of a thawed app.
extension ProcessTable {
    /// Freezes a suspended app and the services of its coalition, if the rules allow it; free memory does not matter.
    public mutating func freeze(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let rules = beginFreezing(at: now) else { return .notFound }
        let index = Int(app.index)
        guard mayFreeze(index, rules) else { return .notFound }
        freezeCoalition(of: index, rules, at: now)
        rebalance(at: now)
        return nil
    }

    /// Freezes a process even if the rules do not allow it, like `sysctl_memorystatus_freeze` in test kernels.
    ///
    /// The process need not be suspended, idle or large; slots and budget do not matter. Its services are also frozen.
    ///
    /// - Returns: The error if the freezer is off, the process does not run, or its freezing is forbidden
    ///   (`setFreezable`).
    public mutating func forceFreeze(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let rules = beginFreezing(at: now), freezer.isEnabled else { return .notSupported }
        let leader = Int(app.index)
        guard processes[leader].isAlive else { return .invalid }
        freezer.hasForced = true
        var refusal: RequestError?
        for index in [leader] + services(of: leader) where refusal == nil {
            if controls[index].isFreezable {
                processes[index].isDemoted = false
                freezeOne(index, rules, isForced: true, at: now)
            } else {
                refusal = .notPermitted
            }
        }
        rebalance(at: now)
        return refusal
    }

    /// Freezes the process that a run of the freezer would choose; nil if there is none.
    public mutating func freezeTop(at now: SimTime) -> AppID? {
        guard let rules = beginFreezing(at: now), let index = freezerChoice(rules, at: now) else { return nil }
        freezeCoalition(of: index, rules, at: now)
        rebalance(at: now)
        return AppID(index)
    }

    /// Ends a frozen app's protection; the app stays alive.
    ///
    /// The app moves to band 0 without ageing, or to the band that its assertions require.
    public mutating func demote(_ app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now) != nil else { return .notFound }
        let index = Int(app.index)
        guard processes[index].isFrozen else { return .notFound }
        demote(index, at: now)
        rebalance(at: now)
        return nil
    }

    /// Allows or forbids the freezing of a process.
    public mutating func setFreezable(_ isFreezable: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now) != nil, processes[Int(app.index)].isAlive else { return .notFound }
        controls[Int(app.index)].isFreezable = isFreezable
        return nil
    }

    /// Sets the probability that an app is used again; the freezer skips apps with probability zero.
    public mutating func setUseProbability(_ probability: Double, of app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now) != nil, processes[Int(app.index)].isAlive else { return .notFound }
        controls[Int(app.index)].useProbability = probability
        return nil
    }

    /// Kills all frozen processes and restores the budget.
    public mutating func resetFreezer(at now: SimTime) {
        guard let rules = beginFreezing(at: now) else { return }
        killFrozen(.jettisoned, at: now)
        freezer.budget = rules.budget.bytes
        rebalance(at: now)
    }

    /// Sets the number of bytes that the freezer may still write.
    public mutating func setFreezerBudget(_ budget: ByteCount, at now: SimTime) {
        guard beginFreezing(at: now) != nil else { return }
        freezer.budget = budget.bytes
    }

    /// Begins a new interval, as if the previous one had ended this long ago, and updates the budget.
    public mutating func expireFreezerInterval(ago: SimDuration, at now: SimTime) {
        guard let rules = beginFreezing(at: now) else { return }
        beginInterval(missed: ago, rules, at: now)
    }

    /// Number of bytes that the freezer may still write in this interval.
    public var freezerBudget: ByteCount { ByteCount(freezer.budget) }
    /// Number of frozen processes.
    public var frozenCount: Int { freezer.frozen }
    /// Number of processes thawed in this interval, as a share of the frozen processes.
    public var thawShare: Double { freezer.thawShare }
    /// Whether a process was frozen; this stays true after a thaw, until the process ends.
    public func isFrozen(_ app: AppID) -> Bool { processes[Int(app.index)].isFrozen }
    /// Number of thaws of a frozen process.
    public func thaws(of app: AppID) -> Int { Int(controls[Int(app.index)].thaws) }
    /// Memory of a process on storage, before compression.
    public func swapped(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].swapped) }
}

extension ProcessTable {
    /// Starts a change of the freezer; returns its rules, or nil if there is no freezer.
    private mutating func beginFreezing(at now: SimTime) -> FreezerRules? {
        advance(to: now)
        return profile.freezer
    }
}
