// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Android's low-memory killer.
///
/// The highest `oom_score_adj` dies first, when lmkd's own watermarks or levels are crossed.
///
/// Sources: `lmkd.cpp` of Android 14 for the decisions; AOSP's `ProcessList.java` and `OomAdjuster.java` for the scores
/// (`AdjustmentScores`) and for the levels of the old mode. The policy has its own trigger.
///
/// In the mode `psi`, lmkd acts below the high watermark of free pages. Cached processes (above 700) die. Processes
/// above 200 die as well when swap (here the compressor) is nearly full or the file cache thrashes. Any process may die
/// when a kill of the last second did not lift memory above the low watermark.
///
/// With `events=stalls`, the events that wake lmkd are counted (`Stalls`). Otherwise two assumptions replace them.
/// Events come below the high watermark. Critical events, at which any process may die, come below the lowest
/// watermark.
///
/// In the mode `minfree`, six levels determine the lowest score that dies. Both free and file pages must be short.
///
/// Among processes of one score, the one whose band was set first dies. At 200 and below, or with `kill=heaviest`, the
/// heaviest one dies instead. While a victim dies, lmkd waits for it (`DyingVictims`); without `death-time`, a victim
/// is gone at once.
public struct LowMemoryKiller: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lmkd",
            summary: "The process with the highest oom_score_adj dies first, at lmkd's own watermarks or levels.",
            source: "AOSP system/memory/lmkd/lmkd.cpp (Android 14), ProcessList.java, OomAdjuster.java",
            replacesTrigger: true, family: .android),
        Parameters(),
        [
            Parameter(
                \.usesLevels, "mode", .choice(["psi": false, "minfree": true]),
                "what triggers kills: stalls and watermarks, or minfree levels"),
            Parameter(
                \.killsHeaviest, "kill", .choice(["oldest": false, "heaviest": true]),
                "which process dies if several have the same score (ro.lmk.kill_heaviest_task)"),
            Parameter(
                \.swapFreeLow, "swap-free-low", .fraction, 0...1,
                "share of free swap below which swap counts as low (ro.lmk.swap_free_low_percentage)"),
            Parameter(
                \.thrashingLimit, "thrashing-limit", .fraction, 0...100,
                "reading more than this share of the file pages again in 1 s is thrashing (ro.lmk.thrashing_limit)"),
            Parameter(
                \.extraFree, "extra-free", .bytes, 0...1e9,
                "memory added to the watermarks (sys.sysctl.extra_free_kbytes: three screens of 1080 x 1920)"),
            Parameter(
                \.followsStalls, "events", .choice(["watermarks": false, "stalls": true]),
                "what wakes lmkd: a crossed watermark (assumption), or counted stalls"),
            Parameter(
                \.stalls.partial, "partial-stall", .duration, 0...1,
                "lmkd wakes if some task waits this long for memory in 1 s (ro.lmk.psi_partial_stall_ms)"),
            Parameter(
                \.stalls.complete, "complete-stall", .duration, 0...1,
                "any process may die if all tasks wait this long for memory in 1 s (ro.lmk.psi_complete_stall_ms)"),
            Parameter(
                \.stalls.rates.readRate, "read-rate", .bytes, 1e6...1e10,
                "speed at which file pages are read again, per second (assumption, 30 to 1000 MB)"),
            Parameter(
                \.stalls.rates.compressRate, "compress-rate", .bytes, 1e6...1e10,
                "speed at which memory is compressed, per second (assumption, 100 to 1000 MB)"),
            Parameter(
                \.stalls.rates.fullShare, "full-share", .fraction, 0...1,
                "share of the waiting time in which all tasks wait (assumption, 10 to 100 %)"),
            Parameter(
                \.stallCritical, "stall-critical", .fraction, 0...1,
                "any process may die if full stalls took more than this share of 10 s (ro.lmk.stall_limit_critical)"),
            Parameter(
                \.swapUse, "swap-util-max", .fraction, 0...1,
                "any process may die if more than this share of swappable memory is in swap (ro.lmk.swap_util_max)"),
            Parameter(
                \.leastFiles, "filecache-min", .bytes, 0...1e10,
                "file pages below which a kill for thrashing is followed by another (ro.lmk.filecache_min_kb)"),
            Parameter(
                \.criticalThrashing, "critical-thrashing", .number, 1...100,
                "multiple of thrashing-limit that counts as critical thrashing (3; 2 until Android 13)"),
            Parameter(
                \.thrashingDecay, "thrashing-decay", .fraction, 0...1,
                "reduction of thrashing-limit after a kill for thrashing (ro.lmk.thrashing_limit_decay)"),
            Parameter(
                \.lowScore, "low-score", .number, 201...1001,
                "lowest score that dies if only the high watermark is crossed (ro.lmk.lowmem_min_oom_score); "
                    + "with 1001, no process dies (until Android 13)"),
            Parameter(
                \.killTimeout, "kill-timeout", .duration, 0...10,
                "longest wait for the death of a victim before the next is killed (ro.lmk.kill_timeout_ms)"),
            Parameter(
                \.deathTime, "death-time", .duration, 0...10,
                "time from a kill until its memory is free (assumption, 0 to 1 s)"),
        ]
    ) { parameters, _ in LowMemoryKiller(parameters) }

    /// Properties of lmkd in brackets after the name, with their defaults.
    public struct Parameters: Sendable {
        /// Whether levels trigger kills, instead of stalls and watermarks.
        public var usesLevels = false
        /// Whether the heaviest process of a score dies instead of the oldest one.
        public var killsHeaviest = false
        /// Share of free swap below which swap counts as low.
        var swapFreeLow = 0.1
        /// Share of the file pages read again within a second above which the file cache thrashes.
        var thrashingLimit = 1.0
        /// Memory added to the watermarks.
        public var extraFree = ByteCount.kibibytes(24_300)
        /// Whether counted stalls wake lmkd, instead of its watermarks.
        public var followsStalls = false
        /// Rules for stalls and for the events that they cause.
        var stalls = Stalls.Rules()
        /// If full stalls took more than this share of the last ten seconds, any process may die.
        var stallCritical = 1.0
        /// If more than this share of the swappable memory is in swap, any process may die.
        var swapUse = 1.0
        /// If fewer file pages are left after a kill for thrashing, another process dies.
        var leastFiles = ByteCount.zero
        /// Thrashing that counts as critical, as a multiple of the thrashing limit.
        var criticalThrashing = 3.0
        /// Share by which a kill for thrashing lowers the limit.
        var thrashingDecay = 0.1
        /// The lowest score that dies when only the high watermark is crossed.
        var lowScore = AdjustmentScores.previous + 1
        /// The longest wait for the death of a victim.
        var killTimeout = SimDuration.milliseconds(100)
        /// Time from a kill until the victim's memory is free.
        var deathTime = SimDuration.zero

        /// Creates the defaults.
        public init() {}
    }

    private let parameters: Parameters
    private var thrashing: Thrashing
    private var stalls: Stalls
    private var dying: DyingVictims
    private var scores = AdjustmentScores()
    private var lastKill = SimTime(nanoseconds: .min / 2)

    /// Creates the policy with lmkd's properties.
    public init(_ parameters: Parameters = Parameters()) {
        self.parameters = parameters
        thrashing = Thrashing(
            limit: parameters.thrashingLimit, criticalFactor: parameters.criticalThrashing,
            decay: parameters.thrashingDecay)
        stalls = Stalls(parameters.stalls)
        dying = DyingVictims(timeout: parameters.killTimeout, deathTime: parameters.deathTime)
    }

    /// Zero, because the score of a cached process depends on all cached processes.
    public var rankLifetime: SimDuration? { .zero }
    /// True, because lmkd wakes by its own rules.
    public var replacesTrigger: Bool { true }

    /// Gives every process its score.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        scores.assign(to: candidates, at: now)
    }

    /// 1000 minus the score; if the heaviest dies first, plus a part below one that is smaller for a larger process.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let score = scores[candidate.app]
        let bySize = parameters.killsHeaviest || score <= AdjustmentScores.perceptible
        return Double(1000 - score) + (bySize ? 1 / (2 + max(0, candidate.resident.mebibytes)) : 0)
    }

    /// True, because all candidates are ranked at each kill.
    public var ranksTogether: Bool { true }

    /// The rank of the lowest score that dies now.
    public mutating func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
        let marks = Watermarks(total: memory.total, extraFree: parameters.extraFree)
        guard let free = dying.seen(memory.free, least: marks.least, at: now) else { return nil }
        var memory = memory
        memory.free = free
        let lowest = parameters.usesLevels ? MinfreeLevels.lowestScore(memory) : lowestScore(memory, marks, at: now)
        return lowest.map { Double(1001 - $0).nextDown }
    }

    /// Remembers the kill; after a kill for thrashing, the limit is lower.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        lastKill = now
        thrashing.didKill()
        stalls.didKill(at: now)
        dying.add(candidate.resident, at: now)
    }

    private mutating func lowestScore(_ memory: MemoryView, _ marks: Watermarks, at now: SimTime) -> Int? {
        thrashing.update(memory, at: now)
        if parameters.followsStalls { stalls.update(memory, at: now) }
        guard isAwake(memory, marks, at: now) else { return nil }
        let isAfterKill = now - lastKill <= .second && memory.free < marks.low
        let isCritical = parameters.followsStalls ? stalls.isCritical(at: now) : memory.free < marks.least
        if isAfterKill || isCritical { return 0 }
        let score = lowestScore(memory, marks)
        return score != nil && stalls.fullAverage > parameters.stallCritical ? 0 : score
    }

    /// Whether lmkd checks memory now.
    ///
    /// If so little memory is free that tasks must reclaim it themselves, the tasks wait until lmkd checks.
    private func isAwake(_ memory: MemoryView, _ marks: Watermarks, at now: SimTime) -> Bool {
        guard parameters.followsStalls else { return memory.free < marks.high }
        return memory.free < marks.least ? stalls.isAwake(at: now) : stalls.isLooking(at: now)
    }

    /// The lowest score that may die by swap, by thrashing and by the high watermark, in the order of `mp_event_psi`.
    private mutating func lowestScore(_ memory: MemoryView, _ marks: Watermarks) -> Int? {
        let isShort = memory.free < marks.high
        // Below the lowest watermark, tasks reclaim directly. Then, or with critical thrashing, any process may die.
        let isReclaiming = memory.free < marks.least
        let spared = thrashing.isCritical || isReclaiming ? 0 : AdjustmentScores.perceptible + 1
        let swapFree = memory.compressorLimit - memory.compressed
        if swapFree < memory.compressorLimit * parameters.swapFreeLow, isShort || thrashing.isOverLimit {
            return spared
        }
        if isShort, swapUse(memory) > parameters.swapUse { return 0 }
        if isShort, thrashing.isOverLimit { return spared }
        if thrashing.lacksFiles(memory, least: parameters.leastFiles) { return AdjustmentScores.perceptible + 1 }
        return isShort && parameters.lowScore <= 1000 ? parameters.lowScore : nil
    }

    /// Share of the swappable memory that is in swap.
    ///
    /// Swappable memory is the used swap plus all memory that is neither free nor file-backed. lmkd uses the sizes of
    /// the anonymous lists instead of the second part.
    private func swapUse(_ memory: MemoryView) -> Double {
        let anonymous = max(.zero, memory.total - memory.free - memory.fileBacked)
        return memory.compressed / (memory.compressed + anonymous)
    }
}

/// Free pages below which the kernel reclaims, as lmkd reads them from `/proc/zoneinfo`.
///
/// Source: `mm/page_alloc.c` of Linux 5.10. `min_free_kbytes` is the root of 16 times the memory in KiB, at most 256
/// MiB. Each further mark is above the previous one by a quarter of `min_free_kbytes`, or by a thousandth of memory if
/// that is more.
struct Watermarks {
    let least: ByteCount
    let low: ByteCount
    let high: ByteCount

    init(total: ByteCount, extraFree: ByteCount) {
        let kibibytes = (16 * Double(total.bytes) / 1024).squareRoot().rounded(.down)
        least = .kibibytes(min(max(kibibytes, 128), 262_144))
        let step = max(least * 0.25, total * 0.001)
        low = least + step + extraFree
        high = low + step
    }
}

/// Levels of the old kernel killer: the lowest score that dies, by free and file memory.
///
/// Source: `mOomMinFreeHigh` of AOSP's `ProcessList.java` as set on 64-bit phones with more than 700 MB.
enum MinfreeLevels {
    private static let levels: [(score: Int, kibibytes: Double)] = [
        (0, 73_728), (100, 92_160), (200, 110_592), (250, 129_024), (900, 221_184), (950, 322_560),
    ]

    /// The lowest score that dies; nil when memory suffices.
    static func lowestScore(_ memory: MemoryView) -> Int? {
        levels.first { memory.free < .kibibytes($0.kibibytes) && memory.fileBacked < .kibibytes($0.kibibytes) }?.score
    }
}
