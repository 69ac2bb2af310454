// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// Writing to the storage, where the phone has it in its model; elsewhere there is always room.
extension PhoneCore {
    /// Writes files of an app.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    @inline(__always)
    package mutating func writeFiles(_ bytes: ByteCount, to folder: DiskSpace.Folder, of app: AppID) -> Bool {
        disk == nil || store(bytes, folder, app)
    }

    /// Keeps what background work of an app brought; a failure is counted.
    package mutating func keepWork(_ bytes: ByteCount, of app: AppID) -> Bool {
        if writeFiles(bytes, to: .caches, of: app) { return true }
        noteDisk(.workFailed, app, bytes)
        return false
    }

    private mutating func store(_ bytes: ByteCount, _ folder: DiskSpace.Folder, _ app: AppID) -> Bool {
        guard disk?.admits(bytes, of: app) == true else {
            post(.diskLow)
            return false
        }
        guard bytes > .zero else { return true }
        disk?.add(bytes, to: folder, of: app, limit: apps[Int(app.index)].files.cachesLimit)
        let cause: Cause = front.app == app ? .foreground : .backgroundTask
        power.addEnergy(.storage, device.power.storage.writing(bytes), app: app, cause: cause, at: now)
        noteDisk(.write, app, bytes)
        return true
    }

    /// Takes an app's caches; one that is suspended is ended first.
    package mutating func purgeCaches(of app: AppID) {
        if processes.isAlive(app), !processes.state(of: app).executes { exit(app, .normal) }
        let bytes = disk?.purgeCaches(of: app) ?? .zero
        noteDisk(.purgeCaches, app, bytes)
    }

    /// Takes what an app left in `tmp`.
    package mutating func purgeTemporary(of app: AppID) {
        let bytes = disk?.purgeTemporary(of: app) ?? .zero
        if bytes > .zero { noteDisk(.purgeTemporary, app, bytes) }
    }

    /// The user's photos grow.
    package mutating func addPhotos(_ bytes: ByteCount) {
        let added = disk?.addPhotos(bytes) ?? .zero
        if added > .zero { noteDisk(.write, .system, added) }
    }

    /// What a launch of an app takes longer because its caches were purged.
    @inline(__always)
    package mutating func rebuildTime(of app: AppID) -> SimDuration {
        disk == nil ? .zero : disk?.takeRebuild(of: app) ?? .zero
    }

    /// Counts what happened on the storage, and writes its row when asked for.
    package mutating func noteDisk(_ event: DiskEvent, _ app: AppID, _ bytes: ByteCount) {
        guard let free = disk?.free else { return }
        measures.set(handles.disk.free, free.mebibytes, at: now)
        if app != .system {
            let counts = handles.disk.counts(event)
            if let rows = counts.rows { measures.add(rows, of: app) }
            if let amount = counts.bytes { measures.add(amount, of: app, Double(bytes.bytes)) }
        }
        if let below = disk?.parameters.purgeBelow, free < below { post(.diskLow) }
        guard book.tables.contains(.disk), let sink = book.sink else { return }
        var row = DiskRow()
        row.time = now
        row.app = app
        row.event = event
        row.bytes = bytes
        row.free = free
        sink.write(row)
    }
}
