// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Recent runs of each app, in sessions: jobs less than 5 s apart count as one (AOSP QuotaController).
///
/// The last sessions of each app are in one flat array, as many as any bucket allows in its window and one that runs
/// beside them.
struct QuotaLedger: Sendable {
    private struct Session: BitwiseCopyable {
        var end = SimTime(nanoseconds: .min / 2)
        var run = SimDuration.zero
        var jobs: Int32 = 0
    }

    private static let depth = 1 + (StandbyBucket.allCases.map(\.quota.sessions).max() ?? 0)
    /// Time of quota that must be free before an app that used all of it may run again.
    private static let reentry = SimDuration.seconds(30)
    private static let sessionGap = SimDuration.seconds(5)
    private var sessions: [Session] = []
    private var newest: [UInt8] = []

    /// Adds a job that ran without a charger.
    mutating func record(_ app: AppID, from start: SimTime, to end: SimTime) {
        grow(to: app)
        let index = Int(app.index)
        var slot = index * Self.depth + Int(newest[index])
        if start - sessions[slot].end > Self.sessionGap {
            newest[index] = (newest[index] + 1) % UInt8(Self.depth)
            slot = index * Self.depth + Int(newest[index])
            sessions[slot] = Session()
        }
        sessions[slot].end = end
        sessions[slot].run += end - start
        sessions[slot].jobs += 1
    }

    /// When the app is within its quota again; now if it already is.
    func nextAllowed(_ app: AppID, _ quota: StandbyBucket.Quota, at now: SimTime) -> SimTime {
        let index = Int(app.index)
        guard index < newest.count else { return now }
        var allowed = now
        var (run, jobs, count) = (SimDuration.zero, 0, 0)
        // The loop goes back from the newest session. The session that reaches a limit must leave the window.
        for back in 0..<Self.depth {
            let session = self[index, back]
            guard session.jobs > 0, session.end + quota.window > now else { break }
            run += session.run
            jobs += Int(session.jobs)
            count += 1
            if run >= quota.runTime {
                // Enough of this session must leave to free the time for re-entry.
                let over = min(session.run, run - quota.runTime + Self.reentry)
                return max(allowed, session.end - session.run + over + quota.window)
            }
            if jobs >= quota.jobs || count >= quota.sessions { allowed = max(allowed, session.end + quota.window) }
            if allowed > now { return allowed }
        }
        return allowed
    }

    /// Run time of an app within the window of a quota.
    func used(_ app: AppID, _ quota: StandbyBucket.Quota, at now: SimTime) -> SimDuration {
        let index = Int(app.index)
        guard index < newest.count else { return .zero }
        var run = SimDuration.zero
        for back in 0..<Self.depth {
            let session = self[index, back]
            guard session.jobs > 0, session.end + quota.window > now else { break }
            run += min(session.run, session.end + quota.window - now)
        }
        return run
    }

    /// The newest session of the app with this index, or one of those before it.
    private subscript(index: Int, back: Int) -> Session {
        sessions[index * Self.depth + (Int(newest[index]) + Self.depth - back) % Self.depth]
    }

    private mutating func grow(to app: AppID) {
        let index = Int(app.index)
        guard index >= newest.count else { return }
        let count = max(index + 1, newest.count * 2)
        newest.append(contentsOf: repeatElement(0, count: count - newest.count))
        sessions.append(contentsOf: repeatElement(Session(), count: count * Self.depth - sessions.count))
    }
}
