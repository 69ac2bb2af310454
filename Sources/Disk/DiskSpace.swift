// SPDX-License-Identifier: GPL-3.0-or-later
// Disk owns the contents of a phone's storage: the files of apps and the free space. It decides which writes fail, and
// what the system purges in which order.
// In: writes, and the process table, because some processes keep their files. Out: the next purge
// (`DiskSpace+Room.swift`); the caller ends the process if necessary and carries out the purge. A phone and a scenario
// script use the same rules.
// Read first: this file, then `DiskSpace+Room.swift`.

import Platform
import Quantities
import Structures
import Vocabulary

/// The files of apps on the storage, and the free space.
package struct DiskSpace: Sendable {
    /// Folder of an app's file.
    package enum Folder {
        case documents, caches, temporary
    }

    /// The files of one app.
    struct Files {
        var caches: ByteCount
        var temporary = ByteCount.zero
        /// Free space below which the app's writes fail.
        let reserve: ByteCount
        /// Bytes of caches that were purged and not fetched again since.
        var missing = ByteCount.zero
        /// Whether the app's next launch takes longer because of a purge.
        var rebuilds = false
        /// Whether the user has installed the app in this run.
        var isBrought = false
        /// When a removed app is installed again: the distant future until it is requested; nil for an installed app.
        var backAt: SimTime?
    }

    package let parameters: DiskParameters
    /// Free space.
    package private(set) var free: ByteCount
    private var files: [Files]
    /// Bytes of memory that was written out and counts as used space.
    private var swap = ByteCount.zero
    /// Apps with files in `tmp`.
    var temporaries: GrowingHeap
    /// Apps with caches in the order of purging: the largest first, or by last visit.
    ///
    /// Empty if quotas decide.
    ///
    /// A stored last visit can be out of date; `nextGiver` corrects it.
    var givers: GrowingHeap
    /// Apps that may be removed, by last visit; empty if none may be.
    var removable: GrowingHeap
    /// Quotas of the apps' caches; nil if another order decides.
    var quotas: CacheQuotas?
    /// Purges by quota that are still to come, the next one last; nil if they are not computed yet.
    var gifts: [(app: AppID, bytes: ByteCount)]?
    /// Whether free space is too short for the freezer.
    var isFreezerOff = false

    /// - Parameter normals: A standard normal random number for each app.
    package init(_ parameters: DiskParameters, apps: [AppModel], normals: [Double]) {
        self.parameters = parameters
        files = zip(apps, normals).map { app, normal in
            Files(caches: app.files.caches, reserve: parameters.reserve * exp(parameters.reserveSigma * normal))
        }
        temporaries = GrowingHeap(capacity: apps.count)
        givers = GrowingHeap(capacity: parameters.order == .quota ? 0 : apps.count)
        removable = GrowingHeap(capacity: parameters.offloads ? apps.count : 0)
        quotas = parameters.order == .quota ? CacheQuotas(apps: apps.count) : nil
        let ofApps = apps.reduce(ByteCount.zero) { $0 + $1.files.bundle + $1.files.documents + $1.files.caches }
        free = max(.zero, min(parameters.free, parameters.capacity - parameters.system - ofApps))
        for index in files.indices {
            if parameters.offloads { removable.set(index) }
            enterGiver(AppID(index))
        }
    }

    /// Adds an app to the apps with caches to purge, moves it by the size of its caches, or removes it if it has none.
    private mutating func enterGiver(_ app: AppID) {
        let index = Int(app.index)
        if parameters.order == .quota {
            quotas?.set(files[index].caches, of: app)
        } else if files[index].caches <= .zero {
            givers.remove(index)
        } else if parameters.order == .largest {
            givers.set(index, key: -files[index].caches.bytes)
        } else if !givers.contains(index) {
            givers.set(index)
        }
    }

    /// Whether an app's write of this many bytes succeeds.
    package func admits(_ bytes: ByteCount, of app: AppID) -> Bool { free - bytes >= files[Int(app.index)].reserve }

    /// Free space that must remain after a write of the app.
    package func reserve(of app: AppID) -> ByteCount { files[Int(app.index)].reserve }

    /// Size of an app's caches.
    package func caches(of app: AppID) -> ByteCount { files[Int(app.index)].caches }

    /// Whether the next launch of an app takes longer because of a purge.
    package func rebuilds(_ app: AppID) -> Bool { files[Int(app.index)].rebuilds }

    /// Size of an app's files in `tmp`.
    package func temporary(of app: AppID) -> ByteCount { files[Int(app.index)].temporary }

    /// Adds bytes to an app's files; caches above their limit lose their oldest bytes.
    package mutating func add(_ bytes: ByteCount, to folder: Folder, of app: AppID, limit: ByteCount) {
        let index = Int(app.index)
        switch folder {
        case .documents: free -= bytes
        case .temporary:
            files[index].temporary += bytes
            free -= bytes
            if bytes > .zero { temporaries.set(index, key: Int64(index)) }
        case .caches:
            let before = files[index].caches
            let whole = before + bytes
            files[index].caches = limit > .zero ? min(whole, max(limit, before)) : whole
            free -= files[index].caches - before
            enterGiver(app)
        }
    }

    /// Adds bytes to the user's own files, as far as there is space; returns the bytes added.
    package mutating func addPhotos(_ bytes: ByteCount) -> ByteCount {
        let added = min(bytes, max(.zero, free))
        free -= added
        return added
    }

    /// Purges at most this many bytes of an app's caches; returns the bytes purged.
    package mutating func purgeCaches(of app: AppID, _ bytes: ByteCount) -> ByteCount {
        let index = Int(app.index)
        let purged = min(bytes, files[index].caches)
        files[index].caches -= purged
        files[index].missing += purged
        files[index].rebuilds = true
        free += purged
        enterGiver(app)
        return purged
    }

    /// Purges all files of an app in `tmp`; returns the bytes purged.
    package mutating func purgeTemporary(of app: AppID) -> ByteCount {
        let index = Int(app.index)
        let purged = files[index].temporary
        files[index].temporary = .zero
        temporaries.remove(index)
        free += purged
        return purged
    }

    /// Sets the space used by memory that was written out, as far as there is space; returns the change.
    package mutating func setSwap(_ bytes: ByteCount) -> ByteCount {
        let change = min(bytes - swap, max(.zero, free))
        swap += change
        free -= change
        return change
    }

    /// Whether the user has installed an app in this run, so that its size counts.
    package func isBrought(_ app: AppID) -> Bool { files[Int(app.index)].isBrought }

    /// Installs an app for the user; its size then counts.
    package mutating func bring(_ app: AppID, bundle: ByteCount) {
        files[Int(app.index)].isBrought = true
        free -= bundle
    }

    // MARK: Apps that were removed

    /// Whether an app was removed and is not installed again.
    package func isOffloaded(_ app: AppID) -> Bool { files[Int(app.index)].backAt != nil }

    /// When a removed app is installed again: the distant future until it is requested; nil for an installed app.
    package func backAt(_ app: AppID) -> SimTime? { files[Int(app.index)].backAt }

    /// Removes an app but keeps its data.
    package mutating func offload(_ app: AppID, bundle: ByteCount) {
        files[Int(app.index)].backAt = .distantFuture
        removable.remove(Int(app.index))
        free += bundle
    }

    /// Sets when a removed app is installed again.
    package mutating func install(_ app: AppID, bundle: ByteCount, at time: SimTime) {
        files[Int(app.index)].backAt = time
        free -= bundle
    }

    /// Records that a removed app is installed again.
    package mutating func arrive(_ app: AppID) {
        files[Int(app.index)].backAt = nil
        if parameters.offloads { removable.set(Int(app.index)) }
    }

    /// Bytes of an app's caches that were purged and not fetched again since.
    package func missing(of app: AppID) -> ByteCount { files[Int(app.index)].missing }

    /// Records that an app has fetched what it needs again.
    package mutating func clearMissing(of app: AppID) { files[Int(app.index)].missing = .zero }

    /// Additional time of a launch because of a purge; applies once for each purge.
    package mutating func takeRebuild(of app: AppID) -> SimDuration {
        let index = Int(app.index)
        defer { files[index].rebuilds = false }
        return files[index].rebuilds ? parameters.rebuild : .zero
    }
}
