// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Disk
import Processes
import Quantities
import Vocabulary

/// Scenario with actions on processes, and with conditions on them, at given times.
public struct ScenarioScript: Sendable {
    /// Subject of the scenario.
    public var name = ""
    /// Identifiers of the scenarios in the conformance list that this one covers.
    public var scenarios: [String] = []
    /// The tested rule of the killer, in words.
    public var rule = ""
    /// File of the public kernel that contains the rule.
    public var kernelSource = ""
    /// Sizes of the phone's memory.
    public var memory = MemoryParameters(ram: .gibibytes(4))
    /// Rules of the system.
    public var profile = OSProfile.ios18(ram: .gibibytes(4))
    /// Storage, if the scenario is about storage.
    public var disk: DiskParameters?
    /// Name of the policy that orders the victims.
    public var policy = "jetsam"
    /// Name of the policy that starts background work; by default, work starts as soon as the system's rules allow it.
    public var scheduling = "immediate"
    /// Processes, spawned at the beginning unless they specify otherwise.
    public var processes: [ScriptProcess] = []
    /// Actions and expectations, in order of time.
    public var steps: [ScriptStep] = []

    /// Number of expectations.
    public var expectations: Int {
        steps.reduce(0) { count, step in
            if case .expect(_, let checks) = step.content { return count + checks.count }
            return count
        }
    }
}

/// A process of a scenario.
public struct ScriptProcess: Sendable {
    /// Name of the process.
    public var name: String
    /// Properties of the process that the killer uses.
    public var traits: ProcessTraits
    /// Footprint at the spawn.
    public var footprint: ByteCount
    /// Whether the process exists from the beginning.
    public var isSpawned: Bool
    /// Number of windows of a process driven by the life cycle of apps; nil for any other process.
    public var windows: Int?
    /// Memory of each window beyond the first.
    public var windowMemory = ByteCount.zero
    /// Whether the app has a handler that ends its task assertions when their time is over.
    public var handlesExpiration = true
    /// Whether the script sets the limits of the process.
    public var hasLimits = false
    /// Whether Background App Refresh is on for the app.
    public var refreshes = true
    /// Whether the app may submit health-research requests.
    public var doesHealthResearch = false
    /// Whether the app reports background work as done when its expiration handler is called.
    public var completesWork = true
    /// Length of the save that the app begins when the user leaves it.
    public var saves = SimDuration.zero
    /// Whether the user allows notifications of the app.
    public var showsNotifications = true
    /// Alarm of the app, on systems that have alarms.
    public var alarms = AlarmTraits()
    /// Whether pushes to the app have a valid token.
    public var hasToken = true
    /// Files of the app, on a phone with storage.
    public var files = AppFiles()
    /// State of a process that already runs at the beginning; nil for a process that is spawned.
    public var start: StartingProcess?
}

/// One line of a scenario's steps.
public struct ScriptStep: Sendable {
    /// Contents of a line.
    public enum Content: Sendable {
        /// Action of a process or on a process, with the expected error if the action must fail.
        case act(process: Int, ScriptAction, error: ScriptError?)
        /// Request of an app for background work, or a message to the app.
        case ask(process: Int, ScriptBackgroundAction, error: ScriptError?)
        /// Creation of a block of memory by a process, or an action on the block with this number.
        case make(process: Int, ScriptBlock, error: ScriptError?)
        case block(Int, MemoryBlockAction, error: ScriptError?)
        /// Event of the machine.
        case machine(ScriptMachineAction)
        /// Change of the device's state.
        case device([ScriptDeviceChange])
        /// A condition on a process or on the machine.
        case expect(process: Int?, [ScriptCheck])
    }

    /// Time of the step.
    public var time: SimTime
    /// Line in the file.
    public var location: Node.Location
    /// Content of the line.
    public var content: Content
}

/// Actions of a process in a scenario, and actions on it.
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
    /// Kind of memory.
    public var kind: MemoryBlockKind
    /// Size of the block.
    public var size: ByteCount
}

/// Events of the machine in a scenario.
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

/// A condition that an expectation checks.
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
    /// Index of the process.
    public var process: Int
    /// Whether the process was frozen; nil if the scenario does not state it.
    public var isFrozen: Bool?
    /// Number of thaws; nil if the scenario does not state it.
    public var thaws: Int?
    /// Reason of the kill; nil if the scenario does not state it.
    public var reason: KillReason?
}

/// A kill that a scenario expects.
public struct ScriptKill: Sendable, Equatable {
    /// Index of the killed process; nil for any process.
    public var process: Int?
    /// Reason of the kill.
    public var reason: KillReason
    /// Band of the process; nil if the scenario does not state it.
    public var band: Int?
    /// Memory that the death returns; nil if the scenario does not state it.
    public var freed: ByteCount?
}

/// A number of kills that a scenario expects.
public struct ScriptKillCount: Sendable, Equatable {
    /// Band of the kills.
    public var band: Int
    /// Reason of the kills.
    public var reason: KillReason
    /// Number of kills.
    public var count: Int
}
