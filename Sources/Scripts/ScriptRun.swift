// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import ConfigText
import Disk
import EvictionPolicies
import Processes
import Quantities
import Vocabulary

/// A run of a script.
struct ScriptRun {
    let script: ScenarioScript
    var table: ProcessTable
    var outcome = ScriptOutcome()
    /// All kills so far.
    var kills: [KillRecord] = []
    /// Number of kills when the kill counts were last cleared.
    var countedFrom = 0
    /// Number of kills up to the last expectation about kills.
    var namedKills = 0
    /// Processes that were notified of pressure since the last expectation about notifications.
    var notified: [Int] = []
    var relieved: [Int] = []
    var now = SimTime.zero
    /// The app that the user left last.
    var previousApp: AppID?
    /// State of apps with windows, one entry per process.
    var lives: [ScriptLife]
    /// Calls of the system into apps, since the last expectation about calls and since the beginning.
    var calls: [CallbackRecord] = []
    var allCalls: [CallbackRecord] = []
    /// Requests, pushes, transfers, and the state of the device.
    var background: ScriptBackground
    /// Storage, if the script has storage, and the data that the system removed since the last expectation about
    /// removals.
    var disk: DiskSpace?
    var purged: [ScriptPurge] = []

    init(_ script: ScenarioScript) {
        self.script = script
        let apps = script.processes.map { process in
            var app = AppModel(name: process.name, category: "script")
            app.launchFiles = .zero
            app.warningDrop = 0
            app.windowMemory = process.windowMemory
            app.refreshEnabled = process.refreshes
            app.healthResearch = process.doesHealthResearch
            app.traits.alarms = process.alarms
            app.files = process.files
            return app
        }
        let entry = EvictionPolicies.all.first { $0.descriptor.name == script.policy }
        let policy = entry.map { $0.make($0.descriptor.defaultArguments(seed: 1)) } ?? Jetsam()
        table = ProcessTable(apps: apps, memory: script.memory, profile: script.profile, policy: policy)
        table.recordsCallbacks = script.processes.contains { $0.windows != nil }
        lives = Array(repeating: ScriptLife(), count: apps.count)
        background = ScriptBackground(apps: apps, policy: script.scheduling, profile: script.profile)
        disk = script.disk.map { DiskSpace($0, apps: apps, normals: Array(repeating: 0, count: apps.count)) }
    }

    mutating func play() {
        let standing = script.processes.indices.compactMap { index in
            script.processes[index].start.map { (app: AppID(index), process: $0) }
        }
        if !standing.isEmpty { table.begin(with: standing, at: .zero) }
        for (index, process) in script.processes.enumerated() where process.isSpawned && process.start == nil {
            table.spawn(AppID(index), process.traits, footprint: process.footprint, at: .zero)
        }
        collect()
        for step in script.steps {
            pass(to: step.time)
            perform(step)
            collect()
            if let broken = table.invariant() { miss(step, "the process table", "a consistent state", broken) }
        }
        outcome.kills = kills.count
    }

    /// Handles everything that is due up to an instant.
    private mutating func pass(to time: SimTime) {
        while true {
            let life = nextLife
            let work = background.next
            let alarm = max(now, background.alarms.nextWake)
            now = min(table.nextAging, life?.time ?? .distantFuture, work?.time ?? .distantFuture, alarm)
            guard now <= time else { break }
            if table.nextAging <= now {
                table.age(at: now)
            } else if let life, life.time <= now {
                passDeadline(of: life.app)
            } else if let work, work.time <= now {
                passBackground(of: work.app)
            } else {
                ringAlarms()
            }
            collect()
        }
        now = time
    }

    mutating func collect() {
        let died = table.kills
        kills += died
        for kill in died { lives[Int(kill.app.index)].end(kill.category, at: now) }
        if !table.callbacks.isEmpty {
            calls += table.callbacks
            allCalls += table.callbacks
            table.clearCallbacks()
        }
        notified += table.warnings.map { Int($0.app.index) }
        relieved += table.reliefs.map { Int($0.app.index) }
        table.clearKills()
        table.clearWarnings()
        for kill in died where !table.isAlive(kill.app) { endBackground(kill.app, .failed) }
    }

    private mutating func perform(_ step: ScriptStep) {
        switch step.content {
        case .act(let process, let action, let expected):
            let found = act(AppID(process), action, script.processes[process])
            compare(found.map(ScriptError.init), expected, script.processes[process].name, step)
        case .ask(let process, let action, let expected):
            compare(act(AppID(process), action), expected, script.processes[process].name, step)
        case .make(let process, let block, let expected):
            let found = table.makeBlock(block.kind, size: block.size, by: AppID(process), at: now)
            compare(found.map(ScriptError.init), expected, script.processes[process].name, step)
        case .block(let number, let action, let expected):
            compare(table.act(action, onBlock: number, at: now).map(ScriptError.init), expected, "a block", step)
        case .device(let changes): change(changes)
        case .machine(let action): act(action, step)
        case .expect(let process, let checks):
            pass(to: step.time)
            collect()
            for check in checks { self.check(check, of: process, step) }
        }
    }

    private mutating func compare(
        _ found: ScriptError?, _ expected: ScriptError?, _ name: String, _ step: ScriptStep
    ) {
        guard found != expected else { return }
        miss(step, "answer to \(name)", expected?.rawValue ?? "success", found?.rawValue ?? "success")
    }

    mutating func miss(_ step: ScriptStep, _ subject: String, _ expected: String, _ found: String) {
        outcome.missed.append(
            MissedExpectation(
                location: step.location, time: step.time, subject: subject, expected: expected, found: found))
    }
}

extension ScriptRun {
    /// Carries out an action of a process; returns the error of the killer.
    private mutating func act(_ app: AppID, _ action: ScriptAction, _ process: ScriptProcess) -> KernelError? {
        switch action {
        case .spawn:
            guard !table.isAlive(app) else { return .invalid }
            table.spawn(app, process.traits, footprint: process.footprint, at: now)
            return nil
        case .exec(let footprint): return table.execute(app, footprint: footprint, at: now)
        case .exit:
            guard table.isAlive(app) else { return .notFound }
            table.terminate(app, .normal, at: now)
            return nil
        case .kill: return table.jettison(app, at: now)
        case .life(let action): return act(app, action)
        case .footprint(let size):
            guard table.isAlive(app) else { return .notFound }
            table.setFootprint(of: app, to: size, at: now)
            return nil
        case .suspend: return table.pause(app, at: now)
        case .resume, .thaw: return table.unpause(app, at: now)
        case .foreground: return show(app, band: 100)
        case .background: return table.assert(band: 40, of: app, at: now)
        default: return askKiller(app, action) ?? useMemory(app, action)
        }
    }

    private mutating func show(_ app: AppID, band: Int) -> KernelError? {
        if table.state(of: app) == .suspended, let error = table.unpause(app, at: now) { return error }
        return table.assert(band: band, of: app, at: now)
    }

    private mutating func askKiller(_ app: AppID, _ action: ScriptAction) -> KernelError? {
        switch action {
        case .dirty: table.setDirty(true, of: app, at: now)
        case .clean: table.setDirty(false, of: app, at: now)
        case .assert(let band): table.assert(band: band, of: app, at: now)
        case .dropAssertion: table.dropAssertion(of: app, at: now)
        case .setBand(let band): table.request(band: band, of: app, at: now)
        case .dock: table.setElevated(true, of: app, at: now)
        case .undock: table.setElevated(false, of: app, at: now)
        case .holdImportance: table.setImportance(true, of: app, at: now)
        case .dropImportance: table.setImportance(false, of: app, at: now)
        case .track: table.track(app, allowsIdleExit: true, at: now)
        case .trackWithoutIdleExit: table.track(app, allowsIdleExit: false, at: now)
        case .setLimit(let active, let inactive): table.setLimits(active: active, inactive: inactive, of: app, at: now)
        case .setPriority(let band, let flags): table.setPriority(band, flags: flags, of: app, at: now)
        case .markSwappable: table.markSwappable(app, at: now)
        case .mapRegions(let count): table.mapRegions(count, of: app, at: now)
        case .openFiles(let count): table.openFiles(count, of: app, at: now)
        case .freeze: table.forceFreeze(app, at: now)
        case .demote: table.demote(app, at: now)
        case .freezable: table.setFreezable(true, of: app, at: now)
        case .unfreezable: table.setFreezable(false, of: app, at: now)
        case .useProbability(let value): table.setUseProbability(value, of: app, at: now)
        default: nil
        }
    }

    private mutating func useMemory(_ app: AppID, _ action: ScriptAction) -> KernelError? {
        switch action {
        case .allocate(let size): table.allocate(size, to: app, at: now)
        case .compress(let size): table.compress(size, of: app, at: now)
        case .touch(let size): table.decompress(size, of: app, at: now)
        case .deferFree(let size): table.deferFree(size, of: app, at: now)
        case .resetInterval: table.resetInterval(of: app, at: now)
        case .purgeable(let size): table.addPurgeable(size, to: app, at: now)
        case .makeVolatile: table.makeVolatile(app, at: now)
        case .makeNonvolatile: table.makeNonvolatile(app, at: now)
        case .freePurgeable: table.freePurgeable(app, at: now)
        default: nil
        }
    }

    private mutating func setAvailable(_ share: Double, _ step: ScriptStep) {
        let most = table.mostAvailable / script.memory.visible
        guard share <= most else {
            let found = UnitText.format((most * 1000).rounded(.down) / 1000, as: .fraction)
            return miss(step, "memory that can be available", "at least the size in the step", "\(found) at most")
        }
        table.setAvailable(share: share, at: now)
    }

    private mutating func act(_ action: ScriptMachineAction, _ step: ScriptStep) {
        switch action {
        case .availableShare(let share): setAvailable(share, step)
        case .available(let size): setAvailable(size / script.memory.visible, step)
        case .compressorShare(let share): table.setCompressor(share: share, at: now)
        case .thresholds(let critical, let idle, let soft, let reaper):
            table.setThresholds(critical: critical, idle: idle, soft: soft, reaper: reaper, at: now)
        case .raiseThresholds(let offset): table.raiseThresholds(by: offset, at: now)
        case .signal(let signal): table.signal(signal, at: now)
        case .sortBand(let band): table.sortBand(band, at: now)
        case .freezeTop(let expected):
            compare(table.freezeTop(at: now) == nil ? .notFound : nil, expected, "the freezer", step)
        case .resetFreezer: table.resetFreezer(at: now)
        case .freezerBudget(let size): table.setFreezerBudget(size, at: now)
        case .freezeList(let list, let expected):
            compare(table.freeze(list: list, at: now).map(ScriptError.init), expected, "the list", step)
        case .freezerSwitch(let isOn): table.setFreezer(on: isOn, at: now)
        case .clearKillCounts: countedFrom = kills.count
        case .otherZones(let size): table.setOtherZones(size, at: now)
        case .zoneLimit(let share): table.setZoneLimit(share: share, at: now)
        case .zoneSnapshotBand(let band): table.setZoneSnapshotBand(band, at: now)
        case .vnodeLimit(let limit): table.setVnodeLimit(limit, at: now)
        case .disk(let action): act(action)
        case .expireFreezer(let ago): table.expireFreezerInterval(ago: ago, at: now)
        }
    }
}
