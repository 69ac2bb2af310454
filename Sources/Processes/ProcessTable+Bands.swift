// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The resolution of what holds at the same time (`memstat_update_priority_locked`): requested band, assertion,
/// dirtiness, pinning and freezing.
extension ProcessTable {
    /// Moves a process to where its requests, assertions and dirtiness want it.
    mutating func resolve(_ index: Int, ages: Bool = true, at now: SimTime) {
        if let band = processes[index].wantedBand(idle: profile.idleBand) {
            move(index, to: band, at: now)
        } else {
            retire(index, ages: ages, at: now)
        }
    }

    /// Moves a process to a band, or to a higher one when it is pinned or frozen; always to the tail.
    mutating func move(_ index: Int, to wanted: Int16, at now: SimTime) {
        var band = wanted
        if processes[index].isPinned {
            let isProtected = processes[index].isFrozen && !processes[index].isDemoted
            if processes[index].isElevated, band <= profile.elevatedBand { band = profile.elevatedBand }
            if isProtected, band <= profile.frozenBand { band = profile.frozenBand }
        }
        bands.endAging(index)
        enterBand(index, band, at: now)
    }

    /// Sends a process towards band 0, through its ageing band unless it is idle already.
    mutating func retire(_ index: Int, ages: Bool, at now: SimTime) {
        guard ages, !processes[index].isPinned, processes[index].band > profile.idleBand else {
            return move(index, to: profile.idleBand, at: now)
        }
        if processes[index].isTracked {
            move(index, to: profile.daemonAgingBand, at: now)
            beginDaemonAging(index, at: now)
        } else if processes[index].isManaged {
            move(index, to: profile.justLeftBand, at: now)
            bands.beginAging(index, .app)
        } else {
            move(index, to: profile.idleBand, at: now)
        }
    }

    /// Makes a process the next of band 0 to die.
    mutating func moveToHead(_ index: Int, at now: SimTime) {
        move(index, to: profile.idleBand, at: now)
        bands.moveToHead(index, &processes[index])
        updateLimit(index)
        markStale(index)
    }

    /// Sets the band of a process, with what depends on it: who may be reaped, compressed or is above a limit.
    mutating func enterBand(_ index: Int, _ band: Int16, at now: SimTime) {
        let counted: CountedBand =
            band == profile.idleBand ? .idle : band == profile.daemonAgingBand ? .aging : .none
        let old = bands.set(index, &processes[index], to: band, counted, at: now)
        if band != old {
            if processes[index].isTracked { updateIdleness(of: index, was: old == profile.idleBand) }
            if band == profile.idleBand, processes[index].isReapable {
                killer.reaper.reapable.append(index)
            } else if old == profile.idleBand {
                killer.reaper.reapable.remove(index)
            }
        }
        updateLimit(index)
        markStale(index)
    }

    /// A daemon that idles is compressed like a suspended app when memory is short; at work it touches its pages again.
    private mutating func updateIdleness(of index: Int, was: Bool) {
        if processes[index].band == profile.idleBand {
            compressor.compressible.append(index)
        } else if was {
            compressor.compressible.remove(index)
            decompressPages(index, share: memory.backgroundDecompressedShare)
        }
    }

    var nextAppAging: SimTime {
        guard let index = bands.first(.app) else { return .distantFuture }
        return processes[index].bandSet + profile.agingDelay
    }

    /// Apps whose ageing is over are idle.
    mutating func endAppAging(at now: SimTime) {
        while let index = bands.first(.app), nextAppAging <= now {
            bands.endAging(index)
            enterBand(index, profile.idleBand, at: now)
        }
    }

    /// Moves daemons out of their ageing band from the head; one whose time is not over holds up those behind it.
    ///
    /// A daemon with an importance assertion goes to the stuck band, where there is one; it gets another delay where
    /// there is none, and so does a dirty one.
    mutating func endDaemonAging(at now: SimTime) {
        while let index = bands.first(.daemon), controls[index].deadline <= now {
            let hasImportance = controls[index].hasImportance
            if processes[index].isDirty || (hasImportance && profile.stuckAgingBand == nil) {
                beginDaemonAging(index, at: now)
            } else if hasImportance, let stuck = profile.stuckAgingBand {
                move(index, to: stuck, at: now)
                controls[index].deadline = now + profile.stuckDelay
                bands.beginAging(index, .stuck)
            } else {
                move(index, to: profile.idleBand, at: now)
            }
        }
    }

    mutating func endStuck(at now: SimTime) {
        while let index = bands.first(.stuck), controls[index].deadline <= now {
            move(index, to: profile.idleBand, at: now)
        }
    }

    /// A clean daemon waits for its relaunch record's delay.
    mutating func beginDaemonAging(_ index: Int, at now: SimTime) {
        let delay =
            switch processes[index].relaunch {
            case .unknown, .low: profile.daemonAging[0]
            case .medium: profile.daemonAging[1]
            case .high: profile.daemonAging[2]
            }
        controls[index].deadline = now + delay
        bands.beginAging(index, .daemon)
    }

    /// Sets the band of what an app does, as an assertion.
    mutating func hold(_ index: Int, _ band: Int16, at now: SimTime) {
        processes[index].hasAssertion = true
        processes[index].asserted = band
        resolve(index, at: now)
    }
}
