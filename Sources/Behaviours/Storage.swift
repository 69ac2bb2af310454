// SPDX-License-Identifier: GPL-3.0-or-later
import Disk
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// Photos are added, new versions of apps are released, and the system checks the free space.
    @inlinable public static var disk: DeviceTimer { DeviceTimer(14) }
}

/// Files on the phone's storage: writes of apps, purges when little space is free, and failures for lack of space.
///
/// Source: Apple, File System Programming Guide; `DiskParameters`.
package struct Storage {
    /// Hour of the night at which the system installs new versions of apps and empties `tmp`; assumption.
    private static let nightHour = 3

    /// When each app on screen became active; the distant future for other apps.
    private var activeSince: [SimTime]
    /// Whether a new version of an app waits to be installed.
    private var hasUpdate: [Bool]
    private var streams: [RandomStream]

    package init(_ core: borrowing PhoneCore) {
        guard core.disk != nil else {
            (activeSince, hasUpdate, streams) = ([], [], [])
            return
        }
        activeSince = Array(repeating: .distantFuture, count: core.apps.count)
        hasUpdate = Array(repeating: false, count: core.apps.count)
        streams = core.streams("updates")
    }

    /// Schedules hourly checks of the storage, on a phone with a storage model.
    package mutating func start(_ core: inout PhoneCore) {
        guard core.disk != nil else { return }
        core.noteDisk(.begin, .system, .zero)
        core.engine.schedule(Slots.device(.disk), after: .hour, class: EventClass.work)
    }

    /// Makes the hourly check.
    package mutating func timer(_ core: inout PhoneCore) {
        core.engine.schedule(Slots.device(.disk), after: .hour, class: EventClass.work)
        let isNight = core.now.hour % 24 == Self.nightHour
        if isNight { drawUpdates(core) }
        guard !core.power.isDead, let photos = core.disk?.parameters.photosPerDay else { return }
        core.catchUp()
        core.addPhotos(photos * (1 / 24))
        core.followSwap()
        if isNight {
            emptyTemporary(&core)
            for index in core.apps.indices where hasUpdate[index] { update(AppID(index), &core) }
        }
        watchFreezer(&core)
    }

    // MARK: Visits

    /// Fetches the files that an active app needs but lost in a purge.
    package mutating func active(_ app: AppID, _ core: inout PhoneCore) {
        guard core.disk != nil else { return }
        let index = Int(app.index)
        activeSince[index] = core.now
        core.lives[index].saveFails = !core.writeFiles(.zero, to: .documents, of: app)
        guard let disk = core.disk, disk.missing(of: app) > .zero, core.power.interface != nil else { return }
        let bytes = disk.missing(of: app) * disk.parameters.fetchedAgain
        core.disk?.clearMissing(of: app)
        guard bytes > .zero else { return }
        core.transfer(down: bytes, up: PhoneCore.requestBytes, rateFactor: core.front.rate, app, .foreground)
        core.noteDisk(.fetchAgain, app, bytes)
        core.writeFiles(bytes, to: .caches, of: app)
    }

    /// Saves the work of an app that the user is about to leave, if there is enough space.
    package mutating func leaving(_ app: AppID, _ core: inout PhoneCore) {
        guard core.disk != nil, let hours = endVisit(app, &core) else { return }
        let index = Int(app.index)
        let document = core.apps[index].files.documentsPerHour * hours
        let isSaved = core.writeFiles(document, to: .documents, of: app)
        core.lives[index].saveFails = !isSaved
        if !isSaved { core.noteDisk(.saveFailed, app, document) }
        writeCaches(app, hours, &core)
    }

    /// Ends the visit of a process that ended.
    ///
    /// An app on screen has already written files during the visit.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard core.disk != nil, let hours = endVisit(end.app, &core), !core.power.isDead else { return }
        writeCaches(end.app, hours, &core)
    }

    /// Hours for which an app was active in the visit that ends; nil if there was no visit.
    private mutating func endVisit(_ app: AppID, _ core: inout PhoneCore) -> Double? {
        let index = Int(app.index)
        guard activeSince[index] != .distantFuture else { return nil }
        defer { activeSince[index] = .distantFuture }
        let length = (core.now - activeSince[index]).seconds / 3600
        core.disk?.noteUse(of: app, hours: length)
        return length
    }

    private func writeCaches(_ app: AppID, _ hours: Double, _ core: inout PhoneCore) {
        let files = core.apps[Int(app.index)].files
        core.writeFiles(files.cachesPerHour * hours, to: .caches, of: app)
        core.writeFiles(files.temporaryPerHour * hours, to: .temporary, of: app)
    }

    // MARK: The system

    /// Purges files if little space is free, until enough space is free (`DiskSpace.nextPurge`).
    package func makeRoom(_ core: inout PhoneCore) {
        guard core.disk?.needsRoom == true else { return }
        core.catchUp()
        core.makeRoom()
        watchFreezer(&core)
    }

    /// Ends frozen apps if too little space is free; no app is frozen until there is enough space again.
    private func watchFreezer(_ core: inout PhoneCore) {
        guard let isOn = core.disk?.freezerChange() else { return }
        core.setFreezer(on: isOn)
    }

    /// Empties `tmp` of apps that do not run.
    private func emptyTemporary(_ core: inout PhoneCore) {
        for index in core.apps.indices where !core.processes.isAlive(AppID(index)) {
            core.purgeTemporary(of: AppID(index))
        }
    }

    // MARK: Updates

    /// Draws new versions of apps, even if the phone is off.
    private mutating func drawUpdates(_ core: borrowing PhoneCore) {
        for index in core.apps.indices where streams[index].uniform() < core.apps[index].files.updatesPerMonth / 30 {
            hasUpdate[index] = true
        }
    }

    /// Drops a version that waits for an app that the system removes, because the app returns in its newest version.
    package mutating func removed(_ app: AppID) { hasUpdate[Int(app.index)] = false }

    /// Installs a new version over Wi-Fi if it fits next to the old one; the install ends the app's process.
    ///
    /// A version that comes out while the app is removed is dropped, too.
    private mutating func update(_ app: AppID, _ core: inout PhoneCore) {
        guard core.hasApp(app) else { return hasUpdate[Int(app.index)] = false }
        guard core.power.interface == .wifi, core.front.app != app else { return }
        if core.installVersion(of: app) { hasUpdate[Int(app.index)] = false }
    }
}
