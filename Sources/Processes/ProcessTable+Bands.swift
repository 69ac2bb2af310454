// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Combines requested band, assertion, dirtiness, pinning and freezing into one band
/// (`memstat_update_priority_locked`).
extension ProcessTable {
    /// Moves a process to the band that results from its requests, assertions and dirtiness.
    mutating func resolve(_ index: Int, at now: SimTime) {
        setPriority(index, processes[index].wantedBand(idle: profile.idleBand) ?? profile.idleBand, at: now)
    }

    /// Sets the priority of a process, at the tail or the head of its band (`memstat_update_priority_locked`).
    ///
    /// If `ages` is true, a pinned or frozen process stays in its higher band. Another process that moves to band 0
    /// ages first, unless it is already in band 0. A process that is ageing keeps its deadline.
    mutating func setPriority(
        _ index: Int, _ wanted: Int16, ages: Bool = true, atHead: Bool = false, at now: SimTime
    ) {
        let old = processes[index].band
        let (band, aging) = ages ? aged(index, pinned(index, wanted)) : (wanted, nil)
        bands.endAging(index)
        enterBand(index, band, at: now)
        if atHead {
            bands.moveToHead(index, &processes[index])
            updateLimit(index)
            markStale(index)
        }
        switch aging {
        case .daemon?:
            let deadline = controls[index].deadline
            beginDaemonAging(index, atHead: atHead, at: now)
            if band == old { controls[index].deadline = deadline }
        case let kind?: bands.beginAging(index, kind, atHead: atHead)
        case nil: break
        }
    }

    /// The special band in which a process is kept: the band of frozen processes, or the elevated band if requested.
    @inline(__always)
    private func pinned(_ index: Int, _ wanted: Int16) -> Int16 {
        guard processes[index].isPinned else { return wanted }
        if processes[index].isFrozen, !processes[index].isDemoted, wanted <= profile.frozenBand {
            return profile.frozenBand
        }
        return processes[index].isElevated ? max(wanted, profile.elevatedBand) : wanted
    }

    /// The band and kind of ageing of a process that moves to band 0; no ageing if the process is already in band 0.
    @inline(__always)
    private func aged(_ index: Int, _ wanted: Int16) -> (band: Int16, aging: BandBook.Aging?) {
        let isTracked = processes[index].isTracked
        guard isTracked || processes[index].isManaged else { return (wanted, nil) }
        let lowest = isTracked ? profile.stuckAgingBand ?? profile.daemonAgingBand : profile.justLeftBand
        guard wanted <= lowest else { return (wanted, nil) }
        if processes[index].band == profile.idleBand { return (profile.idleBand, nil) }
        return isTracked ? (profile.daemonAgingBand, .daemon) : (profile.justLeftBand, .app)
    }

    /// Sets the band of a process, and updates the lists of reapable, compressible and limit-exceeding processes.
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

    /// Makes an idle daemon compressible like a suspended app; a daemon that works touches its pages again.
    private mutating func updateIdleness(of index: Int, was: Bool) {
        if processes[index].band == profile.idleBand {
            compressor.compressible.append(index)
        } else if was {
            compressor.release(index)
            decompressPages(index, share: memory.backgroundDecompressedShare)
        }
    }

    var nextAppAging: SimTime {
        guard let index = bands.first(.app) else { return .distantFuture }
        return processes[index].entered + profile.agingDelay
    }

    /// Makes apps idle that have finished ageing.
    mutating func endAppAging(at now: SimTime) {
        while let index = bands.first(.app), nextAppAging <= now {
            bands.endAging(index)
            enterBand(index, profile.idleBand, at: now)
        }
    }

    /// Moves daemons out of their ageing band from its head on, up to the first daemon that is still ageing.
    ///
    /// A daemon with an importance assertion moves to the stuck band, if there is one. Otherwise, it gets another
    /// delay, like a dirty daemon.
    mutating func endDaemonAging(at now: SimTime) {
        while let index = bands.first(.daemon), controls[index].deadline <= now {
            let hasImportance = controls[index].hasImportance
            if processes[index].isDirty || (hasImportance && profile.stuckAgingBand == nil) {
                bands.endAging(index)
                beginDaemonAging(index, at: now)
            } else if hasImportance, let stuck = profile.stuckAgingBand {
                setPriority(index, stuck, ages: false, at: now)
                controls[index].deadline = now + profile.stuckDelay
                bands.beginAging(index, .stuck)
            } else {
                setPriority(index, profile.idleBand, ages: false, at: now)
            }
        }
    }

    mutating func endStuck(at now: SimTime) {
        while let index = bands.first(.stuck), controls[index].deadline <= now {
            setPriority(index, profile.idleBand, ages: false, at: now)
        }
    }

    /// Starts the ageing of a clean daemon, with the delay of its relaunch record.
    mutating func beginDaemonAging(_ index: Int, atHead: Bool = false, at now: SimTime) {
        let delay =
            switch processes[index].relaunch {
            case .unknown, .low: profile.daemonAging[0]
            case .medium: profile.daemonAging[1]
            case .high: profile.daemonAging[2]
            }
        controls[index].deadline = now + delay
        bands.beginAging(index, .daemon, atHead: atHead)
    }

    /// Moves a process to the band of its assertions; band 0 drops the assertions (`memorystatus_set_priority`).
    ///
    /// The last asserted band is kept. A tracked process that is dirty, or may not exit when idle, gets the higher of
    /// its asserted and its requested band.
    mutating func setAssertion(_ index: Int, _ band: Int16, at now: SimTime) {
        processes[index].hasAssertion = band != profile.idleBand
        if band != profile.idleBand { processes[index].asserted = band }
        let isHeld = processes[index].isTracked && !processes[index].mayIdle
        setPriority(
            index, isHeld ? max(processes[index].asserted, processes[index].requested) : band, at: now)
    }
}
