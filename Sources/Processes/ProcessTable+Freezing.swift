// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Runs of the freezer: which processes are frozen, and which lose their protection.
extension ProcessTable {
    /// The earliest time at which the freezer can run next, as far as it is known now.
    var nextFreeze: SimTime { canRunFreezer ? freezer.nextRun : .distantFuture }

    var canRunFreezer: Bool {
        freezer.canRun(available: book.available, visible: memory.visible.bytes, suspended: suspendedApps)
    }

    /// Makes one run of the freezer, if it is due.
    mutating func runFreezer(at now: SimTime) {
        guard let rules = profile.freezer else { return }
        if freezer.intervalEnd <= now { beginInterval(missed: now - freezer.intervalEnd, rules, at: now) }
        guard canRunFreezer, freezer.nextRun <= now else { return }
        freezer.nextRun = now + rules.spacing
        if freezer.budget <= 0 {
            if let index = refreezeChoice(where: { _ in true }) { demote(index, at: now) }
        } else if freezer.frozen < rules.slots, let index = freezerChoice(rules, at: now) {
            freezeCoalition(of: index, rules, at: now)
            while rules.takesAll, let next = freezerChoice(rules, at: now) { freezeCoalition(of: next, rules, at: now) }
        } else if freezer.refreezable >= rules.refrozenFrom,
            let index = refreezeChoice(where: { processes[$0].state == .suspended })
        {
            freezeOne(index, rules, at: now)
        }
    }

    /// The first process in the queue of frozen processes that was thawed since it was frozen.
    func refreezeChoice(where isWanted: (Int) -> Bool) -> Int? {
        var process = bands.queues.head(of: profile.frozenBand)
        while let index = process {
            if controls[index].isRefreezable, isWanted(index) { return index }
            process = bands.queues.next(after: index)
        }
        return nil
    }

    /// Begins a new interval: the remaining budget is kept, and rarely thawed apps lose their protection.
    mutating func beginInterval(missed: SimDuration, _ rules: FreezerRules, at now: SimTime) {
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

    func mayFreeze(_ index: Int, _ rules: FreezerRules) -> Bool {
        let record = processes[index]
        return record.state == .suspended && record.isManaged && !record.isElevated && !record.isFrozen
            && record.band <= rules.highestBand && record.footprint >= rules.minimum.bytes
            && freezer.hasRoom && freezer.isEnabled && controls[index].isFreezable
            && controls[index].useProbability > 0
    }

    /// The next candidate: the longest idle process in the lowest band, or the process with the most refaults.
    ///
    /// Among equals, the longest idle process is chosen.
    mutating func freezerChoice(_ rules: FreezerRules, at now: SimTime) -> Int? {
        if freezingPolicy != nil { return lowestToFreeze(rules, at: now) }
        guard freezing == .refaulting else {
            return bands.queues.first(through: rules.highestBand) { mayFreeze($0, rules) }
        }
        var best: (index: Int, refaulted: Int64)?
        _ = bands.queues.first(through: rules.highestBand) { index in
            let refaulted = controls[index].refaulted
            if refaulted > best?.refaulted ?? -1, mayFreeze(index, rules) { best = (index, refaulted) }
            return false
        }
        return best?.index
    }

    /// The candidate that the policy ranks lowest; among equals, the longest idle one.
    private mutating func lowestToFreeze(_ rules: FreezerRules, at now: SimTime) -> Int? {
        guard var policy = freezingPolicy else { return nil }
        freezingPolicy = nil
        var suspended: [Int] = []
        _ = bands.queues.first(through: rules.highestBand) { index in
            if mayFreeze(index, rules) { suspended.append(index) }
            return false
        }
        let chosen = evict(from: suspended, by: &policy, at: now)
        freezingPolicy = policy
        return chosen
    }

    mutating func freezeCoalition(of leader: Int, _ rules: FreezerRules, at now: SimTime) {
        freezeOne(leader, rules, at: now)
        for index in services(of: leader) where freezer.hasRoom {
            guard processes[index].state == .suspended, !processes[index].isFrozen else { continue }
            freezeOne(index, rules, at: now)
        }
    }

    /// The services in the coalition of an app; empty if the process leads no coalition.
    func services(of leader: Int) -> [Int] {
        let coalition = controls[leader].coalition
        guard controls[leader].role == .leader, coalition >= 0 else { return [] }
        var services: [Int] = []
        coalitions.forEach(in: coalition) { index in
            if controls[index].role == .xpcService { services.append(index) }
        }
        return services
    }

    /// Purges, compresses and writes as much as the budget allows, and moves the process to the frozen band.
    ///
    /// A forced freeze does not change the budget, and keeps the process in its band if that is higher.
    mutating func freezeOne(_ index: Int, _ rules: FreezerRules, isForced: Bool = false, at now: SimTime) {
        setVolatile(index, 0)
        let record = processes[index]
        let swapped = processes[index].swapped
        let written = min(
            record.footprint - swapped, isForced ? .max : freezer.budget, rules.largest?.bytes ?? .max)
        let moved = min(record.resident, written)
        totals.compressed += ByteCount(moved)
        totals.written += ByteCount(written)
        totals.frozen += 1
        if !record.isFrozen {
            processes[index].isFrozen = true
            freezer.changeFrozen(by: 1)
        }
        setRefreezable(index, false)
        if !isForced { freezer.budget -= written }
        compressor.release(index)
        setMemory(
            index, resident: record.resident - moved, compressed: record.compressed + moved, swapped: swapped + written)
        guard !isForced || record.band < profile.frozenBand else { return }
        setPriority(index, profile.frozenBand, at: now)
    }

    mutating func demote(_ index: Int, at now: SimTime) {
        processes[index].isDemoted = true
        setRefreezable(index, false)
        if processes[index].hasAssertion {
            resolve(index, at: now)
        } else {
            setPriority(index, profile.idleBand, ages: false, at: now)
        }
    }

    mutating func killFrozen(_ reason: KillReason, at now: SimTime) {
        for index in processes.indices where processes[index].isFrozen && processes[index].isAlive {
            kill(index, reason, at: now)
        }
    }

    /// Sets `vm.freeze_enabled`.
    mutating func switchFreezer(on isOn: Bool, at now: SimTime) {
        freezer.isOn = isOn
        if !isOn { killFrozen(.diskSpaceShortage, at: now) }
    }
}
