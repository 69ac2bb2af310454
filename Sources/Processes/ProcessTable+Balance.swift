// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// How memory comes back to what the rules demand.
extension ProcessTable {
    /// Kills a process above its own limit, at any level of memory.
    mutating func killAtLimit(_ index: Int, at now: SimTime) -> Bool {
        guard exceedsFatalLimit(index) else { return false }
        kill(index, rank: 0, .perProcessLimit, at: now)
        rebalance(at: now)
        return true
    }

    /// Brings memory back to what the rules demand after any change.
    mutating func rebalance(at now: SimTime) {
        compressSuspended(at: now)
        // The scan that fills the compressor looks at the level itself, before the killer wakes (`vm_pageout.c`).
        if book.isCompressorFull { updatePressure(at: now) }
        killWhileShort(at: now)
        let dropped = files.shrink(to: book.roomForFiles, &processes, at: now)
        if dropped > 0 { totals.filesReclaimed += ByteCount(dropped) }
        updatePressure(at: now)
        if profile.sendsTrimLevels { sendTrimLevels(at: now) }
        book.recordMinimum()
    }

    /// Brings a process to a footprint; it may die on the way, at its own limit or for want of memory.
    ///
    /// Memory is touched page by page, so others die while it grows, and what is available does not fall below zero. As
    /// long as nobody would die, growth in one step comes to the same.
    mutating func grow(_ index: Int, to footprint: Int64, at now: SimTime) {
        let reachable = min(footprint, mostReachable(index))
        while true {
            let missing = reachable - processes[index].footprint
            let untilShort =
                isUnbounded ? missing : max(Self.leastStep, book.available - nextThreshold + 1)
            resize(index, to: processes[index].footprint + min(missing, untilShort))
            if killAtLimit(index, at: now) { return }
            rebalance(at: now)
            if missing <= untilShort || !processes[index].isAlive { return }
        }
    }

    /// The next threshold below which somebody would die of the growth of another: of a limit, being idle, or at all.
    private var nextThreshold: Int64 {
        if book.available >= thresholdBytes.soft, !killer.violators.isEmpty { return thresholdBytes.soft }
        if book.available >= thresholdBytes.idle, ranking.mayHaveIdle { return thresholdBytes.idle }
        return thresholdBytes.critical
    }

    /// Growth goes on in steps of at least this where memory is short: one mebibyte.
    static var leastStep: Int64 { 1 << 20 }

    /// Compresses suspended apps, the longest suspended first unless a choice says otherwise, until enough is
    /// available.
    ///
    /// Each app is compressed in one step and once per suspension. The kernel does the same page by page, coldest
    /// pages first, whenever free pages run short; it compresses nothing while there is plenty.
    mutating func compressSuspended(at now: SimTime) {
        while book.available < thresholdBytes.compress, !book.isCompressorFull,
            !compressor.compressible.isEmpty || !compressor.cooled.isEmpty, let index = nextToCompress(at: now)
        {
            compressPages(index)
        }
    }
}
