// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Memory of ended processes that is kept until their crash report is written (xnu `osfmk/corpses/corpse.c`).
///
/// A process that crashes or is killed at a fatal limit is examined before its memory is freed. A process that the
/// killer's thread kills is not examined. Source: `proc_prepareexit` in `bsd/kern/kern_exit.c`. The number of corpses
/// is limited; at the limit, no further report is written. The memory of corpses counts to no footprint.
struct Corpses: Sendable {
    /// Memory of one corpse, and the time at which it is freed.
    struct Corpse: BitwiseCopyable {
        var free: SimTime
        var resident: Int64
        /// Compressed memory at full size, and its size in the compressor pool.
        var compressed: Int64
        var pool: Int64
    }

    private let time: SimDuration
    private let most: Int
    /// Corpses in the order in which the processes ended.
    private var waiting = Ring<Corpse>(capacity: 1)

    init(_ profile: OSProfile) {
        time = profile.corpseTime
        most = profile.corpses
    }

    var isEmpty: Bool { waiting.isEmpty }
    /// Whether another corpse is allowed.
    var hasRoom: Bool { time > .zero && waiting.count < most }
    /// When the next corpse is freed.
    var next: SimTime { waiting.first?.free ?? .distantFuture }

    mutating func add(_ record: ProcessRecord, at now: SimTime) -> Corpse {
        let corpse = Corpse(
            free: now + time, resident: record.resident, compressed: record.compressed - record.swapped,
            pool: record.pool)
        waiting.append(corpse)
        return corpse
    }

    mutating func popFirst() -> Corpse? { waiting.popFirst() }
}

extension ProcessTable {
    /// Keeps the memory of a process that is about to end with a crash report, until the report is written.
    mutating func keepCorpse(of index: Int, at now: SimTime) {
        guard corpses.hasRoom else { return }
        let corpse = corpses.add(processes[index], at: now)
        book.changeCorpses(resident: corpse.resident, compressed: corpse.compressed, pool: corpse.pool)
    }

    /// Frees the corpses that are due up to this time.
    mutating func releaseCorpses(until time: SimTime) {
        while corpses.next <= time, let corpse = corpses.popFirst() {
            book.changeCorpses(resident: -corpse.resident, compressed: -corpse.compressed, pool: -corpse.pool)
        }
    }

    /// Frees all corpses after the killer's thread has killed a process in the band of frozen apps or above.
    ///
    /// Source: `memstat_approaching_fg_band` in `bsd/kern/kern_memorystatus.c`.
    mutating func releaseCorpses(afterKillIn band: Int16, _ reason: KillReason) {
        guard !corpses.isEmpty, band >= profile.frozenBand else { return }
        switch reason {
        case .highwater, .perProcessLimit, .vnodeLimit, .jettisoned, .diskSpaceShortage, .sustainedPressure: return
        default: releaseCorpses(until: .distantFuture)
        }
    }
}

extension ExitCategory {
    /// Whether the system writes a crash report: after signals that dump core, and after kills that request a report.
    var leavesReport: Bool {
        switch self {
        case .abnormal, .badAccess, .illegalInstruction, .watchdog, .lockedFile, .taskTimeout: true
        case .normal, .cpuLimit, .memoryLimit, .memoryPressure: false
        }
    }
}
