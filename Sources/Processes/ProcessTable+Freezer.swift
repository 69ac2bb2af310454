import Quantities
import Structures
import Vocabulary

/// The freezer writes suspended apps to storage and protects them in a band of their own, so that they are resumed
/// instead of launched. It freezes one app per run, the longest idle first, within slots and a daily budget. Where
/// there is nobody new it freezes one again that was thawed; without a budget it ends the protection of such a one.
extension ProcessTable {
    /// Freezes one suspended app, with the services of its coalition, whatever the freezer's own conditions say.
    public mutating func freeze(_ app: AppID, at now: SimTime) -> RequestError? {
        guard let rules = beginFreezing(at: now) else { return .notFound }
        let index = Int(app.index)
        guard mayFreeze(index, rules) else { return .notFound }
        freezeCoalition(of: index, rules, at: now)
        rebalance(at: now)
        return nil
    }

    /// Freezes whom a run of the freezer would; nil when there is nobody.
    public mutating func freezeTop(at now: SimTime) -> AppID? {
        guard let rules = beginFreezing(at: now), let index = freezerChoice(rules) else { return nil }
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
        freezer.budget = rules.dailyBudget.bytes
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
    /// When the freezer may run next, as far as is known now.
    var nextFreeze: SimTime { canRunFreezer ? freezer.nextRun : .distantFuture }

    private var canRunFreezer: Bool {
        freezer.canRun(available: book.available, visible: memory.visible.bytes, suspended: suspendedApps)
    }

    /// One run of the freezer, if it is due.
    mutating func runFreezer(at now: SimTime) {
        guard let rules = profile.freezer else { return }
        if freezer.intervalEnd <= now { beginInterval(missed: now - freezer.intervalEnd, rules, at: now) }
        guard canRunFreezer, freezer.nextRun <= now else { return }
        freezer.nextRun = now + rules.spacing
        if freezer.budget <= 0 {
            if let index = refreezeChoice(where: { _ in true }) { demote(index, at: now) }
        } else if freezer.frozen < rules.slots, let index = freezerChoice(rules) {
            freezeCoalition(of: index, rules, at: now)
            while rules.takesAll, let next = freezerChoice(rules) { freezeCoalition(of: next, rules, at: now) }
        } else if freezer.refreezable >= rules.refrozenFrom,
            let index = refreezeChoice(where: { processes[$0].state == .suspended })
        {
            freezeOne(index, rules, at: now)
        }
    }

    /// The first frozen process in its queue that was thawed since it was frozen.
    private func refreezeChoice(where isWanted: (Int) -> Bool) -> Int? {
        var process = bands.queues.head(of: profile.frozenBand)
        while let index = process {
            if controls[index].isRefreezable, isWanted(index) { return index }
            process = bands.queues.next(after: index)
        }
        return nil
    }

    private mutating func setRefreezable(_ index: Int, _ value: Bool) {
        guard controls[index].isRefreezable != value else { return }
        controls[index].isRefreezable = value
        freezer.changeRefreezable(by: value ? 1 : -1)
    }

    /// Opens a change of the freezer; its rules, or nil without one.
    private mutating func beginFreezing(at now: SimTime) -> FreezerRules? {
        beginGoverned(at: now)
        return profile.freezer
    }

    /// A new interval: what is left of the budget stays, and rarely thawed apps lose their protection.
    private mutating func beginInterval(missed: SimDuration, _ rules: FreezerRules, at now: SimTime) {
        freezer.beginInterval(missed: missed, rules, at: now)
        var left = rules.demotionsPerDay
        for index in processes.indices where processes[index].isFrozen { controls[index].wasThawed = false }
        var process = bands.queues.head(of: profile.frozenBand)
        while let index = process, left > 0 {
            process = bands.queues.next(after: index)
            let record = processes[index]
            if record.isFrozen, !record.isDemoted, controls[index].thaws < rules.keepingThaws {
                left -= 1
                demote(index, at: now)
            }
        }
    }

    private func mayFreeze(_ index: Int, _ rules: FreezerRules) -> Bool {
        let record = processes[index]
        return record.state == .suspended && record.isManaged && !record.isElevated && !record.isFrozen
            && record.band <= rules.highestBand && record.footprint >= rules.minimum.bytes
            && freezer.hasRoom && freezer.isEnabled && controls[index].isFreezable
            && controls[index].useProbability > 0
    }

    /// The longest idle candidate: lowest band, then first in its queue.
    private func freezerChoice(_ rules: FreezerRules) -> Int? {
        bands.queues.first(through: rules.highestBand) { mayFreeze($0, rules) }
    }

    private mutating func freezeCoalition(of leader: Int, _ rules: FreezerRules, at now: SimTime) {
        freezeOne(leader, rules, at: now)
        let coalition = controls[leader].coalition
        guard controls[leader].role == .leader, coalition >= 0 else { return }
        var services: [Int] = []
        coalitions.forEach(in: coalition) { index in
            let record = processes[index]
            guard controls[index].role == .xpcService, record.state == .suspended, !record.isFrozen else { return }
            services.append(index)
        }
        for index in services where freezer.hasRoom { freezeOne(index, rules, at: now) }
    }

    /// Purges, compresses and writes what the budget allows, and moves the process to the frozen band.
    private mutating func freezeOne(_ index: Int, _ rules: FreezerRules, at now: SimTime) {
        setVolatile(index, 0)
        let record = processes[index]
        let swapped = processes[index].swapped
        let written = min(record.footprint - swapped, freezer.budget, rules.largest?.bytes ?? .max)
        let moved = min(record.resident, written)
        totals.compressed += ByteCount(moved)
        if !record.isFrozen {
            processes[index].isFrozen = true
            freezer.changeFrozen(by: 1)
        }
        setRefreezable(index, false)
        freezer.budget -= written
        compressor.compressible.remove(index)
        setMemory(
            index, resident: record.resident - moved, compressed: record.compressed + moved, swapped: swapped + written)
        move(index, to: profile.frozenBand, at: now)
    }

    private mutating func demote(_ index: Int, at now: SimTime) {
        processes[index].isDemoted = true
        setRefreezable(index, false)
        if processes[index].hasAssertion {
            resolve(index, at: now)
        } else {
            move(index, to: profile.idleBand, at: now)
        }
    }

    /// A frozen process runs again: it keeps its slot and its protection.
    mutating func recordThaw(_ index: Int) {
        guard processes[index].isFrozen else { return }
        processes[index].isDemoted = false
        controls[index].thaws += 1
        setRefreezable(index, true)
        if !controls[index].wasThawed { freezer.changeThawed(by: 1) }
        controls[index].wasThawed = true
    }

    mutating func killFrozen(_ reason: KillReason, at now: SimTime) {
        for index in processes.indices where processes[index].isFrozen && processes[index].isAlive {
            kill(index, reason, at: now)
        }
    }

    /// Gives up the slot of a process that dies.
    mutating func releaseFrozen(_ index: Int) {
        compressor.swappable.remove(index)
        guard processes[index].isFrozen else { return }
        processes[index].isFrozen = false
        freezer.changeFrozen(by: -1)
        setRefreezable(index, false)
        if controls[index].wasThawed { freezer.changeThawed(by: -1) }
    }
}
