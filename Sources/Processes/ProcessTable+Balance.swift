// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Restores the state of memory that the rules require.
extension ProcessTable {
    /// Kills a process above its own fatal limit, at any amount of free memory.
    mutating func killAtLimit(_ index: Int, at now: SimTime) -> Bool {
        guard exceedsFatalLimit(index) else { return false }
        kill(index, rank: 0, .perProcessLimit, at: now)
        rebalance(at: now)
        return true
    }

    /// Restores the state of memory that the rules require, after any change.
    mutating func rebalance(at now: SimTime) {
        compressSuspended(at: now)
        // The scan that fills the compressor itself updates the level, before the killer wakes (`vm_pageout.c`).
        if book.isCompressorFull { updatePressure(at: now) }
        killWhileShort(at: now)
        let dropped = files.shrink(to: book.roomForFiles, &processes, at: now)
        if dropped > 0 { totals.filesReclaimed += ByteCount(dropped) }
        updatePressure(at: now)
        if profile.sendsTrimLevels { sendTrimLevels(at: now) }
        book.recordMinimum()
    }

    /// Grows a process to a footprint; it can be killed meanwhile, at its own limit or for lack of memory.
    ///
    /// Memory is touched page by page, so other processes are killed during the growth, and available memory does not
    /// fall below zero. If no process would be killed, growth in one step gives the same result.
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

    /// The next threshold below which growth causes a kill: of a process above its limit, an idle process, or any
    /// process.
    private var nextThreshold: Int64 {
        if book.available >= thresholdBytes.soft, !killer.violators.isEmpty { return thresholdBytes.soft }
        if book.available >= thresholdBytes.idle, ranking.mayHaveIdle { return thresholdBytes.idle }
        return thresholdBytes.critical
    }

    /// Smallest step of growth while memory is short, in bytes: one mebibyte.
    static var leastStep: Int64 { 1 << 20 }

    /// Compresses suspended apps until enough memory is available, by default the longest suspended first.
    ///
    /// Each app is compressed in one step, once per suspension. The kernel compresses page by page, coldest pages
    /// first, when free pages are short; otherwise, it compresses nothing.
    mutating func compressSuspended(at now: SimTime) {
        while book.available < thresholdBytes.compress, !book.isCompressorFull,
            !compressor.compressible.isEmpty || !compressor.cooled.isEmpty, let index = nextToCompress(at: now)
        {
            compressPages(index)
        }
    }
}
