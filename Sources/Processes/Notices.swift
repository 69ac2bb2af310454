// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Structures
import Vocabulary

/// Notifications of memory pressure to processes (`memorystatus_vm_pressure_monitor_thread`).
///
/// Source: `kern_memorystatus_notify.c`. Each process that is large enough and executes in band 20 or above is notified
/// once per level. When pressure rises, the lowest band is notified first, and in a band the largest process. When
/// pressure drops, the highest band is notified first. Notices are 250 ms apart, or follow at once if memory is very
/// short. After the last notice, the search pauses for 25 s; after 30 min, all processes are notified again. Suspended
/// and frozen processes get no notice.
struct Notices: Sendable {
    private let restTime: SimDuration
    private let repetition: SimDuration
    private let dropDelay: SimDuration
    private let lowestBand: Int16
    private let leastFootprint: Int64
    /// Apps notified of memory pressure since the list was last cleared, oldest first.
    private(set) var warnings: [PressureWarning] = []
    /// Processes notified of the last drop of pressure since the list was last cleared, oldest first.
    private(set) var reliefs: [PressureWarning] = []
    /// Announced level; it rises at once, and falls when a drop has lasted for `dropDelay`.
    private(set) var level = PressureLevel.normal
    /// Whether the last change was a rise; the lowest band is then notified first, otherwise the highest.
    private(set) var isRising = true
    /// Number of the present announcement.
    ///
    /// Every process is notified of an announcement once.
    private var round: UInt32 = 1
    /// Time at which the next process is notified or searched for.
    private(set) var next = SimTime.distantFuture
    /// When the present drop has lasted long enough to be announced.
    private(set) var drop = SimTime.distantFuture
    /// When all processes are notified of the present level again.
    private var again = SimTime.distantFuture
    /// When a process was last notified.
    private var last: SimTime?
    /// Processes to notify, the next one first; those in `changed` are inserted at the next notice.
    private var waiting: IndexedHeap<NoticeKey>
    private var changed: [Int32] = []
    /// Whether no process has been sorted since the present announcement began.
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

    /// When a notice or the end of a drop is due.
    var due: SimTime { min(next, drop) }

    /// Follows a level; returns whether the level has risen and must be announced.
    mutating func follow(_ pressure: PressureLevel, at now: SimTime) -> Bool {
        if pressure < level {
            if drop == .distantFuture { drop = now + dropDelay }
            return false
        }
        drop = .distantFuture
        return pressure > level
    }

    /// Ends a drop that has lasted long enough; returns whether there was one.
    mutating func endDrop(at now: SimTime) -> Bool {
        guard drop <= now else { return false }
        drop = .distantFuture
        return true
    }

    /// Announces a new level to all processes, at least `spacing` after the last notice.
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

    /// Starts to notify all processes of the present level again.
    mutating func repeatAnnouncement(at now: SimTime) {
        again = now
        next = now
    }

    /// Begins another round if the level has lasted for the time after which notices are repeated.
    mutating func beginRound(at now: SimTime) {
        guard again <= now else { return }
        again = now + repetition
        isRising = true
        round += 1
        isNew = true
    }

    /// Marks a process whose state, band or memory has changed.
    mutating func markChanged(_ index: Int, _ record: inout ProcessRecord) {
        record.isNoticeStale = true
        changed.append(Int32(index))
    }

    /// The next process to notify in this round, by band and then by size; nil if there is none.
    mutating func nextListener(_ processes: inout [ProcessRecord], _ queues: BandQueues) -> Int? {
        while let number = changed.popLast() {
            let index = Int(number)
            processes[index].isNoticeStale = false
            if !isNew { update(index, processes) }
        }
        if isNew { putAllInOrder(processes, queues) }
        return waiting.first?.member
    }

    /// Sorts all processes again, because all may be notified again and the order may be reversed.
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

    /// Records a notice; the next notice follows after the spacing.
    mutating func recordNotice(spacing: SimDuration, at now: SimTime) {
        last = now
        next = now + spacing
    }

    /// Records that all processes have been notified; the search resumes later, unless the level is normal.
    mutating func rest(at now: SimTime) {
        next = level == .normal ? .distantFuture : now + restTime
    }

    /// Whether a process may be notified.
    ///
    /// This reads single fields, because a copy of the whole record would be slow.
    @inline(__always)
    private func mayHear(_ index: Int, _ processes: [ProcessRecord]) -> Bool {
        processes[index].state.executes && processes[index].toldRound != round
            && (isRising || processes[index].told != level)
            && processes[index].band >= lowestBand && processes[index].footprint >= leastFootprint
            && !processes[index].isFrozen
    }

    /// Records that a process is notified of the level; returns whether the notice is a warning.
    ///
    /// An app drops memory after a warning.
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

/// Order of notices: on a rise the lowest band first, otherwise the highest band first; in a band, the largest process.
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
