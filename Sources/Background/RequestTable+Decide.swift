// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension RequestTable {
    /// Decides whether one of the app's requests of this kind starts now.
    ///
    /// The phone calls this when a timer from an answer fires and when `popWaiter` returns the app. Rules of the OS are
    /// checked first, then the policy. After `start`, the request counts as running until `finish`.
    public mutating func decide(
        _ app: AppID, _ kind: RequestKind, device: DeviceConditions, openLikelihood: Double,
        isForeground: Bool = false, at now: SimTime
    ) -> RequestAnswer {
        let lane = lane(app, kind)
        waiting.leave(lane)
        if !device.locked { awaitsFirstUnlock = false }
        let answer = answer(app, kind, device, openLikelihood, isForeground, now)
        counts[answer.reason.index] += 1
        var full = false
        if woken == lane, case .policy(.groupLimit) = answer.reason { full = true }
        if full { roundIsOver = true }
        woken = -1
        if answer.action == .wait, answer.wakeOn.rawValue != 0 {
            // Requests that wait for work of their own app come before those that compete for a launch slot.
            var rank = answer.score
            if case .system(.busy) = answer.reason { rank = .infinity }
            waiting.wait(lane, for: answer.wakeOn, rank: rank, atFront: full)
        }
        return answer
    }

    private mutating func answer(
        _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double,
        _ isForeground: Bool, _ now: SimTime
    ) -> RequestAnswer {
        guard giveUp(app, kind, at: now) else {
            return RequestAnswer(.expired, reason: .deadline)
        }
        let pending = lanes[lane(app, kind)].pending
        guard pending > 0 else { return RequestAnswer(.nothing, reason: .nothingPending) }
        let launchRules = kind == .refresh ? rules.refresh : rules.processing
        let launch = Launch(app: app, kind: BackgroundKinds(kind), isForeground: isForeground, time: now)
        if let rule = first(of: launchRules, launch, device) {
            return hold(rule, launch, device, deadline: firstDeadline(app, kind))
        }
        var conditions = device
        conditions.now = now
        (conditions.energyBudgetLeft, conditions.cellularBudgetLeft) = budgets.left(for: most(app, kind), at: now)
        // Row 0 contains the one refresh that an app can have pending.
        guard pending == 1, let slot = kind == .refresh ? Int(app.index) : slotAfter(-1, app, kind) else {
            return considerAll(app, kind, conditions, openLikelihood, now)
        }
        return consider(slot, app, kind, conditions, openLikelihood, now)
    }

    /// Decides about each of an app's requests, until one starts.
    @inline(never)
    private mutating func considerAll(
        _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double, _ now: SimTime
    ) -> RequestAnswer {
        var best = RequestAnswer(.nothing, reason: .nothingPending)
        var last = -1
        while let slot = slotAfter(last, app, kind) {
            last = slot
            let next = consider(slot, app, kind, device, openLikelihood, now)
            if next.action == .start { return next }
            // If several requests wait, the answer is that of the request to be checked next.
            let changes = best.wakeOn.union(next.wakeOn)
            if best.action == .nothing || next.wakeAt < best.wakeAt { best = next }
            best.wakeOn = changes
        }
        return best
    }

    /// The app's next request after `last`, by earliest begin and then by identifier; nil if there is none.
    func slotAfter(_ last: Int, _ app: AppID, _ kind: RequestKind) -> Int? {
        var next: Int?
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            if last >= 0, !isBefore(last, slot) { continue }
            if let best = next, !isBefore(slot, best) { continue }
            next = slot
        }
        return next
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (slots[left], slots[right])
        return left.earliestBegin == right.earliestBegin
            ? left.identifier < right.identifier : left.earliestBegin < right.earliestBegin
    }

    /// Gives up requests past their deadline; returns false if that leaves no request.
    @inline(__always)
    private mutating func giveUp(_ app: AppID, _ kind: RequestKind, at now: SimTime) -> Bool {
        let lane = lane(app, kind)
        guard lanes[lane].pending > 0 else { return true }
        for slot in slotsOf(app, kind) where slots[slot].deadline <= now && !isEmpty(slot) {
            giveUp(slot, app, kind, at: now)
        }
        return lanes[lane].pending > 0
    }

    @inline(never)
    private mutating func giveUp(_ slot: Int, _ app: AppID, _ kind: RequestKind, at now: SimTime) {
        let withdrawn = view(slots[slot], app, kind, 0, at: now)
        policy.didWithdraw(withdrawn, at: now)
        recordUnrun(slot, app, kind, .never, at: now)
        slots[slot] = Self.empty
        lanes[lane(app, kind)].pending -= 1
    }

    /// The answer for a request that a rule of the system holds back.
    private func hold(
        _ rule: SystemRule, _ launch: Launch, _ device: DeviceConditions, deadline: SimTime
    ) -> RequestAnswer {
        let until = min(end(of: rule, launch, device), deadline)
        return RequestAnswer(
            .wait, wakeAt: until, wakeOn: lifting[Int(rule.rawValue)], reason: .system(rule))
    }

    private func firstDeadline(_ app: AppID, _ kind: RequestKind) -> SimTime {
        var first = SimTime.distantFuture
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            first = min(first, slots[slot].deadline)
        }
        return first
    }

    /// Decides about one request: checks its earliest begin and its requirements, and then asks the policy.
    @inline(never)
    private mutating func consider(
        _ slot: Int, _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double,
        _ now: SimTime
    ) -> RequestAnswer {
        let record = slots[slot]
        var launch = Launch(app: app, kind: BackgroundKinds(kind), isForeground: false, time: now)
        launch.slot = slot
        if let rule = first(of: rules.request, launch, device) {
            return hold(rule, launch, device, deadline: record.deadline)
        }
        let decision = policy.decide(view(record, app, kind, openLikelihood, at: now), device)
        if decision.proceed {
            start(slot, app, kind, device)
            var answer = RequestAnswer(
                .start, wakeAt: now, reason: RequestReason(decision), score: decision.score,
                threshold: decision.threshold)
            answer.runtime = decision.runtime
            return answer
        }
        // A policy that returns no later instant is asked again after a second, so that time advances.
        let until = max(decision.reconsider, now + .second)
        return RequestAnswer(
            .wait, wakeAt: min(until, record.deadline), wakeOn: decision.wakeOn, reason: RequestReason(decision),
            score: decision.score, threshold: decision.threshold)
    }

    func view(
        _ record: RequestRecord, _ app: AppID, _ kind: RequestKind, _ openLikelihood: Double, at now: SimTime
    ) -> RequestView {
        let index = Int(app.index)
        let fact = facts[index]
        let isRefresh = kind == .refresh
        let sinceOpened = screen.sinceOpened(app, at: now)
        return RequestView(
            app: app, kind: kind,
            submitted: isRefresh && fact.repeatPeriod > .zero
                ? record.earliestBegin - fact.repeatPeriod : record.submitted,
            earliestBegin: record.earliestBegin, deadline: record.deadline, requiresPower: record.requiresPower,
            requiresNetwork: record.requiresNetwork, lastOpened: lastOpened[index],
            lastRun: lanes[lane(app, kind)].lastRun, openLikelihood: openLikelihood,
            expectedBytes: isRefresh ? fact.refreshBytes : .zero,
            expectedDuration: isRefresh ? fact.refreshDuration : fact.processingDuration,
            screenTimeSinceOpened: sinceOpened.screenTime, screenCyclesSinceOpened: sinceOpened.cycles,
            hardware: isRefresh ? fact.refreshHardware : record.requiresNetwork ? .network : WakeHardware(),
            isExact: isRefresh && fact.refreshIsExact, isExpedited: isRefresh && fact.refreshIsExpedited,
            isUnrestricted: fact.isUnrestricted, nextOpen: nextOpens[index])
    }

    /// Largest amounts that a piece of work can take from the budgets.
    func most(_ app: AppID, _ kind: RequestKind) -> BudgetShare {
        kind == .refresh
            ? BudgetShare(units: 1, bytes: Double(facts[Int(app.index)].refreshBytes.bytes))
            : BudgetShare(units: parameters.processingLimit / .minute)
    }

    mutating func start(_ slot: Int, _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions) {
        let index = lane(app, kind)
        let now = device.now
        var work = most(app, kind)
        if device.pluggedIn { work.units = 0 }
        if device.network != .cellular { work.bytes = 0 }
        lanes[index].reserved = budgets.reserve(work, at: now)
        lanes[index].running = slots[slot]
        lanes[index].running.started = now
        lanes[index].isRunning = true
        lanes[index].lastRun = now
        lanes[index].pending -= 1
        slots[slot] = Self.empty
    }

    /// Whether one of the app's requests waits until running work of any app ends.
    public func waitsForWork(_ app: AppID) -> Bool {
        waiting.changes(of: lane(app, .refresh)).union(waiting.changes(of: lane(app, .processing)))
            .contains(.launchEnded)
    }

    /// The next request to check because of these changes, in order of arrival; nil if there is none left.
    ///
    /// When work ends, the request with the highest last score comes first. Call this until it returns nil, and call
    /// `decide` for each result. A request that waits again for the same change is not returned again in this round.
    /// When work ends, the round is over as soon as the policy does not start a request.
    public mutating func popWaiter(_ changes: ConditionChanges) -> (app: AppID, kind: RequestKind)? {
        if changes.contains(.unlocked) { awaitsFirstUnlock = false }
        if roundIsOver {
            roundIsOver = false
            if changes == .launchEnded {
                waiting.endRound(changes)
                return nil
            }
        }
        guard let waiter = waiting.pop(changes) else {
            woken = -1
            return nil
        }
        woken = waiter
        return (AppID(waiter / 2), waiter % 2 == 0 ? .refresh : .processing)
    }
}
