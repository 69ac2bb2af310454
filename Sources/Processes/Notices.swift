// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// When and of what processes are told (`memorystatus_vm_pressure_monitor_thread`, `kern_memorystatus_notify.c`).
///
/// Each process that executes, is large enough and stands in a band from 20 on is told once per level: on a rise the
/// lowest band first and in it the largest, on a drop the highest band first. Between two notices 250 ms pass, none
/// when memory is very short; after the last one nobody is looked for during 25 s; after 30 min all are told again.
/// Suspended and frozen processes hear nothing.
struct Notices: Sendable {
    private let restTime: SimDuration
    private let repetition: SimDuration
    private let dropDelay: SimDuration
    private let lowestBand: Int16
    private let leastFootprint: Int64
    /// Apps told of memory pressure since the list was last cleared, oldest first.
    private(set) var warnings: [PressureWarning] = []
    /// Processes told of the last fall of pressure since the list was last cleared, oldest first.
    private(set) var reliefs: [PressureWarning] = []
    /// The level that processes are told of; it follows a rise at once and a drop when that has lasted.
    private(set) var level = PressureLevel.normal
    /// Whether the last change was a rise: then the lowest band hears first, otherwise the highest.
    private(set) var isRising = true
    /// The number of this announcement; every process hears of each once.
    private var round: UInt32 = 1
    /// When the next process is told or looked for.
    private(set) var next = SimTime.distantFuture
    /// When a drop has lasted long enough.
    private(set) var drop = SimTime.distantFuture
    /// When everybody is told of the same level again.
    private var again = SimTime.distantFuture
    /// When a process was last told.
    private var last: SimTime?

    init(_ profile: OSProfile) {
        restTime = profile.noticeRest
        repetition = profile.noticeRepeat
        dropDelay = profile.noticeDropDelay
        lowestBand = profile.warnedBand
        leastFootprint = profile.warnedFootprint.bytes
        warnings.reserveCapacity(64)
    }

    /// When anything of this is due.
    var due: SimTime { min(next, drop) }

    /// Follows a level; whether a rise must be announced, which is at once.
    mutating func follow(_ pressure: PressureLevel, at now: SimTime) -> Bool {
        if pressure < level {
            if drop == .distantFuture { drop = now + dropDelay }
            return false
        }
        drop = .distantFuture
        return pressure > level
    }

    /// Whether a drop that was waited for has lasted; it is over then.
    mutating func endDrop(at now: SimTime) -> Bool {
        guard drop <= now else { return false }
        drop = .distantFuture
        return true
    }

    /// A new level that everybody is to hear of; `spacing` holds since the last notice.
    mutating func announce(
        _ pressure: PressureLevel, isRising: Bool, spacing: SimDuration, at now: SimTime
    ) {
        level = pressure
        self.isRising = isRising
        round += 1
        if !isRising { reliefs.removeAll(keepingCapacity: true) }
        again = now + repetition
        next = max(now, last.map { $0 + spacing } ?? now)
    }

    /// Everybody is to hear of the present level once more, now.
    mutating func repeatAnnouncement(at now: SimTime) {
        again = now
        next = now
    }

    /// Begins another round when the level has lasted for the time of a repetition.
    mutating func beginRound(at now: SimTime) {
        guard again <= now else { return }
        again = now + repetition
        isRising = true
        round += 1
    }

    /// Somebody was told; the next one is told after this time.
    mutating func recordNotice(spacing: SimDuration, at now: SimTime) {
        last = now
        next = now + spacing
    }

    /// Nobody is left to tell; somebody is looked for again later, unless all is normal.
    mutating func rest(at now: SimTime) {
        next = level == .normal ? .distantFuture : now + restTime
    }

    func mayHear(_ record: ProcessRecord) -> Bool {
        record.state.executes && record.toldRound != round && (isRising || record.told != level)
            && record.band >= lowestBand && record.footprint >= leastFootprint
            && !record.isFrozen
    }

    /// A process hears of the level; whether that warns it, so that it drops what it can.
    mutating func notifyLevel(to record: inout ProcessRecord) -> Bool {
        let isWarning = isRising || level > record.told
        record.told = level
        record.toldRound = round
        return isWarning
    }

    mutating func recordWarning(_ app: AppID, dropped: Int64, at now: SimTime) {
        warnings.append(PressureWarning(time: now, app: app, level: level, dropped: ByteCount(dropped)))
    }

    mutating func recordRelief(_ app: AppID, at now: SimTime) {
        reliefs.append(PressureWarning(time: now, app: app, level: level, dropped: .zero))
    }

    mutating func clear() {
        warnings.removeAll(keepingCapacity: true)
        if !reliefs.isEmpty { reliefs.removeAll(keepingCapacity: true) }
    }
}
