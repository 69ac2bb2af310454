// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// What the dead keep until their crash report is written (xnu `osfmk/corpses/corpse.c`).
///
/// A process that crashes, or that dies at a fatal limit, is looked into before its memory goes (`proc_prepareexit` in
/// `bsd/kern/kern_exit.c`); one that the killer's thread ends is not. No more than so many wait at a time, and of a
/// further one no report is written. What they keep is in nobody's footprint.
struct Corpses: Sendable {
    /// The memory of one of them, and when it is free.
    struct Corpse: BitwiseCopyable {
        var free: SimTime
        var resident: Int64
        /// What lies in the compressor, at full size, and what that takes of the pool.
        var compressed: Int64
        var pool: Int64
    }

    private let time: SimDuration
    private let most: Int
    /// The one that waits longest first.
    private var waiting = Ring<Corpse>(capacity: 1)

    init(_ profile: OSProfile) {
        time = profile.corpseTime
        most = profile.corpses
    }

    var isEmpty: Bool { waiting.isEmpty }
    /// Whether another may wait.
    var hasRoom: Bool { time > .zero && waiting.count < most }
    /// When the next of them is free.
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
    /// A process is about to end with a crash report: until that is written its memory stays taken.
    mutating func keepCorpse(of index: Int, at now: SimTime) {
        guard corpses.hasRoom else { return }
        let corpse = corpses.add(processes[index], at: now)
        book.changeCorpses(resident: corpse.resident, compressed: corpse.compressed, pool: corpse.pool)
    }

    /// Frees what corpses keep until then.
    mutating func releaseCorpses(until time: SimTime) {
        while corpses.next <= time, let corpse = corpses.popFirst() {
            book.changeCorpses(resident: -corpse.resident, compressed: -corpse.compressed, pool: -corpse.pool)
        }
    }

    /// The killer's thread has ended a process of this band: from that of frozen apps on it frees all corpses
    /// (`memstat_approaching_fg_band` in `bsd/kern/kern_memorystatus.c`).
    mutating func releaseCorpses(afterKillIn band: Int16, _ reason: KillReason) {
        guard !corpses.isEmpty, band >= profile.frozenBand else { return }
        switch reason {
        case .highwater, .perProcessLimit, .vnodeLimit, .jettisoned, .diskSpaceShortage, .sustainedPressure: return
        default: releaseCorpses(until: .distantFuture)
        }
    }
}

extension ExitCategory {
    /// Whether the system writes a crash report: after signals that dump core, and kills that ask for one.
    var leavesReport: Bool {
        switch self {
        case .abnormal, .badAccess, .illegalInstruction, .watchdog, .lockedFile, .taskTimeout: true
        case .normal, .cpuLimit, .memoryLimit, .memoryPressure: false
        }
    }
}
