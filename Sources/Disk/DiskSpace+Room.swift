// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Structures
import Vocabulary

/// What the system takes to make room.
package enum DiskPurge: Equatable, Sendable {
    /// All that an app left in `tmp`.
    case temporary(AppID)
    /// So much of an app's caches, or all that it has if that is less.
    case caches(AppID, ByteCount)
    /// An app that nobody used for long; its data stays.
    case offload(AppID)
}

/// How the system makes room (`DiskParameters`): first `tmp` of apps without a process, then caches, then whole apps.
///
/// Nobody is looked at who has nothing to give: what a look costs does not grow with the number of apps, but for the
/// few that run.
extension DiskSpace {
    /// Whether so little is free that the system purges.
    package var needsRoom: Bool { free < parameters.purgeBelow }

    /// An app was on screen for so long.
    package mutating func noteUse(of app: AppID, hours: Double) { quotas?.use(app, hours: hours) }

    /// What is to be taken next; nil when enough is free, or nobody has anything to give.
    ///
    /// Whoever has begun asks until it is nil.
    package mutating func nextPurge(_ processes: ProcessTable, at now: SimTime) -> DiskPurge? {
        if let gift = gifts?.popLast() { return .caches(gift.app, gift.bytes) }
        if free < parameters.purgeUntil {
            if let app = nextTemporary(processes) { return .temporary(app) }
            if let purge = quotas == nil ? nextGiver(processes) : firstGift(processes) { return purge }
            if let app = nextRemovable(processes, at: now) { return .offload(app) }
        }
        temporaries.putBack()
        givers.putBack()
        removable.putBack()
        gifts = nil
        return nil
    }

    /// Whose `tmp` goes: of apps that do not run, in the order in which the experiment names them.
    private mutating func nextTemporary(_ processes: ProcessTable) -> AppID? {
        while let first = temporaries.first {
            let app = AppID(Int(first.member))
            if !processes.isAlive(app) { return app }
            temporaries.setFirstAside()
        }
        return nil
    }

    /// Those whose caches go first give all of theirs; of equals the one that the experiment names first.
    private mutating func nextGiver(_ processes: ProcessTable) -> DiskPurge? {
        while let first = givers.first {
            let app = AppID(Int(first.member))
            let key = parameters.order == .largest ? first.key : processes.lastForeground(of: app).nanoseconds
            if key != first.key {
                givers.set(Int(first.member), key: key)
            } else if parameters.purgesRunning || !processes.state(of: app).executes {
                return .caches(app, ByteCount(.max))
            } else {
                givers.setFirstAside()
            }
        }
        return nil
    }

    /// The app farthest above its quota gives until it is no farther than the next, then both, and so on.
    private mutating func firstGift(_ processes: ProcessTable) -> DiskPurge? {
        guard gifts == nil else { return nil }
        let asked = quotas?.gifts(
            giving: parameters.purgeUntil - free, free: free, takesFromRunning: parameters.purgesRunning, processes)
        gifts = asked?.reversed()
        return gifts?.popLast().map { .caches($0.app, $0.bytes) }
    }

    /// Purges have not made enough room: apps that were not on screen for long are removed, the longest unused first.
    private mutating func nextRemovable(_ processes: ProcessTable, at now: SimTime) -> AppID? {
        let before = (now - parameters.offloadAfter).nanoseconds
        while let first = removable.first, first.key <= before {
            let app = AppID(Int(first.member))
            let key = processes.lastForeground(of: app).nanoseconds
            if key != first.key {
                removable.set(Int(first.member), key: key)
            } else if processes.state(of: app).executes {
                removable.setFirstAside()
            } else {
                return app
            }
        }
        return nil
    }

    /// Whether the freezer is to be switched on or off now: with too little free for what is frozen it dies, and
    /// nothing is frozen until there is room again; nil when nothing changes.
    package mutating func freezerChange() -> Bool? {
        let isShort = free < parameters.freezerBelow
        guard isShort != isFreezerOff else { return nil }
        isFreezerOff = isShort
        return !isShort
    }
}
