import Quantities
import Vocabulary

/// What a governed table does by the clock: ageing, the reaper, sustained pressure, the freezer.
extension ProcessTable {
    /// The earliest instant at which anything is due.
    var nextDeadline: SimTime {
        var next = nextAppAging
        for list in [governance.agingDaemons.head, governance.stuck.head] where list >= 0 {
            next = min(next, governance.controls[Int(list)].deadline)
        }
        next = min(next, governance.sustainedAt, nextReap, nextFreeze, nextNotice)
        return max(next, clock)
    }

    /// Does what is due.
    mutating func passDeadlines(at now: SimTime) {
        endDaemonAging(at: now)
        endStuck(at: now)
        killForSustainedPressure(at: now)
        runFreezer(at: now)
    }

    /// Takes daemons out of their ageing band from the head; one whose time is not over holds up those behind it.
    ///
    /// A daemon with an importance assertion goes to the stuck band, where there is one; it gets another delay where
    /// there is none, and so does a dirty one.
    private mutating func endDaemonAging(at now: SimTime) {
        while governance.agingDaemons.head >= 0 {
            let index = Int(governance.agingDaemons.head)
            let control = governance.controls[index]
            guard control.deadline <= now else { return }
            if control.isDirty || (control.hasImportance && profile.stuckAgingBand == nil) {
                governance.controls[index].deadline = now + agingDelay(index)
                governance.agingDaemons.moveToTail(index)
            } else if control.hasImportance, let stuck = profile.stuckAgingBand {
                place(index, stuck, at: now)
                governance.controls[index].deadline = now + profile.stuckDelay
                governance.stuck.moveToTail(index)
            } else {
                place(index, profile.idleBand, at: now)
            }
        }
    }

    private mutating func endStuck(at now: SimTime) {
        while governance.stuck.head >= 0 {
            let index = Int(governance.stuck.head)
            guard governance.controls[index].deadline <= now else { return }
            place(index, profile.idleBand, at: now)
        }
    }

    /// One idle process dies for a level that has stayed above normal for too long, from the head of band 0.
    private mutating func killForSustainedPressure(at now: SimTime) {
        guard governance.sustainedAt <= now else { return }
        updateRanks(at: now)
        if governance.sustainedLeft < 0 { governance.sustainedLeft = 2 * idleHeap.entries.count }
        guard !isUnbounded, !policyTriggers, governance.sustainedLeft > 0, let victim = idleHeap.first else {
            governance.sustainedAt = .distantFuture
            return
        }
        governance.sustainedLeft -= 1
        governance.sustainedAt = now + profile.sustainedSpacing
        kill(victim, .sustainedPressure, idleOnly: true, at: now)
    }

    /// Arms or disarms the timer of sustained pressure after a change of level.
    mutating func notePressure(from old: PressureLevel, at now: SimTime) {
        if pressure == .normal {
            governance.sustainedAt = .distantFuture
        } else if old == .normal {
            governance.sustainedAt = now + profile.sustainedAfter
            governance.sustainedLeft = -1
        }
    }

    /// Keeps what depends on the band of a process: when it entered, who may be reaped, who is counted.
    mutating func noteBand(_ index: Int, from old: Int16, at now: SimTime) {
        let band = processes[index].band
        governance.queues.remove(index, from: old)
        governance.queues.append(index, to: band)
        if band != old {
            governance.controls[index].entered = now
            if old == profile.idleBand { governance.controls[index].isIgnored = false }
            if governance.controls[index].isTracked { noteIdleness(of: index, was: old == profile.idleBand) }
            if band == profile.idleBand, governance.controls[index].isReapable {
                governance.reapable.moveToTail(index)
            } else {
                governance.reapable.remove(index)
            }
        }
        count(index, band == profile.idleBand ? .idle : band == profile.daemonAgingBand ? .aging : .none)
        recheckLimit(index)
    }

    /// A daemon that idles is compressed like a suspended app when memory is short; at work it touches its pages again.
    private mutating func noteIdleness(of index: Int, was: Bool) {
        if processes[index].band == profile.idleBand {
            compressible.moveToTail(index)
        } else if was {
            compressible.remove(index)
            decompress(index, share: memory.backgroundDecompressedShare)
        }
    }

    /// Moves a process between the counts of candidates.
    mutating func count(_ index: Int, _ new: CountedBand) {
        let old = governance.controls[index].counted
        guard (old == .none) != (new == .none) || old != new else { return }
        governance.controls[index].counted = new
        let change = (new == .none ? 0 : 1) - (old == .none ? 0 : 1)
        governance.candidates += change
        if governance.controls[index].traits.relaunch == .high { governance.eagerCandidates += change }
    }

    /// Takes a dead process out of everything that exists for traits.
    mutating func ungovern(_ index: Int) {
        count(index, .none)
        governance.queues.remove(index, from: processes[index].band)
        governance.coalitions.remove(index, from: governance.controls[index].traits.coalition)
        governance.violators.remove(index)
        governance.reapable.remove(index)
        governance.agingDaemons.remove(index)
        governance.stuck.remove(index)
        releaseFrozen(index)
        releaseBlocks(of: index)
        releaseKernelObjects(of: index)
        let volatile = governance.controls[index].volatile
        availableBytes += volatile
        volatileBytes -= volatile
        governance.controls[index].volatile = 0
    }
}
