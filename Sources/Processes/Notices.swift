// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
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
    /// Those that may be told, the next one first; those that changed since are put in order when somebody is told.
    private var waiting: IndexedHeap<NoticeKey>
    private var changed: [Int32] = []
    /// Whether nobody was put in order since this announcement began.
    private var isNew = true

    init(_ profile: OSProfile, capacity: Int) {
        waiting = IndexedHeap(capacity: capacity)
        changed.reserveCapacity(capacity)
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
        isNew = true
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
        isNew = true
    }

    /// The state, the band or the memory of a process has changed.
    mutating func markChanged(_ index: Int, _ record: inout ProcessRecord) {
        record.isNoticeStale = true
        changed.append(Int32(index))
    }

    /// Who is told next: of all that have not heard of this announcement, by band and size; nil for nobody.
    mutating func nextListener(_ processes: inout [ProcessRecord], _ queues: BandQueues) -> Int? {
        while let number = changed.popLast() {
            let index = Int(number)
            processes[index].isNoticeStale = false
            if !isNew { update(index, processes) }
        }
        if isNew { putAllInOrder(processes, queues) }
        return waiting.first?.member
    }

    /// Everybody may be told again, and perhaps in the other order.
    private mutating func putAllInOrder(_ processes: [ProcessRecord], _ queues: BandQueues) {
        isNew = false
        waiting.removeAll()
        var band = queues.used(from: lowestBand)
        while let current = band {
            var process = queues.head(of: current)
            while let index = process {
                if mayHear(index, processes) {
                    waiting.append(index, key: NoticeKey(processes[index], index, isRising: isRising))
                }
                process = queues.next(after: index)
            }
            band = queues.used(from: current + 1)
        }
        waiting.order()
    }

    @inline(__always)
    private mutating func update(_ index: Int, _ processes: [ProcessRecord]) {
        if mayHear(index, processes) {
            waiting.set(index, key: NoticeKey(processes[index], index, isRising: isRising))
        } else {
            waiting.remove(index)
        }
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

    /// Field by field, since a record is too large to copy for a few of them.
    @inline(__always)
    private func mayHear(_ index: Int, _ processes: [ProcessRecord]) -> Bool {
        processes[index].state.executes && processes[index].toldRound != round
            && (isRising || processes[index].told != level)
            && processes[index].band >= lowestBand && processes[index].footprint >= leastFootprint
            && !processes[index].isFrozen
    }

    /// A process hears of the level; whether that warns it, so that it drops what it can.
    mutating func notifyLevel(to index: Int, _ record: inout ProcessRecord) -> Bool {
        let isWarning = isRising || level > record.told
        waiting.remove(index)
        record.told = level
        record.toldRound = round
        return isWarning
    }

    mutating func recordWarning(_ app: AppID, dropped: Int64, at now: SimTime) {
        warnings.append(PressureWarning(time: now, app: app, level: level, dropped: ByteCount(dropped)))
    }

    mutating func recordTrim(_ app: AppID, _ trim: TrimLevel, dropped: Int64, at now: SimTime) {
        warnings.append(PressureWarning(time: now, app: app, level: level, dropped: ByteCount(dropped), trim: trim))
    }

    mutating func recordRelief(_ app: AppID, at now: SimTime) {
        reliefs.append(PressureWarning(time: now, app: app, level: level, dropped: .zero))
    }

    mutating func clear() {
        warnings.removeAll(keepingCapacity: true)
        if !reliefs.isEmpty { reliefs.removeAll(keepingCapacity: true) }
    }
}

/// Orders those that are to be told: on a rise the lowest band first, otherwise the highest, and in a band the largest.
private struct NoticeKey: Comparable, Sendable, BitwiseCopyable {
    private let footprint: Int64
    private let index: Int32
    private let order: Int16

    init(_ record: ProcessRecord, _ index: Int, isRising: Bool) {
        footprint = record.footprint
        self.index = Int32(index)
        order = isRising ? record.band : -record.band
    }

    @inline(__always)
    static func < (left: NoticeKey, right: NoticeKey) -> Bool {
        if left.order != right.order { return left.order < right.order }
        return left.footprint != right.footprint ? left.footprint > right.footprint : left.index < right.index
    }
}
