import LifeCycle
import Quantities
import Vocabulary

/// What the table keeps per app and changes while a run goes on; one record is what one event touches.
struct ProcessRecord: Sendable, BitwiseCopyable {
    var life = LifeCycleMachine()
    var band: Int16 = 0
    /// The heap the process waits in; see `VictimClass`.
    var queue = VictimClass.none
    /// Whether it stands in the list of processes whose rank is out of date.
    var isStale = false
    /// Whether its files were cached before, so that a missing page was dropped.
    var hasReadFiles = false
    /// The level of pressure that it was last told of.
    var told = PressureLevel.normal
    var resident: Int64 = 0
    var compressed: Int64 = 0
    /// What its compressed memory takes in the pool.
    var pool: Int64 = 0
    /// Its launch files that are cached; they outlive the process.
    var files: Int64 = 0
    var sequence: UInt64 = 0
    var bandSet = SimTime.zero
    var launched = SimTime.zero
    var lastForeground = SimTime.zero
    var nextOpen = SimTime.distantFuture
    var opens: Int32 = 0
    /// The announcement of pressure that it heard last.
    var toldRound: UInt32 = 0
    /// Place in the list of executing processes, or -1.
    var executing: Int32 = -1

    var footprint: Int64 { resident + compressed }
    @inline(__always) var state: ProcessState { life.state }
    var isAlive: Bool { state != .notRunning }
}

/// Which of the three disjoint sets of candidates a process belongs to.
enum VictimClass: UInt8, Sendable, BitwiseCopyable {
    /// No process, or not ranked yet.
    case none
    /// Band 0.
    case idle
    /// Above band 0 and not protected.
    case working
    /// What the user sees or hears.
    case protected
}

extension OSProfile {
    /// Where a process of this band waits for its death.
    func victimClass(of band: Int16) -> VictimClass {
        if band <= idleBand { return .idle }
        return band >= protectedBand ? .protected : .working
    }
}

/// What never changes about an app in a run.
struct AppFacts: Sendable {
    var launchFiles: Int64
    /// What one window takes.
    var windowMemory: Int64
    var warningDrop: Double
    var relaunchTime: SimDuration
    var relaunchEnergy: Energy
}
