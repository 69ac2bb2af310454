// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Structures
import Vocabulary

/// One purge by the system.
package enum DiskPurge: Equatable, Sendable {
    /// All files of an app in `tmp`.
    case temporary(AppID)
    /// This many bytes of an app's caches, or all of them if that is less.
    case caches(AppID, ByteCount)
    /// A long unused app; its data stays.
    case offload(AppID)
}

/// Purges of the system (`DiskParameters`): first `tmp` of apps without a process, then caches, then whole apps.
///
/// Apps without anything to purge are not checked. The cost of a check does not grow with the number of apps, except
/// for the few that run.
extension DiskSpace {
    /// Whether so little space is free that the system purges.
    package var needsRoom: Bool { free < parameters.purgeBelow }

    /// Adds time on screen to an app.
    package mutating func noteUse(of app: AppID, hours: Double) { quotas?.use(app, hours: hours) }

    /// The next purge; nil if enough space is free, or if no app has anything to purge.
    ///
    /// After the first call, call it until the result is nil.
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

    /// The app whose `tmp` is purged next: one that does not run, in the order of the experiment.
    private mutating func nextTemporary(_ processes: ProcessTable) -> AppID? {
        while let first = temporaries.first {
            let app = AppID(Int(first.member))
            if !processes.isAlive(app) { return app }
            temporaries.setFirstAside()
        }
        return nil
    }

    /// The next app that loses all of its caches; among equals the first app in the experiment.
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

    /// The purge of the app farthest above its quota, until it is no farther than the next, then of both, and so on.
    private mutating func firstGift(_ processes: ProcessTable) -> DiskPurge? {
        guard gifts == nil else { return nil }
        let asked = quotas?.gifts(
            giving: parameters.purgeUntil - free, free: free, takesFromRunning: parameters.purgesRunning, processes)
        gifts = asked?.reversed()
        return gifts?.popLast().map { .caches($0.app, $0.bytes) }
    }

    /// The app to remove if purges did not free enough space: the app that was unused for longest, if long enough.
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

    /// Whether to switch the freezer on or off now; nil if nothing changes.
    ///
    /// With too little free space frozen processes die, and nothing is frozen until there is space again.
    package mutating func freezerChange() -> Bool? {
        let isShort = free < parameters.freezerBelow
        guard isShort != isFreezerOff else { return nil }
        isFreezerOff = isShort
        return !isShort
    }
}
