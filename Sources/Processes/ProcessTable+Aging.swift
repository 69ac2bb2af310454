// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Timed work of the table: ageing, the reaper, sustained pressure, the freezer, notices.
extension ProcessTable {
    /// When timed work is next due, or `distantFuture`; call `age(at:)` at that instant.
    ///
    /// Timed work makes apps idle and notifies them of pressure. Processes with traits have further timed work.
    ///
    /// The property is mutating because its result is cached until the next change; a phone reads it after every event.
    public var nextAging: SimTime {
        mutating get {
            if let knownAging { return knownAging }
            let next = findAging()
            knownAging = next
            return next
        }
    }

    @inline(never)
    func findAging() -> SimTime {
        var next = min(nextAppAging, notices.due, pressureWatch.nextKill)
        if let index = bands.first(.daemon) { next = min(next, controls[index].deadline) }
        if let index = bands.first(.stuck) { next = min(next, controls[index].deadline) }
        next = min(next, nextReap, corpses.next)
        next = min(next, nextWriteback)
        if let trims { next = min(next, trims.end) }
        if profile.freezer != nil { next = min(next, nextFreeze) }
        return max(next, clock)
    }

    /// Notifies all processes of the present level again, as if it had lasted for 30 min.
    public mutating func repeatWarning(at now: SimTime) {
        advance(to: now)
        guard notices.level > .normal else { return }
        notices.repeatAnnouncement(at: now)
        runNotices(at: now)
        rebalance(at: now)
    }
}
