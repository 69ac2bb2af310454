// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Run time of each app within the last 24 hours, to the nanosecond.
///
/// The runs of all apps are in one pool, as one list per app from the oldest to the newest run. A run leaves its list a
/// day after its end.
struct DayLedger: Sendable {
    private struct Run: BitwiseCopyable {
        var start: SimTime
        var end: SimTime
        /// The next run of the same app, or the next free one; -1 at the end.
        var next: Int32 = -1
    }

    /// Runs of an app.
    private struct Account: BitwiseCopyable {
        var first: Int32 = -1
        var last: Int32 = -1
        var sum = SimDuration.zero
    }

    private var pool: [Run] = []
    private var free: Int32 = -1
    private var accounts: [Account] = []

    /// Adds a run of an app.
    mutating func record(_ app: AppID, from start: SimTime, to end: SimTime) {
        let index = Int(app.index)
        if index >= accounts.count {
            let count = max(index + 1, accounts.count * 2)
            accounts.append(contentsOf: repeatElement(Account(), count: count - accounts.count))
        }
        forget(index, before: end)
        let slot = takeSlot(Run(start: start, end: end))
        if accounts[index].last >= 0 {
            pool[Int(accounts[index].last)].next = slot
        } else {
            accounts[index].first = slot
        }
        accounts[index].last = slot
        accounts[index].sum += end - start
    }

    /// Run time of an app in the day before now.
    func used(_ app: AppID, at now: SimTime) -> SimDuration {
        guard Int(app.index) < accounts.count else { return .zero }
        let from = now - .day
        var used = accounts[Int(app.index)].sum
        var slot = accounts[Int(app.index)].first
        while slot >= 0, pool[Int(slot)].start < from {
            used = used - (min(pool[Int(slot)].end, from) - pool[Int(slot)].start)
            slot = pool[Int(slot)].next
        }
        return used
    }

    /// When an app's run time in the last day falls to a limit; now if it is not above the limit.
    func instant(ofUsing limit: SimDuration, _ app: AppID, at now: SimTime) -> SimTime {
        var over = used(app, at: now) - limit
        guard over > .zero else { return now }
        let from = now - .day
        var slot = accounts[Int(app.index)].first
        while slot >= 0 {
            let run = pool[Int(slot)]
            let counted = max(run.start, from)
            if run.end > counted {
                if run.end - counted >= over { return counted + over + .day }
                over = over - (run.end - counted)
            }
            slot = run.next
        }
        return now
    }

    private mutating func forget(_ index: Int, before now: SimTime) {
        while accounts[index].first >= 0 {
            let slot = accounts[index].first
            let run = pool[Int(slot)]
            guard run.end + .day <= now else { return }
            accounts[index].sum = accounts[index].sum - (run.end - run.start)
            accounts[index].first = run.next
            if run.next < 0 { accounts[index].last = -1 }
            pool[Int(slot)].next = free
            free = slot
        }
    }

    private mutating func takeSlot(_ run: Run) -> Int32 {
        guard free >= 0 else {
            pool.append(run)
            return Int32(pool.count - 1)
        }
        let slot = free
        free = pool[Int(slot)].next
        pool[Int(slot)] = run
        return slot
    }
}

/// Number of jobs of an app that began within a minute.
///
/// The minute starts with the first of these jobs, not with each (QuotaController,
/// `jobRateLimitExpirationTimeElapsed`).
struct StartRate: Sendable {
    /// Jobs that may begin in a minute (`MAX_JOB_COUNT_PER_RATE_LIMITING_WINDOW`).
    ///
    /// AOSP has an equal limit for sessions. This limit needs no check, because each session has at least one job.
    static let most: Int32 = 20

    private struct Minute: BitwiseCopyable {
        var end = SimTime(nanoseconds: .min)
        var jobs: Int32 = 0
    }

    private var minutes: [Minute] = []

    /// Counts a job that begins.
    mutating func begin(_ app: AppID, at now: SimTime) {
        let index = Int(app.index)
        if index >= minutes.count {
            let count = max(index + 1, minutes.count * 2)
            minutes.append(contentsOf: repeatElement(Minute(), count: count - minutes.count))
        }
        if minutes[index].end <= now { minutes[index] = Minute(end: now + .minute) }
        minutes[index].jobs += 1
    }

    /// When the next job of an app may begin; now if it may begin at once.
    func nextAllowed(_ app: AppID, at now: SimTime) -> SimTime {
        guard Int(app.index) < minutes.count, minutes[Int(app.index)].jobs >= Self.most else { return now }
        return max(now, minutes[Int(app.index)].end)
    }
}
