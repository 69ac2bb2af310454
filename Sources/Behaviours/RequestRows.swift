// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Quantities
import Vocabulary

extension RequestRow {
    /// The row of a request as it ended; what only a run can tell is left out.
    init(_ request: RequestRecord, _ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, ended: SimTime) {
        self.init()
        self.app = app
        work = BackgroundWork(kind)
        self.outcome = outcome.name
        self.ended = ended
        identifier = request.identifier
        submitted = request.submitted
        earliestBegin = request.earliestBegin
        started = request.started
        requiresPower = request.requiresPower
        requiresNetwork = request.requiresNetwork
    }

    /// A submission was refused: a row of its own, since no request came of it.
    init(refused reason: RequestReason, _ app: AppID, _ kind: RequestKind, at now: SimTime) {
        self.init()
        self.app = app
        work = BackgroundWork(kind)
        submitted = now
        earliestBegin = now
        ended = now
        outcome = "refused"
        error = reason.error?.rawValue ?? ""
    }
}

extension DecisionRow {
    /// What was decided, and everything that spoke for and against it.
    init(
        _ answer: RequestAnswer, _ app: AppID, _ kind: RequestKind, _ explained: RequestExplanation,
        _ likelihood: Double, of requests: RequestTable, at now: SimTime
    ) {
        self.init()
        time = now
        self.app = app
        self.kind = kind
        proceed = answer.action == .start
        rule = requests.name(of: answer.reason)
        score = answer.score
        threshold = answer.threshold
        reconsider = answer.wakeAt
        identifier = explained.record.identifier
        submitted = explained.record.submitted
        earliestBegin = explained.record.earliestBegin
        deadline = explained.record.deadline
        openLikelihood = likelihood
        responses = explained.responses
        wakeOn = requests.waitsFor(app, kind)
    }
}
