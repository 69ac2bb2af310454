// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension RequestTable {
    /// Asks whether one of the app's requests of this kind starts now.
    ///
    /// The phone asks when a timer it was given fires and when `popWaiter` names the app. What the OS forbids comes
    /// first, then the policy. On `start` the request counts as running until `finish`.
    public mutating func decide(
        _ app: AppID, _ kind: RequestKind, device: DeviceConditions, openLikelihood: Double,
        isForeground: Bool = false, at now: SimTime
    ) -> RequestAnswer {
        let lane = lane(app, kind)
        waiting.leave(lane)
        if !device.locked { awaitsFirstUnlock = false }
        let answer = answer(app, kind, device, openLikelihood, isForeground, now)
        counts[answer.answer.reason.index] += 1
        let full = woken == lane && answer.answer.reason == .policy(.groupLimit)
        if full { roundIsOver = true }
        woken = -1
        if answer.answer.action == .wait, answer.wakeOn.rawValue != 0 {
            // Who waits for work of its own app to end is asked before those who compete for room to run.
            let rank = answer.answer.reason == .system(.busy) ? .infinity : answer.answer.score
            waiting.wait(lane, for: answer.wakeOn, rank: rank, atFront: full)
        }
        return answer.answer
    }

    private typealias Answer = (answer: RequestAnswer, wakeOn: ConditionChanges)

    private mutating func answer(
        _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double,
        _ isForeground: Bool, _ now: SimTime
    ) -> Answer {
        guard giveUp(app, kind, at: now) else {
            return (RequestAnswer(.expired, reason: .deadline), [])
        }
        let index = lane(app, kind)
        guard lanes[index].pending > 0 else { return (RequestAnswer(.nothing, reason: .nothingPending), []) }
        let launchRules = kind == .refresh ? rules.refresh : rules.processing
        let launch = Launch(app: app, kind: BackgroundKinds(kind), isForeground: isForeground, time: now)
        if let rule = first(of: launchRules, launch, device) {
            return hold(rule, launch, device, deadline: firstDeadline(app, kind))
        }
        var conditions = device
        conditions.now = now
        (conditions.energyBudgetLeft, conditions.cellularBudgetLeft) = budgets.left(for: most(app, kind), at: now)
        let isOnly = lanes[index].pending == 1
        var best: Answer = (RequestAnswer(.nothing, reason: .nothingPending), [])
        var last = -1
        while let slot = slotAfter(last, app, kind) {
            last = slot
            let next = consider(slot, app, kind, conditions, openLikelihood, now)
            if isOnly || next.answer.action == .start { return next }
            // Of several that wait, the first to be asked again stands for all.
            if best.answer.action == .nothing || next.answer.wakeAt < best.answer.wakeAt { best.answer = next.answer }
            best.wakeOn.formUnion(next.wakeOn)
        }
        return best
    }

    /// The app's requests one after the other, the earliest begin first; identifiers break ties.
    func slotAfter(_ last: Int, _ app: AppID, _ kind: RequestKind) -> Int? {
        if lanes[lane(app, kind)].pending == 1, last >= 0 { return nil }
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

    /// Gives up requests past their deadline; false when the last one was among them.
    private mutating func giveUp(_ app: AppID, _ kind: RequestKind, at now: SimTime) -> Bool {
        let lane = lane(app, kind)
        let before = lanes[lane].pending
        guard before > 0 else { return true }
        for slot in slotsOf(app, kind) where !isEmpty(slot) && slots[slot].deadline <= now {
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

    /// A rule of the system holds a request back.
    private func hold(
        _ rule: SystemRule, _ launch: Launch, _ device: DeviceConditions, deadline: SimTime
    ) -> Answer {
        let until = min(end(of: rule, launch, device), deadline)
        return (RequestAnswer(.wait, wakeAt: until, reason: .system(rule)), lifting[Int(rule.rawValue)])
    }

    private func firstDeadline(_ app: AppID, _ kind: RequestKind) -> SimTime {
        var first = SimTime.distantFuture
        for slot in slotsOf(app, kind) where !isEmpty(slot) {
            first = min(first, slots[slot].deadline)
        }
        return first
    }

    /// One request: its earliest begin, what it asked for, and then the policy.
    private mutating func consider(
        _ slot: Int, _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double,
        _ now: SimTime
    ) -> Answer {
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
            return (answer, [])
        }
        // A policy that names no later instant is asked again a second later at the soonest: time must move on.
        let until = max(decision.reconsider, now + .second)
        let answer = RequestAnswer(
            .wait, wakeAt: min(until, record.deadline), reason: RequestReason(decision), score: decision.score,
            threshold: decision.threshold)
        return (answer, decision.wakeOn)
    }

    func view(
        _ record: RequestRecord, _ app: AppID, _ kind: RequestKind, _ openLikelihood: Double, at now: SimTime
    ) -> RequestView {
        let fact = facts[Int(app.index)]
        var view = RequestView(
            app: app, kind: kind, submitted: record.submitted, earliestBegin: record.earliestBegin,
            deadline: record.deadline, requiresPower: record.requiresPower, requiresNetwork: record.requiresNetwork,
            lastOpened: lastOpened[Int(app.index)], lastRun: lanes[lane(app, kind)].lastRun,
            openLikelihood: openLikelihood, expectedBytes: kind == .refresh ? fact.refreshBytes : .zero,
            expectedDuration: kind == .refresh ? fact.refreshDuration : fact.processingDuration)
        (view.screenTimeSinceOpened, view.screenCyclesSinceOpened) = screen.sinceOpened(app, at: now)
        view.nextOpen = nextOpens[Int(app.index)]
        if kind == .refresh {
            view.hardware = fact.refreshHardware
            (view.isExact, view.isExpedited) = (fact.refreshIsExact, fact.refreshIsExpedited)
            if fact.repeatPeriod > .zero { view.submitted = record.earliestBegin - fact.repeatPeriod }
        } else if record.requiresNetwork {
            view.hardware = .network
        }
        return view
    }

    /// The most that a piece of work can take off the budgets.
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

    /// Whether a request of an app waits for work to end, its own or that of others.
    public func waitsForWork(_ app: AppID) -> Bool {
        waiting.changes(of: lane(app, .refresh)).union(waiting.changes(of: lane(app, .processing)))
            .contains(.launchEnded)
    }

    /// The next request to be looked at because of these changes, first come, first woken; nil when there is no more.
    ///
    /// When work ends, the highest score that its policy gave while it waited is asked first.
    /// Call it until it says nil, and `decide` for each it names. Whoever waits for the same change again is not named
    /// again in this round. When work ends, the round is over as soon as the policy starts no more.
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
