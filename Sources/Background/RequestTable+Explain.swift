import Quantities
import Vocabulary

/// A pending request and everything that speaks for and against starting it now.
public struct RequestExplanation: Sendable {
    /// The request; of several the one with the earliest floor.
    public let record: RequestRecord
    /// What each rule of the OS and each part of the policy answers, vetoes in the order in which they are asked.
    public let responses: [PolicyResponse]

    /// What they come to together.
    public var joint: JointDecision { JointDecision(responses) }
}

extension RequestTable {
    /// Says what stands for and against starting an app's request now; nil when none is pending.
    ///
    /// Changes nothing, so that whoever keeps a table of decisions sees the same run as whoever does not.
    public func explain(
        _ app: AppID, _ kind: RequestKind, device: DeviceConditions, openLikelihood: Double,
        isForeground: Bool = false, at now: SimTime
    ) -> RequestExplanation? {
        guard let place = placeAfter(-1, app, kind) else { return nil }
        let record = places[place]
        var conditions = device
        conditions.now = now
        var budgets = budgets
        (conditions.energyBudgetLeft, conditions.cellularBudgetLeft) = budgets.left(for: most(app, kind), at: now)
        var list = rules(of: app, kind, record, conditions, isForeground)
        let vetoed = Set(list.map(\.name))
        list += policy.responses(to: view(record, app, kind, openLikelihood, at: now), conditions).filter {
            $0.answer == .canProceed || !vetoed.contains($0.name)
        }
        return RequestExplanation(record: record, responses: list)
    }

    /// What the OS forbids whatever the policy says, in the order in which `decide` looks at it.
    private func rules(
        of app: AppID, _ kind: RequestKind, _ record: RequestRecord, _ device: DeviceConditions, _ isForeground: Bool
    ) -> [PolicyResponse] {
        let index = Int(app.index)
        var list: [PolicyResponse] = []
        func forbid(
            _ holds: Bool, _ name: String, _ weight: Double, _ rationale: String,
            _ answer: PolicyAnswer = .mustNotProceed
        ) {
            if holds { list.append(.veto(name, weight: weight, rationale, answer: answer)) }
        }
        forbid(
            forceQuitApps[index], "Application Policy", 50, "forceQuit Required 0 Observed 1",
            .absolutelyMustNotProceed)
        forbid(
            awaitsFirstUnlock && device.locked, "File Protection Policy", 1, "firstUnlock Required 1 Observed 0",
            .absolutelyMustNotProceed)
        forbid(
            lanes[index * 2].isRunning || lanes[index * 2 + 1].isRunning, "Application Policy", 50,
            "otherLaunchOfApp Required 0 Observed 1")
        forbid(isForeground, "Application Policy", 50, "appIsForeground Required 0 Observed 1")
        forbid(
            parameters.lowPowerModeStopsWork && device.lowPowerMode, "Low Power Mode Policy", 1, "lowPowerMode == 1")
        forbid(
            kind == .processing && parameters.processingNeedsIdleDevice && device.screenOn, "Device Activity Policy",
            5, "launchType == PROCESSING AND deviceActive == 1")
        forbid(device.now < record.earliestBegin, "Time Policy", 1, "earliestBegin is in the future")
        forbid(
            device.now < lanes[lane(app, kind)].throttledUntil, "Rate Limitation Policy", 1,
            "the last run ended without completion")
        forbid(
            record.requiresPower && !device.pluggedIn, "Charger Plugged In Policy", 1, "pluggedIn Required 1 Observed 0"
        )
        forbid(
            record.requiresNetwork && device.network == .none, "Network Quality Policy", 8.4,
            "path Required 1 Observed 0")
        forbid(
            record.options.needsUnlockedFiles && device.locked, "File Protection Policy", 1,
            "unlocked Required 1 Observed 0")
        return list
    }
}
