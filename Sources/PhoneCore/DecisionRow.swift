// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Quantities
import Vocabulary

/// One decision of the scheduler.
public struct DecisionRow: Sendable {
    /// Time of the decision.
    public var time = SimTime.zero
    /// App that submitted the request.
    public var app = AppID.system
    /// Refresh or processing.
    public var kind = RequestKind.refresh
    /// Whether the work started.
    public var proceed = false
    /// Name of the rule that decided.
    public var rule = ""
    /// Score of the decision.
    public var score = 0.0
    /// Threshold that the score must reach.
    public var threshold = 0.0
    /// Latest time at which the scheduler decides again.
    public var reconsider = SimTime.distantFuture
    /// Identifier of the request; an app's identifiers for each kind count from 0.
    public var identifier: UInt8 = 0
    /// When the request was submitted.
    public var submitted = SimTime.zero
    /// Earliest begin of the request.
    public var earliestBegin = SimTime.zero
    /// When the system gives up the request.
    public var deadline = SimTime.distantFuture
    /// Predicted likelihood of an open of the app.
    public var openLikelihood = 0.0
    /// Answers of the scheduler's parts; the table omits answers that let the work proceed with a score of 1.
    public var responses: [PolicyResponse] = []
    /// Changes of the device after which the scheduler decides earlier; used by explanations, not by a column.
    public var wakeOn = ConditionChanges()

    /// Creates an empty row.
    public init() {}
}

extension DecisionRow: TableRow {
    /// One row per scheduler decision.
    public static let table = PhoneTables.table(
        "decisions", "one row per decision of the scheduler", time: "t_s", columns)

    private static let columns: [TableColumn<DecisionRow>] = [
        .time("t_s", "time since the run's first midnight", \.time),
        .app("app", "app that asked", \.app),
        .text("kind", "refresh or processing") { $0.kind.tableName },
        .flag("proceed", "1 when the work started", \.proceed),
        .text("rule", "the rule that decided", \.rule),
        .number("score", "1", "the weighted score", \.score),
        .number("threshold", "1", "threshold for the score", \.threshold),
        .time(
            "reconsider_s",
            "latest time of the next decision; empty if it comes at the next change of conditions", \.reconsider),
        .count("request", "identifier of the request; an app's identifiers for each kind count from 0", \.identifier),
        .time("earliest_begin_s", "earliest begin of the request", \.earliestBegin),
        .time("deadline_s", "time at which the request is given up", \.deadline),
        .number("age_s", "s", "time since the request was submitted") { ($0.time - $0.submitted).seconds },
        .number("open_likelihood", "1", "the predicted likelihood of an open within 30 minutes", \.openLikelihood),
        .text("final_decision", "highest-ranked answer: CP, MNP, MP, AMNP or AMP; empty if the policy has one rule") {
            $0.responses.isEmpty ? "" : JointDecision($0.responses).answer.letters
        },
        .number("sum_scores", "1", "weight times score, summed over the scheduler's parts") {
            JointDecision($0.responses).sumScores
        },
        .number("denominator", "1", "sum of the parts' weights") { JointDecision($0.responses).denominator },
        .text("responses", "answers of the parts with a score other than 1, as in the phone's log") {
            $0.responses.filter { $0.answer != .canProceed || $0.score < 1 }.map(logText).joined(separator: "; ")
        },
    ]

    /// A response in the notation of the log of `dasd`, the scheduler of iOS.
    private static func logText(_ response: PolicyResponse) -> String {
        var text = "{name: \(response.name), policyWeight: \(response.weight), response: {Decision: "
        text += "\(response.answer.words), Score: \(hundredths(response.score))"
        if !response.rationale.isEmpty { text += ", Rationale: [{\(response.rationale)}]" }
        return text + "}}"
    }

    private static func hundredths(_ score: Double) -> String {
        let whole = Int((score * 100).rounded())
        return "\(whole / 100)." + (whole % 100 < 10 ? "0" : "") + "\(whole % 100)"
    }
}

extension TableSet {
    /// One row per scheduler decision.
    public static let decisions = DecisionRow.table.set
}
