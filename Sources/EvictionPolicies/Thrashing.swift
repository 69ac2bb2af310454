// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Share of the file cache that is read again right after it was dropped.
///
/// Source: `lmkd.cpp`. The share is the amount of pages read again in a window of a second, divided by the file pages
/// at its start. The previous share is added, halved for each window that has passed. Above the limit, the cache
/// thrashes. At three times the full limit, thrashing is critical (at twice the limit until Android 13). Each kill for
/// thrashing cuts the limit by a tenth until thrashing ends.
struct Thrashing: Sendable {
    private static let window = SimDuration.second
    private let fullLimit: Double
    private let criticalFactor: Double
    private let decay: Double
    private var limit: Double
    private var start = SimTime.zero
    /// Memory read again in all, at the beginning of the window.
    private var refaulted = ByteCount.zero
    /// Memory read again in all, at the last check.
    private var lastRefaulted = ByteCount.zero
    private var fileBacked = ByteCount.zero
    private var past = 0.0
    private(set) var share = 0.0
    /// Whether a process was killed for thrashing since file pages were last sufficient.
    private var hasKilled = false

    init(limit: Double, criticalFactor: Double = 3, decay: Double = 0.1) {
        fullLimit = limit
        self.criticalFactor = criticalFactor
        self.decay = decay
        self.limit = limit
    }

    var isOverLimit: Bool { share > limit }
    var isCritical: Bool { share >= criticalFactor * fullLimit && fullLimit > 0 }

    /// Counts the memory that was read again up to now.
    mutating func update(_ memory: MemoryView, at now: SimTime) {
        let windows = (now - start) / Self.window
        if windows > 1 {
            past = share
            var left = min(windows.rounded(.down), 64)
            while left > 0 {
                past /= 2
                left -= 1
            }
            start = now
            refaulted = lastRefaulted
            fileBacked = memory.fileBacked
        }
        lastRefaulted = memory.refaulted
        share = (memory.refaulted - refaulted).mebibytes / max(fileBacked.mebibytes, 1) + past
        if !isOverLimit { limit = fullLimit }
    }

    /// Whether file pages are still fewer than required after a kill for thrashing (`filecache_min_kb`).
    mutating func lacksFiles(_ memory: MemoryView, least: ByteCount) -> Bool {
        if memory.fileBacked >= least { hasKilled = false }
        return hasKilled
    }

    /// Notes a kill; a kill for thrashing lowers the limit for the next one.
    mutating func didKill() {
        guard isOverLimit else { return }
        limit *= 1 - decay
        hasKilled = true
    }
}
