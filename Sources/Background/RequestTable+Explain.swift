// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A pending request, and all arguments for and against starting it now.
public struct RequestExplanation: Sendable {
    /// The request; if there are several, the one with the earliest begin.
    public let record: RequestRecord
    /// Responses of each rule of the OS that applies, in the order of checking, and of each part of the policy.
    public let responses: [PolicyResponse]

    /// The joint decision of all responses.
    public var joint: JointDecision { JointDecision(responses) }
}

extension RequestTable {
    /// Lists the arguments for and against starting an app's request now; nil if none is pending.
    ///
    /// The call changes no state, so a run with a table of decisions equals a run without it.
    public func explain(
        _ app: AppID, _ kind: RequestKind, device: DeviceConditions, openLikelihood: Double,
        isForeground: Bool = false, at now: SimTime
    ) -> RequestExplanation? {
        guard let slot = slotAfter(-1, app, kind) else { return nil }
        let record = slots[slot]
        var conditions = device
        conditions.now = now
        var budgets = budgets
        (conditions.energyBudgetLeft, conditions.cellularBudgetLeft) = budgets.left(for: most(app, kind), at: now)
        let launchRules = kind == .refresh ? rules.refresh : rules.processing
        var launch = Launch(app: app, kind: BackgroundKinds(kind), isForeground: isForeground, time: now)
        launch.slot = slot
        var list = all(of: launchRules.union(rules.request), launch, conditions).map(PolicyResponse.init)
        let vetoed = Set(list.map(\.name))
        list += policy.responses(to: view(record, app, kind, openLikelihood, at: now), conditions).filter {
            $0.answer == .canProceed || !vetoed.contains($0.name)
        }
        return RequestExplanation(record: record, responses: list)
    }
}

extension PolicyResponse {
    /// Creates the response that dasd would log for a rule of the system that applies.
    init(_ rule: SystemRule) {
        let facts = rule.facts
        self = .veto(
            facts.logName, weight: facts.weight, facts.rationale, answer: facts.answer, sentence: facts.text.sentence)
    }
}
