import Quantities
import Vocabulary

/// The freezer writes suspended apps to storage and protects them in a band of their own, so that they are resumed
/// instead of launched. It freezes one app per run, the longest idle first, within slots and a daily budget. Where there is
/// nobody new it freezes one again that was thawed; without a budget it takes the protection of such a one away.
extension ProcessTable {
    /// Freezes one suspended app, with the services of its coalition, whatever the freezer's own conditions say.
    public mutating func freeze(_ app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now), let rules = profile.freezer else { return .notFound }
        let index = Int(app.index)
        guard mayFreeze(index, rules) else { return .notFound }
        freezeCoalition(of: index, rules, at: now)
        settle(at: now)
        return nil
    }

    /// Freezes whom a run of the freezer would; nil when there is nobody.
    public mutating func freezeTop(at now: SimTime) -> AppID? {
        guard beginFreezing(at: now), let rules = profile.freezer, let index = freezerChoice(rules) else { return nil }
        freezeCoalition(of: index, rules, at: now)
        settle(at: now)
        return AppID(index)
    }

    /// Takes a frozen app's protection away: it goes to band 0 without ageing and stays alive.
    public mutating func demote(_ app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now) else { return .notFound }
        let index = Int(app.index)
        guard governance.controls[index].isFrozen else { return .notFound }
        demote(index, at: now)
        settle(at: now)
        return nil
    }

    /// Allows or forbids the freezing of a process.
    public mutating func setFreezable(_ isFreezable: Bool, of app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now), processes[Int(app.index)].isAlive else { return .notFound }
        governance.controls[Int(app.index)].traits.isFreezable = isFreezable
        return nil
    }

    /// Tells how probable the next use of an app is; the freezer leaves out what is never used.
    public mutating func setUseProbability(_ probability: Double, of app: AppID, at now: SimTime) -> RequestError? {
        guard beginFreezing(at: now), processes[Int(app.index)].isAlive else { return .notFound }
        governance.controls[Int(app.index)].traits.useProbability = probability
        return nil
    }

    /// Kills all frozen processes and restores the budget.
    public mutating func resetFreezer(at now: SimTime) {
        guard beginFreezing(at: now), let rules = profile.freezer else { return }
        killFrozen(.jettisoned, at: now)
        governance.freezer.budget = rules.dailyBudget.bytes
        settle(at: now)
    }

    /// Sets what may still be written.
    public mutating func setFreezerBudget(_ budget: ByteCount, at now: SimTime) {
        guard beginFreezing(at: now) else { return }
        governance.freezer.budget = budget.bytes
    }

    /// Ends the interval as if it had expired this long ago; the budget follows.
    public mutating func expireFreezerInterval(ago: SimDuration, at now: SimTime) {
        guard beginFreezing(at: now), let rules = profile.freezer else { return }
        rollBudget(missed: ago, rules, at: now)
    }

    /// What the freezer may still write in this interval.
    public var freezerBudget: ByteCount {
        guard isGoverned, governance.freezer.hasBegun else { return profile.freezer?.dailyBudget ?? .zero }
        return ByteCount(governance.freezer.budget)
    }
    /// How many processes are frozen.
    public var frozenCount: Int { governance.freezer.frozen }
    /// Share of this interval's frozen processes that were thawed in it.
    public var thawShare: Double {
        let count = governance.freezer.frozen
        return count == 0 ? 0 : Double(governance.freezer.thawedInInterval) / Double(count)
    }
    /// Whether a process is frozen: it stays so after a thaw, until it dies.
    public func isFrozen(_ app: AppID) -> Bool { isGoverned && governance.controls[Int(app.index)].isFrozen }
    /// How often a frozen process was thawed.
    public func thaws(of app: AppID) -> Int { isGoverned ? Int(governance.controls[Int(app.index)].thaws) : 0 }
    /// Memory of a process that lies on storage, before compression.
    public func swapped(of app: AppID) -> ByteCount {
        isGoverned ? ByteCount(governance.controls[Int(app.index)].swapped) : .zero
    }
}

extension ProcessTable {
    /// When the freezer may run next, as far as is known now.
    var nextFreeze: SimTime {
        guard let rules = profile.freezer, canRun(rules) else { return .distantFuture }
        return governance.freezer.nextRun
    }

    private func canRun(_ rules: FreezerRules) -> Bool {
        Double(availableBytes) <= rules.belowShare * Double(memory.visible.bytes) && governance.freezer.isEnabled
            && suspendedApps - governance.freezer.frozen > rules.spared
            && (governance.freezer.frozen < rules.slots || governance.freezer.refreezable >= rules.refrozenFrom)
            && (governance.freezer.budget > 0 || governance.freezer.refreezable > 0)
    }

    /// One run of the freezer, if it is due.
    mutating func runFreezer(at now: SimTime) {
        guard let rules = profile.freezer else { return }
        if governance.freezer.hasBegun, governance.freezer.intervalEnd <= now {
            rollBudget(missed: now - governance.freezer.intervalEnd, rules, at: now)
        }
        guard canRun(rules), governance.freezer.nextRun <= now else { return }
        governance.freezer.nextRun = now + rules.spacing
        if governance.freezer.budget <= 0 {
            if let index = refreezeChoice(where: { _ in true }) { demote(index, at: now) }
        } else if governance.freezer.frozen < rules.slots, let index = freezerChoice(rules) {
            freezeCoalition(of: index, rules, at: now)
            while rules.takesAll, let next = freezerChoice(rules) { freezeCoalition(of: next, rules, at: now) }
        } else if governance.freezer.refreezable >= rules.refrozenFrom,
            let index = refreezeChoice(where: { processes[$0].state == .suspended })
        {
            freezeOne(index, rules, at: now)
        }
    }

    /// The first frozen process in its queue that was thawed since it was frozen.
    private func refreezeChoice(where isWanted: (Int) -> Bool) -> Int? {
        var process = governance.queues.head(of: profile.frozenBand)
        while process >= 0 {
            if governance.controls[process].isRefreezable, isWanted(process) { return process }
            process = governance.queues.next(after: process)
        }
        return nil
    }

    private mutating func setRefreezable(_ index: Int, _ value: Bool) {
        guard governance.controls[index].isRefreezable != value else { return }
        governance.controls[index].isRefreezable = value
        governance.freezer.refreezable += value ? 1 : -1
    }

    private mutating func beginFreezing(at now: SimTime) -> Bool {
        govern()
        begin(at: now)
        guard let rules = profile.freezer else { return false }
        startInterval(rules, at: now)
        return true
    }

    /// Opens the first interval.
    mutating func startInterval(_ rules: FreezerRules, at now: SimTime) {
        guard !governance.freezer.hasBegun else { return }
        governance.freezer.hasBegun = true
        governance.freezer.budget = rules.dailyBudget.bytes
        governance.freezer.intervalEnd = now + .days(1)
    }

    /// A new interval: what is left stays, missed days count to a hundredth, and rarely thawed apps lose their place.
    private mutating func rollBudget(missed: SimDuration, _ rules: FreezerRules, at now: SimTime) {
        let page = 16384.0
        let daily = (Double(rules.dailyBudget.bytes) / page).rounded(.down)
        let hundredths = (missed / .days(1) * 100).rounded(.down)
        let credit = (daily * hundredths / 100).rounded(.down)
        governance.freezer.budget = max(0, governance.freezer.budget) + Int64((daily + credit) * page)
        governance.freezer.intervalEnd = now + .days(1)
        governance.freezer.thawedInInterval = 0
        var left = rules.demotionsPerDay
        for index in processes.indices where governance.controls[index].isFrozen {
            governance.controls[index].wasThawed = false
        }
        var process = governance.queues.head(of: profile.frozenBand)
        while process >= 0, left > 0 {
            let next = governance.queues.next(after: process)
            let control = governance.controls[process]
            if control.isFrozen, !control.isDemoted, control.thaws < rules.keepingThaws {
                left -= 1
                demote(process, at: now)
            }
            process = next
        }
    }

    func mayFreeze(_ index: Int, _ rules: FreezerRules) -> Bool {
        let record = processes[index]
        let control = governance.controls[index]
        return record.state == .suspended && control.traits.isFreezable && control.traits.isManaged
            && control.traits.useProbability > 0 && !control.isElevated && !control.isFrozen && !control.isIgnored
            && record.band <= rules.highestBand && record.footprint >= rules.minimum.bytes
            && governance.freezer.frozen < rules.slots && governance.freezer.budget > 0
            && governance.freezer.isEnabled
    }

    /// The longest idle candidate: lowest band, then first in its queue.
    private func freezerChoice(_ rules: FreezerRules) -> Int? {
        governance.queues.first(through: rules.highestBand) { mayFreeze($0, rules) }
    }

    private mutating func freezeCoalition(of leader: Int, _ rules: FreezerRules, at now: SimTime) {
        freezeOne(leader, rules, at: now)
        let traits = governance.controls[leader].traits
        guard traits.role == .leader, traits.coalition >= 0 else { return }
        var services: [Int] = []
        governance.coalitions.forEach(in: traits.coalition) { index in
            let control = governance.controls[index]
            guard control.traits.role == .xpcService, processes[index].state == .suspended, !control.isFrozen else {
                return
            }
            services.append(index)
        }
        for index in services where governance.freezer.frozen < rules.slots && governance.freezer.budget > 0 {
            freezeOne(index, rules, at: now)
        }
    }

    /// Purges, compresses and writes what the budget allows, and moves the process to the frozen band.
    private mutating func freezeOne(_ index: Int, _ rules: FreezerRules, at now: SimTime) {
        setVolatile(index, 0)
        let record = processes[index]
        let dirty = record.footprint - governance.controls[index].swapped
        let most = min(governance.freezer.budget, rules.largest?.bytes ?? .max)
        let written = min(dirty, most)
        let moved = min(record.resident, written)
        totals.compressed += ByteCount(moved)
        setSwapped(index, governance.controls[index].swapped + written)
        if !governance.controls[index].isFrozen {
            governance.controls[index].isFrozen = true
            governance.freezer.frozen += 1
        }
        setRefreezable(index, false)
        governance.freezer.budget -= written
        compressible.remove(index)
        setMemory(index, resident: record.resident - moved, compressed: record.compressed + moved)
        place(index, profile.frozenBand, at: now)
    }

    private mutating func demote(_ index: Int, at now: SimTime) {
        governance.controls[index].isDemoted = true
        setRefreezable(index, false)
        if governance.controls[index].hasAssertion {
            resolve(index, at: now)
        } else {
            place(index, profile.idleBand, at: now)
        }
    }

    /// A frozen process runs again: it keeps its place and its protection.
    mutating func noteThaw(_ index: Int, at now: SimTime) {
        guard isGoverned, governance.controls[index].isFrozen else { return }
        governance.controls[index].thaws += 1
        governance.controls[index].isDemoted = false
        setRefreezable(index, true)
        if !governance.controls[index].wasThawed { governance.freezer.thawedInInterval += 1 }
        governance.controls[index].wasThawed = true
    }

    mutating func killFrozen(_ reason: KillReason, at now: SimTime) {
        for index in processes.indices where governance.controls[index].isFrozen && processes[index].isAlive {
            kill(entry(index), reason, idleOnly: false, at: now)
        }
    }

    /// Gives up the slot of a process that dies.
    mutating func releaseFrozen(_ index: Int) {
        setSwapped(index, 0)
        governance.swappable.remove(index)
        guard governance.controls[index].isFrozen else { return }
        governance.controls[index].isFrozen = false
        governance.freezer.frozen -= 1
        setRefreezable(index, false)
        if governance.controls[index].wasThawed { governance.freezer.thawedInInterval -= 1 }
    }
}
