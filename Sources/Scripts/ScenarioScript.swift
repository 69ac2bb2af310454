// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Disk
import Processes
import Quantities
import Vocabulary

/// A scenario: processes driven by hand, and what must be true of them at which time.
public struct ScenarioScript: Sendable {
    /// What the scenario is about.
    public var name = ""
    /// The scenarios of the conformance list that it stands for, by their identifiers.
    public var scenarios: [String] = []
    /// The rule it holds the killer to, in words.
    public var rule = ""
    /// The file of the public kernel that states the rule.
    public var kernelSource = ""
    /// Sizes of the memory.
    public var memory = MemoryParameters(ram: .gibibytes(4))
    /// The system's rules.
    public var profile = OSProfile.ios18(ram: .gibibytes(4))
    /// The storage, where the scenario is about it.
    public var disk: DiskParameters?
    /// The policy that orders the victims.
    public var policy = "jetsam"
    /// The policy that starts background work, as soon as the system's own rules allow it unless the script says so.
    public var scheduling = "immediate"
    /// The processes, spawned at the beginning unless they say otherwise.
    public var processes: [ScriptProcess] = []
    /// What happens and what is expected, in order of time.
    public var steps: [ScriptStep] = []

    /// How many expectations there are.
    public var expectations: Int {
        steps.reduce(0) { count, step in
            if case .expect(_, let checks) = step.content { return count + checks.count }
            return count
        }
    }
}

/// A process of a scenario.
public struct ScriptProcess: Sendable {
    /// Its name.
    public var name: String
    /// What it is to the killer.
    public var traits: ProcessTraits
    /// Its footprint when spawned.
    public var footprint: ByteCount
    /// Whether it is there from the beginning.
    public var isSpawned: Bool
    /// How many windows it has when it is driven by the life cycle of apps; nil for any other process.
    public var windows: Int?
    /// What each window beyond the first takes.
    public var windowMemory = ByteCount.zero
    /// Whether a handler ends its task assertions when their time is over.
    public var handlesExpiration = true
    /// Whether the script gives it limits of its own.
    public var hasLimits = false
    /// Whether Background App Refresh is on for it.
    public var refreshes = true
    /// Whether it may submit health-research requests.
    public var doesHealthResearch = false
    /// Whether it reports background work as done when its expiration handler is called.
    public var completesWork = true
    /// How long the save takes that it begins when it is left.
    public var saves = SimDuration.zero
    /// Whether the user lets it show notifications.
    public var showsNotifications = true
    /// Its alarm, on systems that have alarms.
    public var alarms = AlarmTraits()
    /// Whether pushes to it have a valid token.
    public var hasToken = true
    /// Its files, where the phone has storage.
    public var files = AppFiles()
    /// How it stands at the beginning, when it is not spawned there but placed as it stood in a running phone.
    public var start: StartingProcess?
}

/// One line of a scenario's steps.
public struct ScriptStep: Sendable {
    /// What the line says.
    public enum Content: Sendable {
        /// A process does something, or something is done to it; a request that must fail says how.
        case act(process: Int, ScriptAction, error: ScriptError?)
        /// An app asks the system for background work, or is sent something.
        case ask(process: Int, ScriptBackgroundAction, error: ScriptError?)
        /// A process makes a block of memory, or something is done to the block of this number.
        case make(process: Int, ScriptBlock, error: ScriptError?)
        case block(Int, MemoryBlockAction, error: ScriptError?)
        /// Something happens to the machine.
        case machine(ScriptMachineAction)
        /// The device changes.
        case device([ScriptDeviceChange])
        /// Something must be true, of a process or of the machine.
        case expect(process: Int?, [ScriptCheck])
    }

    /// When.
    public var time: SimTime
    /// The line in the file.
    public var location: Node.Location
    /// What.
    public var content: Content
}

/// What a process of a scenario can do or suffer.
public enum ScriptAction: Sendable, Equatable {
    case spawn, exec(ByteCount), exit, kill, dirty, clean, foreground, background, suspend, resume, dock, undock
    case assert(Int), dropAssertion, setBand(Int), holdImportance, dropImportance
    case track, trackWithoutIdleExit
    case setLimit(active: MemoryLimit, inactive: MemoryLimit)
    case footprint(ByteCount), allocate(ByteCount), compress(ByteCount), touch(ByteCount), deferFree(ByteCount)
    case resetInterval
    case purgeable(ByteCount), makeVolatile, makeNonvolatile, freePurgeable
    case freeze, thaw, demote, freezable, unfreezable, useProbability(Double)
    case setPriority(Int, flags: UInt32), markSwappable
    case mapRegions(Int), openFiles(Int)
    case life(ScriptLifeAction)
}

/// A block of memory that a scenario makes.
public struct ScriptBlock: Sendable, Equatable {
    /// What kind of memory it is.
    public var kind: MemoryBlockKind
    /// Its size.
    public var size: ByteCount
}

/// What can happen to the machine of a scenario.
public enum ScriptMachineAction: Sendable, Equatable {
    case availableShare(Double), available(ByteCount), compressorShare(Double)
    case thresholds(critical: ByteCount?, idle: ByteCount?, soft: ByteCount?, reaper: ByteCount?)
    case raiseThresholds(ByteCount)
    case signal(KillSignal)
    case sortBand(Int)
    case freezeTop(error: ScriptError?), resetFreezer, freezerBudget(ByteCount), expireFreezer(SimDuration)
    case freezeList([FreezerListEntry], error: ScriptError?), freezerSwitch(Bool)
    case clearKillCounts, otherZones(ByteCount), zoneLimit(Double), zoneSnapshotBand(Int), vnodeLimit(Int)
    case disk(ScriptDiskAction)
}

/// One thing that must be true.
public enum ScriptCheck: Sendable, Equatable {
    case band(Int), bandBelow(Int), position(Int), isAlive(Bool), state(String), hasAssertion(Bool), isDirty(Bool)
    case limit(MemoryLimit), limitSize(ByteCount), activeLimit(MemoryLimit), inactiveLimit(MemoryLimit)
    case footprint(ByteCount), resident(ByteCount), compressed(ByteCount), volatile(ByteCount), headroom(ByteCount)
    case lifetimeMaximum(ByteCount), intervalMaximum(ByteCount)
    case isSwappable(Bool), neural(ByteCount)
    case isFrozen(Bool), thaws(Int), swapped(ByteCount), relaunch(RelaunchRecord)
    case callbacks([AppCallback]), calledInOrder([AppCallback]), scenes([SceneState]), exit(ExitCategory)
    case saved(atLeast: Double, atMost: Double)
    case background(ScriptBackgroundCheck)
    case disk(ScriptDiskCheck)
    case kills([ScriptKill])
    case killCounts([ScriptKillCount])
    case queue(band: Int, processes: [Int])
    case list([Int])
    case pressure(PressureLevel)
    case notified([Int]), relieved([Int])
    case freezerSnapshot([ScriptSnapshot]), zoneSnapshots([Int]), swapUsed(ByteCount)
    case zoneMap(atLeast: Double, atMost: Double)
    case frozen([Int]), freezerBudget(ByteCount), thawShare(atLeast: Double, atMost: Double)
    case thresholds(critical: ByteCount?, idle: ByteCount?, soft: ByteCount?)
    case available(atLeast: Double, atMost: Double)
    case decompressed(atLeast: ByteCount)
}

/// A killed process that a scenario expects in the freezer's snapshot.
public struct ScriptSnapshot: Sendable, Equatable {
    /// Who.
    public var process: Int
    /// Whether it was frozen, when the scenario says so.
    public var isFrozen: Bool?
    /// How often it was thawed, when the scenario says so.
    public var thaws: Int?
    /// Why it was killed, when the scenario says so.
    public var reason: KillReason?
}

/// A kill that a scenario expects.
public struct ScriptKill: Sendable, Equatable {
    /// Who dies; nil when it may be anybody.
    public var process: Int?
    /// Why.
    public var reason: KillReason
    /// In which band, when the scenario says so.
    public var band: Int?
    /// What the death returns, when the scenario says so.
    public var freed: ByteCount?
}

/// A number of kills that a scenario expects.
public struct ScriptKillCount: Sendable, Equatable {
    /// Their band.
    public var band: Int
    /// Their reason.
    public var reason: KillReason
    /// How many.
    public var count: Int
}
