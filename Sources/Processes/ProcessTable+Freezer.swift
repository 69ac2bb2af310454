// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The freezer writes suspended apps to storage and protects them in a band of their own, so that they are resumed
/// instead of launched. It freezes one app per run, the longest idle first, within slots and a daily budget. Where
/// there is nobody new it freezes one again that was thawed; without a budget it ends the protection of such a one.
extension ProcessTable {
    /// Freezes one suspended app that the rules allow, with the services of its coalition, however much is available.
    public mutating func freeze(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let rules = beginFreezing(at: now) else { return .notFound }
        let index = Int(app.index)
        guard mayFreeze(index, rules) else { return .notFound }
        freezeCoalition(of: index, rules, at: now)
        rebalance(at: now)
        return nil
    }

    /// Freezes a process against the rules, as a hook of test kernels does (`sysctl_memorystatus_freeze`): it need not
    /// be suspended, idle or large, neither slots nor the budget count, and its services go along.
    ///
    /// - Returns: What is wrong: a freezer that is off, a process that does not run, one that may not be frozen.
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

    /// Freezes whom a run of the freezer would; nil when there is nobody.
    public mutating func freezeTop(at now: SimTime) -> AppID? {
        guard let rules = beginFreezing(at: now), let index = freezerChoice(rules, at: now) else { return nil }
        freezeCoalition(of: index, rules, at: now)
        rebalance(at: now)
        return AppID(index)
    }

    /// Ends a frozen app's protection: it goes to band 0 without ageing and stays alive.
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

    /// Tells how probable the next use of an app is; the freezer leaves out what is never used.
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

    /// Sets what may still be written.
    public mutating func setFreezerBudget(_ budget: ByteCount, at now: SimTime) {
        guard beginFreezing(at: now) != nil else { return }
        freezer.budget = budget.bytes
    }

    /// Ends the interval as if it had expired this long ago; the budget follows.
    public mutating func expireFreezerInterval(ago: SimDuration, at now: SimTime) {
        guard let rules = beginFreezing(at: now) else { return }
        beginInterval(missed: ago, rules, at: now)
    }

    /// What the freezer may still write in this interval.
    public var freezerBudget: ByteCount { ByteCount(freezer.budget) }
    /// How many processes are frozen.
    public var frozenCount: Int { freezer.frozen }
    /// Share of this interval's frozen processes that were thawed in it.
    public var thawShare: Double { freezer.thawShare }
    /// Whether a process is frozen: it stays so after a thaw, until it dies.
    public func isFrozen(_ app: AppID) -> Bool { processes[Int(app.index)].isFrozen }
    /// How often a frozen process was thawed.
    public func thaws(of app: AppID) -> Int { Int(controls[Int(app.index)].thaws) }
    /// Memory of a process that lies on storage, before compression.
    public func swapped(of app: AppID) -> ByteCount { ByteCount(processes[Int(app.index)].swapped) }
}

extension ProcessTable {
    /// Opens a change of the freezer; its rules, or nil without one.
    private mutating func beginFreezing(at now: SimTime) -> FreezerRules? {
        advance(to: now)
        return profile.freezer
    }
}
