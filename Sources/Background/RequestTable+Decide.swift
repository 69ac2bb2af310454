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
        counts[answer.answer.reason.code] += 1
        let full = woken == lane && answer.answer.reason == .policy(.groupLimit)
        if full { roundIsOver = true }
        woken = -1
        if answer.answer.action == .wait, answer.wakeOn.rawValue != 0 {
            // Who waits for work of its own app to end needs no place and is asked before those who compete for one.
            let rank = answer.answer.reason == .busy ? .infinity : answer.answer.score
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
        if let veto = veto(app, kind, device, isForeground, now) { return veto }
        var conditions = device
        conditions.now = now
        (conditions.energyBudgetLeft, conditions.cellularBudgetLeft) = budgets.left(for: most(app, kind), at: now)
        var best: Answer = (RequestAnswer(.nothing, reason: .nothingPending), [])
        var last = -1
        while let place = placeAfter(last, app, kind) {
            last = place
            let next = consider(place, app, kind, conditions, openLikelihood, now)
            if next.answer.action == .start { return next }
            // Of several that wait, the first to be asked again stands for all.
            if best.answer.action == .nothing || next.answer.wakeAt < best.answer.wakeAt { best.answer = next.answer }
            best.wakeOn.formUnion(next.wakeOn)
        }
        return best
    }

    /// The app's requests one after the other, the earliest floor first; identifiers break ties.
    func placeAfter(_ last: Int, _ app: AppID, _ kind: RequestKind) -> Int? {
        if lanes[lane(app, kind)].pending == 1, last >= 0 { return nil }
        var next: Int?
        for place in placesOf(app, kind) where !isEmpty(place) {
            if last >= 0, !isBefore(last, place) { continue }
            if let best = next, !isBefore(place, best) { continue }
            next = place
        }
        return next
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (places[left], places[right])
        return left.earliestBegin == right.earliestBegin
            ? left.identifier < right.identifier : left.earliestBegin < right.earliestBegin
    }

    /// Gives up requests past their deadline; false when the last one was among them.
    private mutating func giveUp(_ app: AppID, _ kind: RequestKind, at now: SimTime) -> Bool {
        let lane = lane(app, kind)
        let before = lanes[lane].pending
        guard before > 0 else { return true }
        for place in placesOf(app, kind) where !isEmpty(place) && places[place].deadline <= now {
            policy.didWithdraw(view(places[place], app, kind, 0, at: now), at: now)
            noteUnrun(place, app, kind, .never, at: now)
            places[place] = Self.empty
            lanes[lane].pending -= 1
        }
        return lanes[lane].pending > 0
    }

    /// What stands in the way of every request of the app, whatever it asked for.
    private func veto(
        _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ isForeground: Bool, _ now: SimTime
    ) -> Answer? {
        let index = Int(app.index)
        let deadline = firstDeadline(app, kind)
        func wait(_ reason: RequestReason, _ wakeOn: ConditionChanges, until: SimTime = .distantFuture) -> Answer {
            (RequestAnswer(.wait, wakeAt: min(until, deadline), reason: reason), wakeOn)
        }
        if forceQuitApps[index] { return wait(.forceQuit, []) }
        if awaitsFirstUnlock { return wait(.firstUnlock, .unlocked) }
        if lanes[index * 2].isRunning || lanes[index * 2 + 1].isRunning { return wait(.busy, .launchEnded) }
        if isForeground { return wait(.foreground, .locked, until: now + parameters.foregroundRecheck) }
        if parameters.lowPowerModeStopsWork, device.lowPowerMode { return wait(.lowPowerMode, .lowPowerModeEnded) }
        if device.thermalLevel >= BackgroundParameters.stoppingThermalLevel { return wait(.policy(.thermal), .cooled) }
        if kind == .processing, parameters.processingNeedsIdleDevice, device.screenOn {
            return wait(.deviceInUse, .locked)
        }
        return nil
    }

    private func firstDeadline(_ app: AppID, _ kind: RequestKind) -> SimTime {
        var first = SimTime.distantFuture
        for place in placesOf(app, kind) where !isEmpty(place) {
            first = min(first, places[place].deadline)
        }
        return first
    }

    /// One request: its floor, what it asked for, and then the policy.
    private mutating func consider(
        _ place: Int, _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions, _ openLikelihood: Double,
        _ now: SimTime
    ) -> Answer {
        let record = places[place]
        func wait(_ reason: RequestReason, until: SimTime, _ wakeOn: ConditionChanges) -> Answer {
            (RequestAnswer(.wait, wakeAt: min(until, record.deadline), reason: reason), wakeOn)
        }
        if now < record.earliestBegin { return wait(.earliestBegin, until: record.earliestBegin, []) }
        let throttled = lanes[lane(app, kind)].throttledUntil
        if now < throttled { return wait(.throttled, until: throttled, []) }
        if record.requiresPower, !device.pluggedIn {
            return wait(.requiresPower, until: .distantFuture, .pluggedIn)
        }
        if record.requiresNetwork, device.network == .none {
            return wait(.requiresNetwork, until: .distantFuture, .networkAppeared)
        }
        if record.options.needsUnlockedFiles, device.locked {
            return wait(.protectedFiles, until: .distantFuture, .unlocked)
        }
        let decision = policy.decide(view(record, app, kind, openLikelihood, at: now), device)
        if decision.proceed {
            start(place, app, kind, device)
            let answer = RequestAnswer(
                .start, wakeAt: now, reason: .policy(decision.rule), score: decision.score,
                threshold: decision.threshold)
            return (answer, [])
        }
        // A policy that names no later instant is asked again a second later at the soonest: time must move on.
        let until = max(decision.reconsider, now + .second)
        let answer = RequestAnswer(
            .wait, wakeAt: min(until, record.deadline), reason: .policy(decision.rule), score: decision.score,
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
        return view
    }

    /// The most that a piece of work can take off the budgets.
    func most(_ app: AppID, _ kind: RequestKind) -> BudgetShare {
        kind == .refresh
            ? BudgetShare(units: 1, bytes: Double(facts[Int(app.index)].refreshBytes.bytes))
            : BudgetShare(units: parameters.processingLimit / .minute)
    }

    mutating func start(_ place: Int, _ app: AppID, _ kind: RequestKind, _ device: DeviceConditions) {
        let index = lane(app, kind)
        let now = device.now
        var work = most(app, kind)
        if device.pluggedIn { work.units = 0 }
        if device.network != .cellular { work.bytes = 0 }
        lanes[index].reserved = budgets.reserve(work, at: now)
        lanes[index].running = places[place]
        lanes[index].running.started = now
        lanes[index].isRunning = true
        lanes[index].lastRun = now
        lanes[index].pending -= 1
        places[place] = Self.empty
    }

    /// The next request to be looked at because of these changes, first come, first woken; nil when there is no more.
    ///
    /// A place of running work that becomes free goes to the highest score that its policy gave while it waited.
    /// Call it until it says nil, and `decide` for each it names. Whoever waits for the same change again is not named
    /// again in this round. When places of running work become free, the round ends as soon as they are taken.
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
