// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// The choice of victims, in the modelled part of the kernel's order of actions (`memorystatus_pick_action`).
///
/// Below the critical threshold, the process with the lowest rank of all is killed. Below the idle threshold, the
/// process with the lowest rank in band 0 is killed. After one kill, all conditions are checked again. "Below" means
/// strictly below: no process is killed at the threshold itself.
extension ProcessTable {
    mutating func killWhileShort(at now: SimTime) {
        if ranking.policyTriggers { return killWhileTriggered(at: now) }
        guard !isUnbounded, isKillerWoken else { return }
        killer.isForegroundSorted = false
        while act(at: now) {}
    }

    /// Kills while the policy triggers kills, and in any case while no memory is left.
    private mutating func killWhileTriggered(at now: SimTime) {
        while true {
            let isOut = book.available < 0
            guard let limit = isOut ? .infinity : ranking.policy.highestRankToDie(memoryView, at: now) else { return }
            updateRanks(at: now)
            guard let victim = ranking.lowest, victim.key.rank <= limit else {
                totals.noVictim += isOut ? 1 : 0
                return
            }
            kill(victim.member, rank: victim.key.rank, .pageShortage, at: now)
        }
    }

    /// Whether any condition wakes the killer.
    @inline(__always)
    var isKillerWoken: Bool {
        isShortOfPages || isCompressorShort || !killer.signals.isEmpty
            || (book.available < thresholdBytes.soft && profile.appSwap != nil)
    }

    /// Whether so few pages are available that a process must be killed (`memstat_evaluate_page_shortage`).
    @inline(__always)
    var isShortOfPages: Bool {
        let available = book.available
        if available < thresholdBytes.soft, !killer.violators.isEmpty { return true }
        if available < thresholdBytes.idle, ranking.mayHaveIdle { return true }
        return available < thresholdBytes.critical || killer.reaper.isSweeping || nextReap <= clock
    }

    /// Whether the compressor is full, on a system where this causes kills.
    var isCompressorShort: Bool { profile.fullCompressorKills && book.isCompressorFull }

    /// Whether any process may be killed for lack of memory.
    var isCritical: Bool {
        book.available < thresholdBytes.critical
            || (profile.idleRaisesCritical && book.available < thresholdBytes.idle && !ranking.idle.isEmpty)
    }

    /// Performs one action; returns false if no further action is necessary.
    mutating func act(at now: SimTime) -> Bool {
        updateRanks(at: now)
        let isFull = isCompressorShort
        let isUnhealthy = isCritical || isFull || !killer.signals.isEmpty
        if book.available < thresholdBytes.soft || isUnhealthy {
            if profile.appSwap != nil, swapOrKill(at: now) { return true }
            if isFull { return killLowest(.compressorSpaceShortage, at: now) }
            if let violator = killer.violators.first {
                kill(violator.member, rank: violator.key.rank, .highwater, at: now)
                return true
            }
        }
        if !isUnhealthy {
            if book.available < thresholdBytes.idle, let victim = ranking.lowestIdle {
                kill(victim.member, rank: victim.key.rank, .idleExit, idleOnly: true, at: now)
                return true
            }
            return reap(at: now)
        }
        if march(at: now) { return true }
        return killLowest(killer.signals.removeFirst() ?? (isSwapLow ? .lowSwap : .pageShortage), at: now)
    }

    mutating func killLowest(_ reason: KillReason, at now: SimTime) -> Bool {
        if ranking.idle.isEmpty, ranking.working.isEmpty { sortForeground() }
        guard let victim = ranking.lowest else {
            if !corpses.isEmpty {
                releaseCorpses(until: .distantFuture)
                return true
            }
            totals.noVictim += 1
            return false
        }
        kill(victim.member, rank: victim.key.rank, reason, at: now)
        return true
    }

    /// The earliest time at which a sweep can begin, as far as it is known now.
    @inline(__always)
    var nextReap: SimTime {
        guard profile.reaperShare != nil, !isUnbounded, !ranking.policyTriggers,
            book.available < thresholdBytes.reaper, let first = killer.reaper.reapable.first
        else {
            return .distantFuture
        }
        let ripe = processes[first].entered + profile.reapedAfter
        return killer.reaper.nextSweep(ripe: ripe, rescan: profile.reaperRescan)
    }

    /// Kills one process of a sweep; returns false if the sweep is over or no sweep may begin.
    mutating func reap(at now: SimTime) -> Bool {
        guard killer.reaper.isSweeping || nextReap <= now else { return false }
        killer.reaper.beginSweep()
        if killer.reaper.isRanked { return reapRanked(at: now) }
        guard let index = nextReaped(at: now) else {
            killer.reaper.endSweep(at: now)
            return false
        }
        // If a purge saves the process, the sweep ends (`memorystatus_kill_top_process`), and all conditions are
        // checked again.
        if !kill(index, .longIdleExit, idleOnly: true, at: now) { killer.reaper.endSweep(at: now) }
        return true
    }

    /// The first process in the queue of band 0 that has been idle long enough for a sweep; others can be idle for
    /// longer.
    private func nextReaped(at now: SimTime) -> Int? {
        guard let oldest = killer.reaper.reapable.first, isRipe(oldest, at: now) else { return nil }
        var process = bands.queues.head(of: profile.idleBand)
        while let index = process {
            if processes[index].isReapable, isRipe(index, at: now) { return index }
            process = bands.queues.next(after: index)
        }
        return nil
    }

    @inline(__always)
    private func isRipe(_ index: Int, at now: SimTime) -> Bool {
        processes[index].entered + profile.reapedAfter <= now
    }

    /// Kills one process of a sweep in the order of the policy, while memory is short.
    @inline(never)
    private mutating func reapRanked(at now: SimTime) -> Bool {
        var lowest: (index: Int, key: VictimKey)?
        var next = book.available < thresholdBytes.reaper ? killer.reaper.reapable.first : nil
        while let index = next, isRipe(index, at: now) {
            // A process that the policy does not rank is killed at once, as in the system's order.
            guard ranking.ranks(isSystem: facts[index].isSystem) else {
                kill(index, .longIdleExit, idleOnly: true, at: now)
                return true
            }
            if let key = ranking.keyOfIdle(index), lowest.map({ key < $0.key }) ?? true { lowest = (index, key) }
            next = killer.reaper.reapable.next(after: index)
        }
        guard let lowest else {
            killer.reaper.endSweep(at: now)
            return false
        }
        kill(lowest.index, rank: lowest.key.rank, .longIdleExit, idleOnly: true, at: now)
        return true
    }

    /// Kills one idle process, from the head of band 0, because the level has stayed above normal for too long.
    mutating func killForSustainedPressure(at now: SimTime) {
        updateRanks(at: now)
        guard !isUnbounded, !ranking.policyTriggers, pressureWatch.mayKill(idle: ranking.idle.count),
            let victim = ranking.lowestIdle
        else { return pressureWatch.disarmTimer() }
        pressureWatch.recordKill(at: now)
        // If a purge saves the process, the handler ends (`sustained_pressure_handler`).
        let hasKilled = kill(victim.member, rank: victim.key.rank, .sustainedPressure, idleOnly: true, at: now)
        if !hasKilled { pressureWatch.disarmTimer() }
    }

    var swapLeft: Int64 { (profile.appSwap?.space.bytes ?? 0) - book.swapped }

    /// Whether little swap is left; kills of an unhealthy system then have the reason `lowSwap`.
    var isSwapLow: Bool {
        guard let rules = profile.appSwap else { return false }
        return Double(swapLeft) < rules.lowShare * Double(rules.space.bytes)
    }

    /// Performs one step of the swapper, or a kill for lack of swap if the rules allow it.
    ///
    /// Returns false if neither is possible.
    mutating func swapOrKill(at now: SimTime) -> Bool {
        guard let rules = profile.appSwap else { return false }
        if rules.killsWhenLow, isSwapLow {
            let isOut = swapLeft <= 0
            let victim = bands.queues.first(through: isOut ? 210 : rules.lowBand) { index in
                controls[index].isSwappable && (isOut || processes[index].state == .suspended)
            }
            if let victim {
                kill(victim, .lowSwap, at: now)
                return true
            }
        }
        while swapLeft > 0, let index = compressor.swappable.first {
            compressor.swappable.remove(index)
            let record = processes[index]
            guard record.state == .suspended else { continue }
            let swapped = processes[index].swapped
            let moved = min(swapLeft, record.compressed - swapped)
            totals.written += ByteCount(moved)
            setMemory(index, resident: record.resident, compressed: record.compressed, swapped: swapped + moved)
            return true
        }
        return false
    }

    /// Kills for a nearly full zone map (`kill_process_in_largest_zone`).
    ///
    /// If map entries fill the map, the process with the most entries is killed; otherwise, the lowest process.
    mutating func relieveZoneMap(at now: SimTime) {
        if kernel.zones.areEntriesLargest, let culprit = kernel.largestOwner {
            kill(culprit, .zoneMapExhaustion, at: now)
        } else {
            killer.signals.insert(.zoneMap)
        }
    }

    /// Kills the lowest process other than the caller, without any purge (`memorystatus_kill_on_vnode_limit`).
    mutating func killForVnodes(_ caller: AppID?, at now: SimTime) -> Bool {
        updateRanks(at: now)
        guard let victim = bands.queues.first(through: 210, where: { AppID($0) != caller }) else { return false }
        kill(victim, .vnodeLimit, at: now)
        return true
    }
}
