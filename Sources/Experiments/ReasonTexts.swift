// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Vocabulary

/// State of a request while no rule delays it.
///
/// A story contains these states and the names of rules.
public enum StoryState: String, Sendable, CaseIterable {
    /// No request is pending.
    case noRequest = "no-request"
    /// The last submission was refused, and no reason was recorded.
    case refused
    /// The scheduler has not decided about the request yet.
    case notAsked = "not-asked"
    /// The work of the request is running.
    case running

    /// Description of the state.
    public var sentence: String {
        switch self {
        case .noRequest: "no request was pending: the app had made no first or next request, or its request was dropped"
        case .refused: "the system refused it, and no reason was recorded"
        case .notAsked: "the scheduler did not decide: the phone was off, or it was not time yet"
        case .running: "it ran"
        }
    }
}

/// Sentences for all reasons in the stories of a run, by their names in its tables.
public struct ReasonTexts: Sendable {
    private var sentences: [String: String] = [:]

    /// Creates the texts of a run, including the rules that its scheduling policy declares.
    public init(ownRules: [RuleText]) {
        for state in StoryState.allCases { sentences[state.rawValue] = state.sentence }
        for reason in RequestReason.all {
            let text = reason.text()
            sentences[text.name] = text.sentence
        }
        for rule in ownRules { sentences[rule.name] = rule.sentence }
    }

    /// Sentence for the reason with this name; nil if the name is unknown.
    public subscript(name: String) -> String? { sentences[name] }

    /// Clause about the outcome of work that never started or did not finish.
    ///
    /// The result is nil for a success, and for a refusal, which has its own reason.
    public static func sentence(ofOutcome outcome: String) -> String? {
        switch RequestOutcome.allCases.first(where: { $0.name == outcome }) {
        case .expired: "its time was up, or the user picked up the phone"
        case .failed: "its process died, or its server failed"
        case .cancelled: "the user opened the app or swiped it away"
        case .replaced: "the app submitted a newer request"
        case .never: "the system gave it up at its deadline"
        case .success, nil: nil
        }
    }
}
