// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import Measures
import Power
import Processes
import Quantities
import Vocabulary

/// Writes to the storage, on a phone with a storage model; other phones always have space.
extension PhoneCore {
    /// Writes files of an app.
    ///
    /// - Returns: Whether there was space.
    @discardableResult
    @inline(__always)
    package mutating func writeFiles(_ bytes: ByteCount, to folder: DiskSpace.Folder, of app: AppID) -> Bool {
        disk == nil || store(bytes, folder, app)
    }

    /// Writes the bytes that background work of an app fetched; counts a failure.
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

    /// Frees space in the system's order of purges.
    package mutating func makeRoom() {
        let now = now
        while let purge = disk?.nextPurge(processes, at: now) {
            switch purge {
            case .temporary(let app): purgeTemporary(of: app)
            case .caches(let app, let bytes): purgeCaches(of: app, bytes)
            case .offload(let app): offload(app)
            }
        }
    }

    /// Purges caches of an app; a suspended app is ended first.
    private mutating func purgeCaches(of app: AppID, _ bytes: ByteCount) {
        if processes.isAlive(app), !processes.state(of: app).executes { exit(app, .normal) }
        let purged = disk?.purgeCaches(of: app, bytes) ?? .zero
        noteDisk(.purgeCaches, app, purged)
    }

    /// Purges an app's files in `tmp`.
    package mutating func purgeTemporary(of app: AppID) {
        let bytes = disk?.purgeTemporary(of: app) ?? .zero
        if bytes > .zero { noteDisk(.purgeTemporary, app, bytes) }
    }

    /// Adds bytes to the user's photos.
    package mutating func addPhotos(_ bytes: ByteCount) {
        let added = disk?.addPhotos(bytes) ?? .zero
        if added > .zero { noteDisk(.write, .system, added) }
    }

    /// Additional time of a launch of an app whose caches were purged.
    @inline(__always)
    package mutating func rebuildTime(of app: AppID) -> SimDuration {
        disk == nil ? .zero : disk?.takeRebuild(of: app) ?? .zero
    }

    // MARK: Apps that were removed

    /// Whether an app is installed; an app that was removed from a full phone does nothing.
    @inline(__always)
    package func hasApp(_ app: AppID) -> Bool { disk == nil || disk?.isOffloaded(app) == false }

    /// Removes a long-unused app but keeps its data; the app does nothing until the user opens it again.
    private mutating func offload(_ app: AppID) {
        let bundle = apps[Int(app.index)].files.bundle
        post(.offloaded(app))
        disk?.offload(app, bundle: bundle)
        noteDisk(.offload, app, bundle)
    }

    /// Whether an app that the user wants is installed; if it was removed, it is requested and installed some time
    /// later.
    @inline(__always)
    package mutating func isInstalled(_ app: AppID) -> Bool { disk == nil || installs(app) }

    /// Whether an app that was removed has been requested and is being installed again.
    package func isComing(_ app: AppID) -> Bool {
        guard let back = disk?.backAt(app) else { return false }
        return back < .distantFuture
    }

    private mutating func installs(_ app: AppID) -> Bool {
        guard let space = disk, let back = space.backAt(app) else { return true }
        if back <= now {
            disk?.arrive(app)
            return true
        }
        let bundle = apps[Int(app.index)].files.bundle
        guard back == .distantFuture, power.interface != nil, space.free - bundle >= space.reserve(of: app) else {
            return false
        }
        let done = transfer(down: bundle, up: Self.requestBytes, app, .transfer)
        power.addEnergy(.storage, device.power.storage.writing(bundle), app: app, cause: .transfer, at: now)
        disk?.install(app, bundle: bundle, at: done)
        noteDisk(.install, app, bundle)
        return false
    }

    /// Updates the space used by memory that was written out, compressed if the phone compresses it.
    package mutating func followSwap() {
        guard disk?.parameters.countsSwap == true else { return }
        let change = disk?.setSwap(processes.swapUsed * (1 / device.memory.compressorRatio)) ?? .zero
        if change != .zero { noteDisk(.swap, .system, change) }
    }

    /// Counts an event on the storage, and writes its row if the table is written.
    package mutating func noteDisk(_ event: DiskEvent, _ app: AppID, _ bytes: ByteCount) {
        guard let free = disk?.free else { return }
        measures.set(handles.disk.free, free.mebibytes, at: now)
        if app != .system {
            let counts = handles.disk.counts(event)
            if let rows = counts.rows { measures.add(rows, of: app) }
            if let amount = counts.bytes { measures.add(amount, of: app, Double(bytes.bytes)) }
        }
        if disk?.needsRoom == true { post(.diskLow) }
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
