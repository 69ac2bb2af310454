// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// Photos grow, new versions of apps come, and the system looks at what is free.
    @inlinable public static var disk: DeviceTimer { DeviceTimer(14) }
}

/// Files on the phone's storage: what apps write, what the system purges when little is free, and what fails for want
/// of room (Apple, File System Programming Guide; `DiskParameters`).
package struct Storage {
    /// Hour of the night at which the system installs new versions of apps and empties `tmp`; assumption.
    private static let nightHour = 3

    /// Since when each app has been on screen and active; the distant future for those that are not.
    private var activeSince: [SimTime]
    /// Whether a new version of an app waits.
    private var hasUpdate: [Bool]
    private var streams: [RandomStream]
    private var isFreezerOff = false
    /// Hours that each app was on screen.
    private var hours: [Double]

    package init(_ core: borrowing PhoneCore) {
        guard core.disk != nil else {
            (activeSince, hasUpdate, streams, hours) = ([], [], [], [])
            return
        }
        activeSince = Array(repeating: .distantFuture, count: core.apps.count)
        hasUpdate = Array(repeating: false, count: core.apps.count)
        streams = core.streams("updates")
        hours = Array(repeating: 0, count: core.apps.count)
    }

    /// Begins to look at the storage, every hour, on a phone that has it in its model.
    package mutating func start(_ core: inout PhoneCore) {
        guard core.disk != nil else { return }
        core.noteDisk(.begin, .system, .zero)
        core.engine.schedule(Slots.device(.disk), after: .hour, class: EventClass.work)
    }

    /// An hour has passed.
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

    /// An app is active: after a purge it fetches again what it needs.
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

    /// An app is about to be left: it saves, if there is room.
    package mutating func leaving(_ app: AppID, _ core: inout PhoneCore) {
        guard core.disk != nil, let hours = endVisit(app, core.now) else { return }
        let index = Int(app.index)
        let document = core.apps[index].files.documentsPerHour * hours
        let isSaved = core.writeFiles(document, to: .documents, of: app)
        core.lives[index].saveFails = !isSaved
        if !isSaved { core.noteDisk(.saveFailed, app, document) }
        writeCaches(app, hours, &core)
    }

    /// A process ended; one that was on screen has written as it went.
    package mutating func processEnded(_ end: ProcessEnd, _ core: inout PhoneCore) {
        guard core.disk != nil, let hours = endVisit(end.app, core.now), !core.power.isDead else { return }
        writeCaches(end.app, hours, &core)
    }

    /// The hours that an app has been active in the visit that ends; nil when none was under way.
    private mutating func endVisit(_ app: AppID, _ now: SimTime) -> Double? {
        let index = Int(app.index)
        guard activeSince[index] != .distantFuture else { return nil }
        defer { activeSince[index] = .distantFuture }
        let length = (now - activeSince[index]).seconds / 3600
        hours[index] += length
        return length
    }

    private func writeCaches(_ app: AppID, _ hours: Double, _ core: inout PhoneCore) {
        let files = core.apps[Int(app.index)].files
        core.writeFiles(files.cachesPerHour * hours, to: .caches, of: app)
        core.writeFiles(files.temporaryPerHour * hours, to: .temporary, of: app)
    }

    // MARK: The system

    /// Little is free: the system takes `tmp` of apps that do not run, then caches, until enough is free.
    package mutating func makeRoom(_ core: inout PhoneCore) {
        guard let disk = core.disk, disk.free < disk.parameters.purgeBelow else { return }
        let rules = disk.parameters
        core.catchUp()
        for index in core.apps.indices where !core.processes.isAlive(AppID(index)) {
            if core.disk?.free ?? .zero >= rules.purgeUntil { break }
            core.purgeTemporary(of: AppID(index))
        }
        let givers = core.apps.indices.map { AppID($0) }.filter { app in
            disk.caches(of: app) > .zero && (rules.purgesRunning || !core.processes.state(of: app).executes)
        }
        if rules.order == .quota {
            purgeByQuota(givers, &core)
        } else {
            for app in Self.ordered(givers, rules.order, disk, core) {
                if core.disk?.free ?? .zero >= rules.purgeUntil { break }
                core.purgeCaches(of: app)
            }
        }
        if rules.offloads { offload(&core) }
        watchFreezer(&core)
    }

    /// Those whose caches go first come first; of equals the one that the experiment names first.
    private static func ordered(
        _ apps: [AppID], _ order: DiskParameters.Order, _ disk: DiskSpace, _ core: borrowing PhoneCore
    ) -> [AppID] {
        let keys = apps.map { app in
            order == .largest ? -disk.caches(of: app).bytes : core.processes.lastForeground(of: app).nanoseconds
        }
        return apps.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { apps[$0] }
    }

    /// The app farthest above its quota gives until it is no farther than the next, then both, and so on.
    private func purgeByQuota(_ givers: [AppID], _ core: inout PhoneCore) {
        guard let disk = core.disk, disk.free < disk.parameters.purgeUntil else { return }
        let quotas = CacheQuotas(hours: hours, free: disk.free)
        let sizes = givers.map { (app: $0, size: disk.caches(of: $0)) }
        let level = quotas.level(giving: disk.parameters.purgeUntil - disk.free, sizes)
        for (app, size) in sizes {
            // Rounded down, so that what they give together is not a byte too little.
            let kept = ByteCount(Int64(Double(quotas[app].bytes) * level))
            if size > kept { core.purgeCaches(of: app, size - kept) }
        }
    }

    /// Purges have not made enough room: apps that were not on screen for long are removed, the longest unused first.
    private func offload(_ core: inout PhoneCore) {
        guard let disk = core.disk else { return }
        let rules = disk.parameters
        let before = core.now - rules.offloadAfter
        let unused = core.apps.indices.map { AppID($0) }.filter { app in
            !disk.isOffloaded(app) && !core.processes.state(of: app).executes
                && core.processes.lastForeground(of: app) <= before
        }
        for app in Self.ordered(unused, .leastRecent, disk, core) {
            if core.disk?.free ?? .zero >= rules.purgeUntil { return }
            core.offload(app)
        }
    }

    /// Too little is free for what is frozen: it dies, and nothing is frozen until there is room again.
    private mutating func watchFreezer(_ core: inout PhoneCore) {
        guard let disk = core.disk else { return }
        let isShort = disk.free < disk.parameters.freezerBelow
        guard isShort != isFreezerOff else { return }
        isFreezerOff = isShort
        core.processes.setFreezer(on: !isShort, at: core.now)
    }

    /// The system empties `tmp` of apps that do not run.
    private func emptyTemporary(_ core: inout PhoneCore) {
        for index in core.apps.indices where !core.processes.isAlive(AppID(index)) {
            core.purgeTemporary(of: AppID(index))
        }
    }

    // MARK: Updates

    /// New versions appear, whether the phone is on or not.
    private mutating func drawUpdates(_ core: borrowing PhoneCore) {
        for index in core.apps.indices where streams[index].uniform() < core.apps[index].files.updatesPerMonth / 30 {
            hasUpdate[index] = true
        }
    }

    /// Installs a new version over Wi-Fi, if there is room for it beside the old one; the app's process ends for it.
    ///
    /// One that was removed comes back in its newest version.
    private mutating func update(_ app: AppID, _ core: inout PhoneCore) {
        guard core.hasApp(app) else { return hasUpdate[Int(app.index)] = false }
        guard let disk = core.disk, core.power.interface == .wifi, core.front.app != app else { return }
        let bundle = core.apps[Int(app.index)].files.bundle
        guard disk.free - bundle * (disk.parameters.updateRoom - 1) >= disk.reserve(of: app) else {
            return core.noteDisk(.updatePutOff, app, bundle)
        }
        hasUpdate[Int(app.index)] = false
        core.exit(app, .normal)
        core.transfer(down: bundle, up: PhoneCore.requestBytes, app, .transfer)
        core.power.addEnergy(
            .storage, core.device.power.storage.writing(bundle), app: app, cause: .transfer, at: core.now)
        core.noteDisk(.update, app, bundle)
        core.purgeTemporary(of: app)
    }
}
