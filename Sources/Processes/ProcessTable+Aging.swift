// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// What the table does by the clock: ageing, the reaper, sustained pressure, the freezer, notices.
extension ProcessTable {
    /// When anything is due by the clock, `distantFuture` for nothing: call `age(at:)` then.
    ///
    /// Apps become idle and hear of pressure; with traits in the table much more may be due.
    ///
    /// Mutating, since the answer is kept until the next change: it is asked for after every event of a phone.
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

    /// Tells everybody of the present level once more, as if it had lasted for 30 min.
    public mutating func repeatWarning(at now: SimTime) {
        advance(to: now)
        guard notices.level > .normal else { return }
        notices.repeatAnnouncement(at: now)
        runNotices(at: now)
        rebalance(at: now)
    }
}
