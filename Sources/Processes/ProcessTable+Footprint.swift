// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// Changes of one process's memory and of the lists that depend on it; no process is killed here.
extension ProcessTable {
    /// Begins a change at an instant, and advances the totals to this instant.
    mutating func advance(to now: SimTime) {
        guard now >= clock else { fatalError("processes cannot change before the time of the last change") }
        knownAging = nil
        guard now > clock else { return }
        totals.add(now - clock, liveApps: population.alive, pressure: pressure)
        clock = now
    }

    /// Starts a process with these traits; it is in no band yet.
    mutating func adopt(_ index: Int, _ traits: ProcessTraits) {
        processes[index].begin(traits)
        controls.reset(index)
        if traits.needsControl { controls[index].adopt(traits) }
    }

    /// Applies a life-cycle move of a process or a window.
    ///
    /// All changes of state use this function, and an illegal move traps.
    mutating func apply(_ index: Int, _ move: LifeCycleMove, at now: SimTime) {
        if recordsCallbacks { callbacks += callbacks(of: move, index, at: now) }
        population.apply(move, to: &processes[index])
        markStale(index)
    }

    @inline(__always)
    mutating func markStale(_ index: Int) {
        if !processes[index].isStale { ranking.markStale(index, &processes[index]) }
        if !processes[index].isNoticeStale { notices.markChanged(index, &processes[index]) }
    }

    mutating func updateRanks(at now: SimTime) { ranking.update(&processes, facts, at: now) }

    /// Whether a process that grew must be killed at once, after its deferred frees have been reclaimed.
    mutating func exceedsFatalLimit(_ index: Int) -> Bool {
        if !processes[index].hasOwnLimits,
            processes[index].ledgerFootprint <= book.sizes.perProcessLimit.bytes
        {
            return false
        }
        let limit = limit(index)
        guard limit.isFatal, processes[index].ledgerFootprint > limit.size.bytes else { return false }
        reclaimDeferred(index)
        return processes[index].ledgerFootprint > limit.size.bytes
    }

    /// Sets resident and compressed memory of a process; its memory on storage is limited to the compressed memory.
    mutating func setMemory(_ index: Int, resident: Int64, compressed: Int64) {
        setMemory(index, resident: resident, compressed: compressed, swapped: processes[index].swapped)
    }

    /// Sets all memory of a process, including the part of the compressed memory that is on storage.
    mutating func setMemory(_ index: Int, resident: Int64, compressed: Int64, swapped: Int64) {
        book.set(
            &processes[index], resident: resident, compressed: compressed, swapped: min(swapped, compressed))
        updateFootprint(index)
        markStale(index)
    }

    mutating func resize(_ index: Int, to footprint: Int64) {
        let resident = max(0, footprint - processes[index].compressed)
        setMemory(index, resident: resident, compressed: footprint - resident)
    }

    /// Updates the state that depends on the footprint of a process: its limit, and whether it can be swapped.
    @inline(__always)
    mutating func updateFootprint(_ index: Int) {
        if profile.appSwap != nil { updateSwappable(index) }
        updateLimit(index)
    }

    mutating func compressPages(_ index: Int) {
        let isTracked = processes[index].isTracked
        let isFirst = compression.isColdFirst && !isTracked && !compressor.cooled.contains(index)
        compressor.release(index)
        let share = isTracked ? book.sizes.idleCompressedShare : book.sizes.suspendedCompressedShare
        compressPages(index, share: isFirst ? min(share, 1 - hotShare(index)) : share)
        if isFirst { compressor.cooled.append(index) }
    }

    /// Share of a suspended app's memory that it touches when it is opened.
    func hotShare(_ index: Int) -> Double {
        let stated = facts[index].hotShare
        return stated >= 0 ? Double(stated) : book.sizes.foregroundDecompressedShare
    }

    /// Brings back the memory that an app touches at an open, with equal shares of the pool and of storage.
    mutating func touchHotPages(_ index: Int) -> Int64 {
        let record = processes[index]
        let share: Double
        if facts[index].hotShare >= 0 || compression.isColdFirst {
            let missing = hotShare(index) * Double(record.footprint) - Double(record.resident)
            share = record.compressed > 0 ? min(1, max(0, missing / Double(record.compressed))) : 0
        } else {
            share = book.sizes.foregroundDecompressedShare
        }
        let stored = Int64(Double(record.swapped) * share)
        let back = decompressPages(index, share: share)
        resumeFaults = ResumeFaults(pool: ByteCount(back - stored), storage: ByteCount(stored))
        return back
    }

    mutating func compressPages(_ index: Int, share: Double) {
        let (footprint, old) = (processes[index].footprint, processes[index].compressed)
        let compressed = Int64(rounding: Double(footprint) * share)
        guard compressed > old else { return }
        totals.compressed += ByteCount(compressed - old)
        setMemory(index, resident: footprint - compressed, compressed: compressed)
    }

    /// Decompresses a share of a process's compressed memory; returns the number of bytes.
    @discardableResult
    mutating func decompressPages(_ index: Int, share: Double) -> Int64 {
        let (resident, compressed) = (processes[index].resident, processes[index].compressed)
        let back = Int64(rounding: Double(compressed) * share)
        guard back > 0 else { return 0 }
        let swapped = processes[index].swapped
        totals.decompressed += ByteCount(back)
        setMemory(
            index, resident: resident + back, compressed: compressed - back,
            swapped: swapped - Int64(Double(swapped) * share))
        return back
    }

    /// Reads a share of an app's launch files into the cache; the app's cached files are then the last to be dropped.
    mutating func readFiles(_ index: Int, share: Double = 1) {
        let wanted = Int64(rounding: Double(facts[index].launchFiles) * share)
        let again = files.read(index, &processes[index], wanted: wanted)
        if again > 0 { totals.refaulted += ByteCount(again) }
    }

    /// Present state of the memory, for the policy and for trim levels.
    var memoryView: MemoryView { book.view(files: files.total, refaulted: totals.refaulted) }

    mutating func setVolatile(_ index: Int, _ size: Int64) {
        let change = size - controls[index].volatile
        guard change != 0 else { return }
        controls[index].volatile = size
        book.changeVolatile(by: change)
    }

    mutating func reclaimDeferred(_ index: Int) {
        let size = controls[index].deferred
        guard size > 0 else { return }
        controls[index].deferred = 0
        resize(index, to: max(0, processes[index].footprint - size))
    }

    /// Updates the list of suspended processes whose memory could be written to storage.
    mutating func updateSwappable(_ index: Int) {
        let record = processes[index]
        if controls[index].isSwappable, record.state == .suspended, record.compressed > processes[index].swapped {
            if !compressor.swappable.contains(index) { compressor.swappable.append(index) }
        } else {
            compressor.swappable.remove(index)
        }
    }
}
