// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Android's notice to a process about the phone's memory, as in `onTrimMemory`.
public enum TrimLevel: UInt8, Sendable, Comparable, BitwiseCopyable {
    /// No notice.
    case none = 0
    /// The process runs, and memory is slightly short, short or critically short.
    case runningModerate = 5
    case runningLow = 10
    case runningCritical = 15
    /// The process is cached and is among the most recently used processes, in the middle, or among the least recently
    /// used.
    case background = 40
    case moderate = 60
    case complete = 80

    /// Orders by number.
    public static func < (left: TrimLevel, right: TrimLevel) -> Bool { left.rawValue < right.rawValue }

    /// Memory that a running app drops at this level, as a share of what it drops at a warning.
    ///
    /// Assumption: apps behave like the image library Glide (`LruResourceCache.trimMemory`), which halves its cache at
    /// `RUNNING_CRITICAL` and keeps it at lower levels.
    var droppedWhileRunning: Double { self == .runningCritical ? 0.5 : 0 }
}

/// Times of the trim levels that Android sent to processes up to version 13.
///
/// Source of the levels: AOSP of Android 13, `LowMemDetector.cpp`. If some tasks waited for memory for 15 ms of a
/// second, pressure is moderate. Memory is low if all tasks waited for 30 ms, and critical if all tasks waited for 50
/// ms. Each level lasts for a second.
///
/// Source of the notices: `AppProfiler.java` (`updateLowMemStateLSP`). The level becomes worse only if there are fewer
/// processes than before, but it ends at once. While the level lasts, all processes are notified. Cached processes get
/// a level by their position in the list of recent use, other processes by the shortage of memory. A process never gets
/// a level twice, nor a level below its last one.
///
/// In the model, a kill means that there are fewer processes. The count of cached processes is used only on kernels
/// without stall information.
struct TrimLevels: Sendable {
    private static let (moderate, low, critical) = (
        SimDuration.milliseconds(15).seconds, SimDuration.milliseconds(30).seconds,
        SimDuration.milliseconds(50).seconds
    )
    /// Duration of a level after the event that set it.
    private static let lasting = SimDuration.second
    /// Least number of processes per level: two, plus one each for the launcher and the previous app.
    private static let leastOfLevel = 4

    /// Memory that an app drops when it is cached, as a share of what it drops at a warning.
    private let cachedDrop: Double
    private var stalls = MemoryStalls()
    /// The shortage of memory, and when it was found.
    private var seen = TrimLevel.none
    private var seenAt = SimTime.zero
    private var hasKilled = false
    private var hasTold = false
    /// For each process, the last level sent to it since memory was last plentiful.
    private var told: [TrimLevel]
    /// For each process, when it last dropped all memory that it can drop.
    private var emptied: [SimTime]

    init(capacity: Int, cachedDrop: Double) {
        self.cachedDrop = cachedDrop
        told = Array(repeating: .none, count: capacity)
        emptied = Array(repeating: SimTime(nanoseconds: .min / 2), count: capacity)
    }

    /// Level of pressure that the system reports; it lasts for a second after tasks waited (`LowMemDetector`).
    ///
    /// Moderate pressure and low memory are both reported as a warning.
    var level: PressureLevel { seen == .none ? .normal : seen == .runningCritical ? .critical : .warning }

    /// When the level ends if tasks do not wait again.
    var end: SimTime { seen == .none ? .distantFuture : seenAt + Self.lasting + SimDuration(nanoseconds: 1) }

    mutating func recordKill() { hasKilled = true }

    /// Updates the level from the waits of tasks; returns the level for running processes, or nil if no notices are
    /// due.
    mutating func update(_ memory: MemoryView, at now: SimTime) -> TrimLevel? {
        look(memory, at: now)
        let isTold = hasKilled
        hasKilled = false
        if seen == .none, hasTold {
            for index in told.indices { told[index] = .none }
            hasTold = false
        }
        return isTold && seen > .none ? seen : nil
    }

    private mutating func look(_ memory: MemoryView, at now: SimTime) {
        let more = stalls.update(memory, at: now)
        if now - seenAt > Self.lasting { seen = .none }
        guard more > 0, stalls.waited >= Self.moderate else { return }
        let full = stalls.fullyWaited
        let found: TrimLevel =
            full >= Self.critical ? .runningCritical : full >= Self.low ? .runningLow : .runningModerate
        if found >= seen { (seen, seenAt) = (found, now) }
    }

    /// Level of a cached process, by its position among all cached processes, the least recently used first.
    static func level(ofCached position: Int, of count: Int) -> TrimLevel {
        switch position / max(count / 3, leastOfLevel) {
        case 0: .complete
        case 1: .moderate
        default: .background
        }
    }

    /// Records a notice to a process; returns the share that the process drops, or nil if the process already got this
    /// level or a higher one.
    ///
    /// A cached process has nothing more to drop until the user has seen it again.
    mutating func announce(_ level: TrimLevel, to index: Int, lastSeen: SimTime, at now: SimTime) -> Double? {
        guard told[index] < level else { return nil }
        told[index] = level
        hasTold = true
        guard level >= .background else { return level.droppedWhileRunning }
        guard emptied[index] < lastSeen else { return 0 }
        emptied[index] = now
        return cachedDrop
    }

    /// Deletes the record of notices to a process that ended.
    mutating func forget(_ index: Int) {
        told[index] = .none
        emptied[index] = SimTime(nanoseconds: .min / 2)
    }
}

/// Sends trim levels to processes.
extension ProcessTable {
    /// Notifies all processes; cached processes in the order of their last use, the oldest first.
    mutating func sendTrimLevels(at now: SimTime) {
        // Counts all memory that was compressed, including that of dead processes.
        var memory = memoryView
        memory.compressed = totals.compressed
        let told = trims?.update(memory, at: now)
        pressureWatch.follow(trims?.level ?? .normal)
        guard let running = told else { return }
        var cached = processes.indices.filter { processes[$0].isAlive && isCached($0) }
        cached.sort {
            let (left, right) = (processes[$0], processes[$1])
            return (left.lastForeground, left.bandSet, $0) < (right.lastForeground, right.bandSet, $1)
        }
        for (position, index) in cached.enumerated() {
            announce(TrimLevels.level(ofCached: position, of: cached.count), to: index, at: now)
        }
        for index in processes.indices where processes[index].isAlive && !isCached(index) {
            announce(running, to: index, at: now)
        }
    }

    /// Whether a process is cached: it is not in use and does nothing.
    private func isCached(_ index: Int) -> Bool {
        !processes[index].state.isForeground && processes[index].band < profile.workingBand
    }

    /// Notifies one process; a frozen process is thawed for this.
    private mutating func announce(_ level: TrimLevel, to index: Int, at now: SimTime) {
        let lastSeen = processes[index].lastForeground
        guard let share = trims?.announce(level, to: index, lastSeen: lastSeen, at: now) else { return }
        let dropped = Int64(rounding: Double(processes[index].footprint) * facts[index].warningDrop * share)
        resize(index, to: processes[index].footprint - dropped)
        totals.warnings += 1
        if recordsCallbacks { recordCallback(.didReceiveMemoryWarning, of: index, window: nil, at: now) }
        notices.recordTrim(AppID(index), level, dropped: dropped, at: now)
    }
}
