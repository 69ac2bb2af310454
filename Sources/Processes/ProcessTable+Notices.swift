import Quantities
import Vocabulary

/// When and of what processes are told (`memorystatus_vm_pressure_monitor_thread`, `kern_memorystatus_notify.c`).
struct NoticeState: Sendable {
    /// The level that processes are told of; it follows a rise at once and a drop when that has lasted.
    var level = PressureLevel.normal
    /// The number of this announcement; every process hears of each once.
    var round: UInt32 = 1
    /// Whether the last change was a rise: then the lowest band hears first, otherwise the highest.
    var isRising = true
    /// When the next process is told or looked for.
    var next = SimTime.distantFuture
    /// When a drop has lasted long enough.
    var drop = SimTime.distantFuture
    /// When everybody is told of the same level again.
    var again = SimTime.distantFuture
    /// When a process was last told.
    var last: SimTime?

    /// When anything of this is due.
    var due: SimTime { min(next, drop) }
}

/// Who is told of memory pressure, in which order and how often.
///
/// Each process that executes, is large enough and stands in a band from 20 on is told once per level: on a rise the
/// lowest band first and in it the largest, on a drop the highest band first. Between two notices 250 ms pass, none
/// when memory is very short; after the last one nobody is looked for during 25 s; after 30 min all are told again.
/// Suspended and frozen processes hear nothing.
extension ProcessTable {
    /// Tells everybody of the present level once more, as if it had lasted for 30 min.
    public mutating func repeatWarning(at now: SimTime) {
        begin(at: now)
        guard notices.level > .normal else { return }
        notices.again = now
        notices.next = now
        passNotices(at: now)
        settle(at: now)
    }

    /// When the next notice or a drop of the announced level is due.
    var nextNotice: SimTime { notices.due }

    /// A change of level: a rise is announced at once, a drop when it has lasted for 5 s.
    mutating func noteLevel(at now: SimTime) {
        if pressure > notices.level {
            notices.drop = .distantFuture
            announce(isRising: true, at: now)
        } else if pressure < notices.level {
            if notices.drop == .distantFuture { notices.drop = now + profile.noticeDropDelay }
        } else {
            notices.drop = .distantFuture
        }
    }

    /// Does what is due.
    mutating func passNotices(at now: SimTime) {
        if notices.drop <= now {
            notices.drop = .distantFuture
            announce(isRising: false, at: now)
        } else if notices.next <= now {
            sendNotices(at: now)
        }
    }

    private mutating func announce(isRising: Bool, at now: SimTime) {
        notices.level = pressure
        notices.isRising = isRising
        notices.round += 1
        if !isRising { reliefs.removeAll(keepingCapacity: true) }
        notices.again = now + profile.noticeRepeat
        notices.next = max(now, notices.last.map { $0 + noticeSpacing } ?? now)
        if notices.next <= now { sendNotices(at: now) }
    }

    /// None when available memory is at or below the middle between the soft and the critical threshold.
    private var noticeSpacing: SimDuration {
        2 * availableBytes <= softBytes + criticalBytes ? .zero : profile.noticeSpacing
    }

    private mutating func sendNotices(at now: SimTime) {
        if notices.again <= now {
            notices.again = now + profile.noticeRepeat
            notices.isRising = true
            notices.round += 1
        }
        while let index = nextToTell() {
            tell(index, at: now)
            notices.last = now
            notices.next = now + noticeSpacing
            if notices.next > now { return }
        }
        notices.next = notices.level == .normal ? .distantFuture : now + profile.noticeRest
    }

    /// Who is told next: of all that have not heard of this level, by band and size.
    private func nextToTell() -> Int? {
        if isGoverned { return nextInQueues() }
        var best: Int?
        for place in executing.indices {
            let index = Int(executing[place])
            guard mayHear(index) else { continue }
            guard let other = best else {
                best = index
                continue
            }
            if isBefore(index, other) { best = index }
        }
        return best
    }

    /// The same with queues: only processes in bands that are told are looked at, and no further than needed.
    private func nextInQueues() -> Int? {
        let top = Int16(BandQueues.bands - 1)
        for step in 0...(top - profile.warnedBand) {
            var process = governance.queues.head(of: notices.isRising ? profile.warnedBand + step : top - step)
            var best: Int?
            while process >= 0 {
                if mayHear(process), best.map({ isBefore(process, $0) }) ?? true { best = process }
                process = governance.queues.next(after: process)
            }
            if let best { return best }
        }
        return nil
    }

    private func mayHear(_ index: Int) -> Bool {
        let record = processes[index]
        return record.state.executes && record.toldRound != notices.round
            && (notices.isRising || record.told != notices.level) && record.band >= profile.warnedBand
            && record.footprint >= profile.warnedFootprint.bytes
            && (!isGoverned || !governance.controls[index].isFrozen)
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        let (left, right) = (processes[one], processes[other])
        if left.band != right.band { return (left.band < right.band) == notices.isRising }
        return left.footprint != right.footprint ? left.footprint > right.footprint : one < other
    }

    /// A process hears of the level; one that hears of pressure drops its share, one that hears of relief does not.
    private mutating func tell(_ index: Int, at now: SimTime) {
        let isWarning = notices.isRising || notices.level > processes[index].told
        processes[index].told = notices.level
        processes[index].toldRound = notices.round
        guard isWarning else {
            reliefs.append(
                PressureWarning(time: now, app: AppID(index), level: notices.level, dropped: .zero))
            return
        }
        let footprint = processes[index].footprint
        let dropped = Int64((Double(footprint) * facts[index].warningDrop).rounded())
        resize(index, to: footprint - dropped)
        totals.warnings += 1
        if recordsCallbacks { note(.didReceiveMemoryWarning, of: index, window: nil, at: now) }
        warnings.append(
            PressureWarning(time: now, app: AppID(index), level: notices.level, dropped: ByteCount(dropped)))
    }
}
