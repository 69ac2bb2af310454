// SPDX-License-Identifier: GPL-3.0-or-later
import EvictionPolicies
import Processes
import Quantities
import Vocabulary

/// Daemons, apps and services gone mad: any request of any process, in any order, with a freezer and a reaper.
struct GovernedRun {
    var table: ProcessTable
    var random: PolicyRandom
    var now = SimTime.zero
    var lastKills: [KillRecord] = []
    /// Whether the last step asked for a kill without a shortage of memory.
    var wasSignalled = false
    /// A freeze or a thaw that changed a footprint, or a process that ran after its death.
    var broken: String?
    private var blocks = 0
    let count: Int
    /// Below this people die of a page shortage: before iOS 18 the idle threshold while anybody is idle.
    var shortage: ByteCount {
        table.profile.idleRaisesCritical ? table.thresholds.idle : table.thresholds.critical
    }

    init(processes count: Int, seed: UInt64, policy: any EvictionPolicy = Jetsam()) {
        self.count = count
        random = PolicyRandom(seed: seed)
        let ram = ByteCount.gibibytes([1, 3, 4, 6, 8][Int(seed % 5)])
        var memory = MemoryParameters(ram: ram)
        memory.compressBelowShare = seed % 3 == 0 ? 0 : 0.2
        let models = (0..<count).map { AppModel(name: "process-\($0)", category: "test") }
        var profile = OSProfile.ios18Point4(ram: ram)
        profile.freezer?.slots = 4
        profile.freezer?.dailyBudget = .mebibytes(300)
        if seed % 4 == 0 {
            var rules = AppSwapRules()
            rules.space = .mebibytes(400)
            rules.killsWhenLow = seed % 8 == 0
            profile.appSwap = rules
        }
        if seed % 7 == 0 { profile = OSProfile.generations[Int(seed / 7) % OSProfile.generations.count].profile(ram) }
        table = ProcessTable(apps: models, memory: memory, profile: profile, policy: policy)
    }

    mutating func draw(_ below: Int) -> Int { Int(random.nextUniform() * Double(below)) }
    mutating func size(_ most: Double) -> ByteCount { .mebibytes(most * random.nextUniform()) }

    /// Traits of any kind of process.
    mutating func traits() -> ProcessTraits {
        var traits = ProcessTraits()
        traits.isManaged = draw(2) == 0
        traits.isTracked = !traits.isManaged || draw(4) == 0
        traits.allowsIdleExit = draw(3) > 0
        traits.band = Int16([0, 0, 30, 40, 80, 100, 140][draw(7)])
        traits.relaunch = RelaunchRecord.allCases[draw(4)]
        traits.coalition = Int32(draw(6))
        traits.role = CoalitionRole.allCases[draw(4)]
        if draw(3) == 0 {
            traits.activeLimit = MemoryLimit(size(120), isFatal: draw(2) == 0)
            traits.inactiveLimit = MemoryLimit(size(80), isFatal: draw(2) == 0)
        }
        return traits
    }

    /// Lets time pass and does one thing; kills of this step are then in `lastKills`.
    mutating func step() {
        let end = now + .seconds(random.nextUniform() * (draw(40) == 0 ? 400 : 3))
        while table.nextAging <= end {
            now = table.nextAging
            table.age(at: now)
        }
        now = end
        let app = AppID(draw(count))
        wasSignalled = false
        if !table.isAlive(app) {
            let traits = traits()
            table.spawn(app, traits, footprint: size(140), at: now)
        } else if draw(12) == 0 {
            disturb()
        } else {
            ask(app)
        }
        lastKills = table.kills
        for kill in lastKills where !table.isAlive(kill.app) {
            if table.state(of: kill.app) != .notRunning || table.footprint(of: kill.app) != .zero {
                broken = "app \(kill.app.index) runs after its death"
            }
        }
        table.clearKills()
        table.clearWarnings()
    }

    private mutating func disturb() {
        switch draw(8) {
        case 4:
            wasSignalled = true
            table.setOtherZones(size(1500), at: now)
        case 5: table.setVnodeLimit(draw(400), at: now)
        case 6: table.setFreezer(on: draw(3) > 0, at: now)
        case 7:
            if blocks > 0 {
                let actions: [MemoryBlockAction] = [
                    .map, .map, .unmap, .release, .makeVolatile, .makeNonvolatile, .touch(size(40)), .touch(size(40)),
                    .touchAgain(size(40)), .unmapAgain,
                ]
                _ = table.act(actions[draw(actions.count)], onBlock: draw(blocks), at: now)
            }
        case 0: table.setAvailable(share: min(table.availableShare, 0.02 + 0.3 * random.nextUniform()), at: now)
        case 1: table.setBallast(.zero, at: now)
        case 2:
            wasSignalled = true
            table.signal([KillSignal.zoneMap, .vnodeLimit(caller: AppID(0)), .fileCacheThrashing][draw(3)], at: now)
        default: _ = table.freezeTop(at: now)
        }
    }

    /// Does something that must leave the footprint of a process that survives it as it was.
    private mutating func keepingFootprint(of app: AppID, _ body: (inout ProcessTable) -> RequestError?) {
        let before = table.footprint(of: app)
        guard body(&table) == nil, table.isAlive(app), !table.warnings.contains(where: { $0.app == app }) else {
            return
        }
        if table.footprint(of: app) != before { broken = "app \(app.index) was \(before) before a freeze or a thaw" }
    }

    private mutating func ask(_ app: AppID) {
        switch draw(25) {
        case 20:
            wasSignalled = true
            _ = table.mapRegions(draw(4_000_000) - 500_000, of: app, at: now)
        case 21: _ = table.openFiles(draw(100) - 20, of: app, at: now)
        case 22: _ = table.markSwappable(app, at: now)
        case 23:
            let kinds: [MemoryBlockKind] = [
                .file, .purgeable, .surface(isPurgeable: true), .tagged(.media, countsToFootprint: true),
                .tagged(.neural, countsToFootprint: false),
            ]
            if table.makeBlock(kinds[draw(5)], size: size(60), by: app, at: now) == nil { blocks += 1 }
        case 24: _ = table.freeze(list: [FreezerListEntry(name: app, process: AppID(0))], at: now)
        case 0: _ = table.setDirty(draw(2) == 0, of: app, at: now)
        case 1: _ = table.assert(band: [30, 40, 100, 120][draw(4)], of: app, at: now)
        case 2, 3: _ = table.dropAssertion(of: app, at: now)
        case 4: _ = table.request(band: draw(220) - 4, of: app, at: now)
        case 5: _ = table.setElevated(draw(2) == 0, of: app, at: now)
        case 6: _ = table.setImportance(draw(2) == 0, of: app, at: now)
        case 7, 8, 9: _ = table.pause(app, at: now)
        case 10:
            let now = now
            keepingFootprint(of: app) { $0.unpause(app, at: now) }
        case 11: table.setFootprint(of: app, to: size(200), at: now)
        case 12: _ = table.addPurgeable(size(30), to: app, at: now)
        case 13: _ = table.makeVolatile(app, at: now)
        case 14: _ = table.makeNonvolatile(app, at: now)
        case 15: _ = table.compress(size(60), of: app, at: now)
        case 16: _ = table.decompress(size(60), of: app, at: now)
        case 17: _ = table.deferFree(size(20), of: app, at: now)
        case 18:
            let now = now
            keepingFootprint(of: app) { $0.freeze(app, at: now) }
        default: table.terminate(app, .normal, at: now)
        }
    }
}
