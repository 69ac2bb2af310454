// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Structures
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
    ///
    /// Nobody is looked at who has nothing to give: what a look costs does not grow with the number of apps, but for
    /// the few that run.
    package mutating func makeRoom(_ core: inout PhoneCore) {
        guard let rules = core.disk?.parameters, core.disk?.free ?? .zero < rules.purgeBelow else { return }
        core.catchUp()
        purgeTemporaries(rules, &core)
        if rules.order == .quota {
            let givers = core.apps.indices.map { AppID($0) }.filter { app in
                core.disk?.caches(of: app) ?? .zero > .zero && Self.mayGive(app, rules, core)
            }
            purgeByQuota(givers, &core)
        } else {
            purgeInOrder(rules, &core)
        }
        if rules.offloads { offload(rules, &core) }
        watchFreezer(&core)
    }

    /// Whether purges have not made enough room yet.
    private static func isShort(_ rules: DiskParameters, _ core: borrowing PhoneCore) -> Bool {
        core.disk?.free ?? .zero < rules.purgeUntil
    }

    private static func mayGive(_ app: AppID, _ rules: DiskParameters, _ core: borrowing PhoneCore) -> Bool {
        rules.purgesRunning || !core.processes.state(of: app).executes
    }

    /// Takes `tmp` of apps that do not run, in the order in which the experiment names them.
    private func purgeTemporaries(_ rules: DiskParameters, _ core: inout PhoneCore) {
        while Self.isShort(rules, core), let first = core.disk?.temporaries.first {
            let app = AppID(Int(first.member))
            if core.processes.isAlive(app) {
                core.disk?.temporaries.setFirstAside()
            } else {
                core.purgeTemporary(of: app)
            }
        }
        core.disk?.temporaries.putBack()
    }

    /// Those whose caches go first give all of theirs; of equals the one that the experiment names first.
    private func purgeInOrder(_ rules: DiskParameters, _ core: inout PhoneCore) {
        while Self.isShort(rules, core), let first = core.disk?.givers.first {
            let app = AppID(Int(first.member))
            let key = rules.order == .largest ? first.key : core.processes.lastForeground(of: app).nanoseconds
            if key != first.key {
                core.disk?.givers.set(Int(first.member), key: key)
            } else if Self.mayGive(app, rules, core) {
                core.purgeCaches(of: app)
            } else {
                core.disk?.givers.setFirstAside()
            }
        }
        core.disk?.givers.putBack()
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
    private func offload(_ rules: DiskParameters, _ core: inout PhoneCore) {
        let before = (core.now - rules.offloadAfter).nanoseconds
        while Self.isShort(rules, core), let first = core.disk?.removable.first, first.key <= before {
            let app = AppID(Int(first.member))
            let key = core.processes.lastForeground(of: app).nanoseconds
            if key != first.key {
                core.disk?.removable.set(Int(first.member), key: key)
            } else if core.processes.state(of: app).executes {
                core.disk?.removable.setFirstAside()
            } else {
                core.offload(app)
            }
        }
        core.disk?.removable.putBack()
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
        guard core.power.interface == .wifi, core.front.app != app else { return }
        if core.installVersion(of: app) { hasUpdate[Int(app.index)] = false }
    }
}
