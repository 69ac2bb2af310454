import Quantities
import Structures
import Vocabulary

/// What the table does by the clock: ageing, the reaper, sustained pressure, the freezer, notices.
extension ProcessTable {
    /// When anything is due by the clock, `distantFuture` for nothing: call `age(at:)` then.
    ///
    /// Apps become idle and hear of pressure; with traits in the table much more may be due.
    public var nextAging: SimTime {
        var next = min(nextAppAging, notices.due, pressureWatch.nextKill)
        if let index = bands.first(.daemon) { next = min(next, controls[index].deadline) }
        if let index = bands.first(.stuck) { next = min(next, controls[index].deadline) }
        if profile.reaperShare != nil { next = min(next, nextReap) }
        if profile.freezer != nil { next = min(next, nextFreeze) }
        return max(next, clock)
    }

    private var nextAppAging: SimTime {
        guard let index = bands.first(.app) else { return .distantFuture }
        return processes[index].bandSet + profile.agingDelay
    }

    /// Apps whose ageing is over are idle.
    mutating func endAppAging(at now: SimTime) {
        while let index = bands.first(.app), nextAppAging <= now {
            bands.endAging(index)
            setBand(index, profile.idleBand, at: now)
        }
    }

    /// Moves daemons out of their ageing band from the head; one whose time is not over holds up those behind it.
    ///
    /// A daemon with an importance assertion goes to the stuck band, where there is one; it gets another delay where
    /// there is none, and so does a dirty one.
    mutating func endDaemonAging(at now: SimTime) {
        while let index = bands.first(.daemon), controls[index].deadline <= now {
            let hasImportance = controls[index].hasImportance
            if processes[index].isDirty || (hasImportance && profile.stuckAgingBand == nil) {
                beginDaemonAging(index, at: now)
            } else if hasImportance, let stuck = profile.stuckAgingBand {
                move(index, to: stuck, at: now)
                controls[index].deadline = now + profile.stuckDelay
                bands.beginAging(index, .stuck)
            } else {
                move(index, to: profile.idleBand, at: now)
            }
        }
    }

    mutating func endStuck(at now: SimTime) {
        while let index = bands.first(.stuck), controls[index].deadline <= now {
            move(index, to: profile.idleBand, at: now)
        }
    }

    /// A clean daemon waits for its relaunch record's delay.
    mutating func beginDaemonAging(_ index: Int, at now: SimTime) {
        let delay =
            switch processes[index].relaunch {
            case .unknown, .low: profile.daemonAging[0]
            case .medium: profile.daemonAging[1]
            case .high: profile.daemonAging[2]
            }
        controls[index].deadline = now + delay
        bands.beginAging(index, .daemon)
    }

    /// One idle process dies for a level that has stayed above normal for too long, from the head of band 0.
    mutating func killForSustainedPressure(at now: SimTime) {
        guard pressureWatch.nextKill <= now else { return }
        updateRanks(at: now)
        guard !isUnbounded, !ranking.policyTriggers, pressureWatch.mayKill(idle: ranking.idle.count),
            let victim = ranking.idle.first
        else { return pressureWatch.disarmTimer() }
        pressureWatch.recordKill(at: now)
        kill(victim.member, rank: victim.key.rank, .sustainedPressure, idleOnly: true, at: now)
    }
}
