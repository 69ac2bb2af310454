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
    /// An app unused for long; its data is kept.
    case offload(AppID)
}

/// Purges by the system (`DiskParameters`): first `tmp` of apps without a process, then caches, then whole apps.
///
/// Apps that have nothing to purge are not checked. The cost of a check does not grow with the number of apps, except
/// with the few that run.
extension DiskSpace {
    /// Whether so little space is free that the system must purge.
    package var needsRoom: Bool { free < parameters.purgeBelow }

    /// Adds time on screen to an app.
    package mutating func noteUse(of app: AppID, hours: Double) { quotas?.use(app, hours: hours) }

    /// The next purge; nil if enough space is free, or if no app has anything to purge.
    ///
    /// After the first call, repeat the call until the result is nil.
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

    /// The next app whose `tmp` is purged: an app without a process, in the order of the experiment.
    private mutating func nextTemporary(_ processes: ProcessTable) -> AppID? {
        while let first = temporaries.first {
            let app = AppID(Int(first.member))
            if !processes.isAlive(app) { return app }
            temporaries.setFirstAside()
        }
        return nil
    }

    /// The next app that loses all of its caches; among equals, the first app in the experiment.
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

    /// Computes the purges by quota, and returns the first one; nil if they were computed before.
    private mutating func firstGift(_ processes: ProcessTable) -> DiskPurge? {
        guard gifts == nil else { return nil }
        let asked = quotas?.gifts(
            giving: parameters.purgeUntil - free, free: free, takesFromRunning: parameters.purgesRunning, processes)
        gifts = asked?.reversed()
        return gifts?.popLast().map { .caches($0.app, $0.bytes) }
    }

    /// The next app to remove if purges did not free enough space: the app unused for longest, if `offloadAfter` has
    /// passed.
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

    /// Whether to enable or disable the freezer now; nil if nothing changes.
    ///
    /// If free space is too short, frozen processes are killed, and nothing is frozen until there is space again.
    package mutating func freezerChange() -> Bool? {
        let isShort = free < parameters.freezerBelow
        guard isShort != isFreezerOff else { return nil }
        isFreezerOff = isShort
        return !isShort
    }
}
