// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension RequestTable {
    /// Ends running work: charges the budgets, notifies the policy, and returns the request's record.
    ///
    /// `leftOpen` states that the app did not report completion although its expiration handler was called. If
    /// `leftOpen` is nil, only work that reached its limit counts as not completed.
    @discardableResult
    public mutating func finish(
        _ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, foundNewContent: Bool = false,
        cellularBytes: ByteCount = .zero, pluggedIn: Bool = false, leftOpen: Bool? = nil, at now: SimTime
    ) -> RequestRecord {
        let index = lane(app, kind)
        guard lanes[index].isRunning else { return Self.empty }
        let record = lanes[index].running
        lanes[index].isRunning = false
        outcomes[Int(outcome.rawValue)] += 1
        let units = kind == .refresh ? 1 : (now - record.started).seconds / 60
        let used = BudgetShare(units: pluggedIn ? 0 : units, bytes: Double(cellularBytes.bytes))
        budgets.reconcile(lanes[index].reserved, used: used, at: now)
        lanes[index].reserved = BudgetShare()
        let ranIntoLimit = outcome == .expired && now - record.started >= runtimeLimit(of: kind)
        throttle(index, outcome, leftOpen: leftOpen ?? ranIntoLimit, at: now)
        let finished = view(record, app, kind, 0, at: now)
        policy.didFinish(finished, foundNewContent: foundNewContent, at: now)
        return record
    }

    /// Delays the next work after work that did not report completion by its expiration.
    ///
    /// The delay doubles with each further such run in a row.
    private mutating func throttle(_ lane: Int, _ outcome: RequestOutcome, leftOpen: Bool, at now: SimTime) {
        if outcome == .success { lanes[lane].misses = 0 }
        guard leftOpen, parameters.throttle > .zero else { return }
        let doublings = Int(min(lanes[lane].misses, 20))
        lanes[lane].misses = UInt8(doublings + 1)
        // The factor is limited before the multiplication, which would otherwise overflow for a throttle of hours.
        let most = parameters.longestThrottle / parameters.throttle
        lanes[lane].throttledUntil = now + parameters.throttle * min(Double(1 << doublings), most)
    }

    /// Records that the user opened the app, so that it may be launched in the background again.
    public mutating func noteOpened(_ app: AppID, at now: SimTime) {
        lastOpened[Int(app.index)] = now
        forceQuitApps[Int(app.index)] = false
        screen.recordOpen(app, at: now)
    }

    /// Records that the screen went on or off.
    public mutating func noteScreen(on: Bool, at now: SimTime) { screen.turned(on: on, at: now) }

    /// Android's standby bucket of an app, from the time since its last use.
    public func standbyBucket(of app: AppID, at now: SimTime) -> StandbyBucket {
        StandbyBucket(
            screenTime: screen.sinceOpened(app, at: now).screenTime, wall: now - lastOpened[Int(app.index)])
    }

    /// Sets the time at which the user next opens the app; only oracles read it.
    public mutating func setNextOpen(of app: AppID, to time: SimTime) { nextOpens[Int(app.index)] = time }

    /// Records that the user swiped the app away.
    ///
    /// The app's pending requests are dropped, and the app is not launched until its next open. Nothing is lost,
    /// because the app submits a new request at its next open.
    public mutating func forceQuit(_ app: AppID, at now: SimTime) {
        forceQuitApps[Int(app.index)] = true
        withdraw(app, .refresh, at: now)
        withdraw(app, .processing, at: now)
    }

    private mutating func withdraw(_ app: AppID, _ kind: RequestKind, at now: SimTime) {
        let index = lane(app, kind)
        waiting.leave(index)
        guard lanes[index].pending > 0 else { return }
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            let withdrawn = view(slots[slot], app, kind, 0, at: now)
            policy.didWithdraw(withdrawn, at: now)
            recordUnrun(slot, app, kind, .cancelled, at: now)
            slots[slot] = Self.empty
        }
        lanes[index].pending = 0
    }

    /// Keeps pending requests after a start of the phone; they wait for the first unlock.
    public mutating func answerAfterBoot(_ app: AppID, _ kind: RequestKind, at now: SimTime) -> RequestAnswer {
        awaitsFirstUnlock = true
        let index = lane(app, kind)
        guard lanes[index].pending > 0 else { return RequestAnswer(.nothing, reason: .nothingPending) }
        counts[RequestReason.system(.firstUnlock).index] += 1
        waiting.wait(index, for: .unlocked)
        return RequestAnswer(.wait, reason: .system(.firstUnlock))
    }
}
