// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Quantities
import Vocabulary

extension RequestRow {
    /// Creates the row of a request that ended; the values of its run are not set.
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

    /// Creates the row of a refused submission, which has no request in the table.
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
    /// Creates the row of a decision, with all arguments for and against the start.
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
