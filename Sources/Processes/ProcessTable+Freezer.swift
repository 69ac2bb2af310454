import Quantities
import Vocabulary

/// The freezer writes suspended apps to storage and protects them in a band of their own, so that they are resumed
/// instead of launched. It freezes one app per run, the longest idle first, within slots and a daily budget.
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
            && governance.freezer.frozen < rules.slots && suspendedApps - governance.freezer.frozen > rules.spared
            && governance.freezer.budget > 0
    }

    /// One run of the freezer, if it is due.
    mutating func runFreezer(at now: SimTime) {
        guard let rules = profile.freezer else { return }
        if governance.freezer.hasBegun, governance.freezer.intervalEnd <= now {
            rollBudget(missed: now - governance.freezer.intervalEnd, rules, at: now)
        }
        guard canRun(rules), governance.freezer.nextRun <= now else { return }
        governance.freezer.nextRun = now + rules.spacing
        if let index = freezerChoice(rules) { freezeCoalition(of: index, rules, at: now) }
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
            let control = governance.controls[index]
            guard left > 0, !control.isDemoted, control.thaws < rules.keepingThaws else { continue }
            left -= 1
            demote(index, at: now)
        }
    }

    private func mayFreeze(_ index: Int, _ rules: FreezerRules) -> Bool {
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
        var best: VictimHeap.Entry?
        for index in processes.indices where processes[index].isAlive && mayFreeze(index, rules) {
            let entry = entry(index)
            if let found = best, !(entry < found) { continue }
            best = entry
        }
        return best.map { Int($0.process) }
    }

    private mutating func freezeCoalition(of leader: Int, _ rules: FreezerRules, at now: SimTime) {
        freezeOne(leader, rules, at: now)
        let traits = governance.controls[leader].traits
        guard traits.role == .leader, traits.coalition >= 0 else { return }
        for index in processes.indices where governance.freezer.frozen < rules.slots {
            let control = governance.controls[index]
            guard control.traits.coalition == traits.coalition, control.traits.role == .xpcService,
                processes[index].state == .suspended, !control.isFrozen, governance.freezer.budget > 0
            else { continue }
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
        governance.controls[index].swapped += written
        governance.controls[index].isFrozen = true
        governance.freezer.frozen += 1
        governance.freezer.budget -= written
        compressible.remove(index)
        setMemory(index, resident: record.resident - moved, compressed: record.compressed + moved)
        place(index, profile.frozenBand, at: now)
    }

    private mutating func demote(_ index: Int, at now: SimTime) {
        governance.controls[index].isDemoted = true
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
        governance.controls[index].swapped = 0
        guard governance.controls[index].isFrozen else { return }
        governance.controls[index].isFrozen = false
        governance.freezer.frozen -= 1
        if governance.controls[index].wasThawed { governance.freezer.thawedInInterval -= 1 }
    }
}
