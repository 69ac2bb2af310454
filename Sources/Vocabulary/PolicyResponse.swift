// SPDX-License-Identifier: GPL-3.0-or-later

/// What one part of a scheduler answers when it is asked about a piece of background work, in the words of dasd's logs.
///
/// Ranked: any answer but `canProceed` silences all of lower rank. That "absolutely" beats a plain veto is in the logs
/// (flutterfire#13073), and so is that the foreground beats everything seen beside it (ably-flutter README). Where
/// `mustProceed` stands, and that `absolutelyMustProceed` stands highest, are assumptions: no public line shows them
/// against the others.
public enum PolicyAnswer: UInt8, Sendable, CaseIterable, Comparable, BitwiseCopyable {
    /// Only the score counts.
    case canProceed
    /// A veto.
    case mustNotProceed
    /// Go, whatever plain vetoes say.
    case mustProceed
    /// A veto that a plain "must" does not lift.
    case absolutelyMustNotProceed
    /// Go, whatever anybody says.
    case absolutelyMustProceed

    /// The letters by which tables name it.
    public var letters: String {
        switch self {
        case .canProceed: "CP"
        case .mustNotProceed: "MNP"
        case .mustProceed: "MP"
        case .absolutelyMustNotProceed: "AMNP"
        case .absolutelyMustProceed: "AMP"
        }
    }

    /// The words of the logs.
    public var words: String {
        switch self {
        case .canProceed: "Can Proceed"
        case .mustNotProceed: "Must Not Proceed"
        case .mustProceed: "Must Proceed"
        case .absolutelyMustNotProceed: "Absolutely Must Not Proceed"
        case .absolutelyMustProceed: "Absolutely Must Proceed"
        }
    }

    /// Whether the work goes ahead on this answer alone.
    public var proceeds: Bool { self == .mustProceed || self == .absolutelyMustProceed }

    /// By rank.
    public static func < (left: PolicyAnswer, right: PolicyAnswer) -> Bool { left.rawValue < right.rawValue }
}

/// The answer of one part of a scheduler: a line of the list that dasd prints for an activity.
public struct PolicyResponse: Sendable, Equatable {
    /// Name of the part, as in the logs where they name it.
    public var name: String
    /// How much its score counts.
    public var weight: Double
    /// What it says.
    public var answer: PolicyAnswer
    /// Its score, 0 to 1.
    public var score: Double
    /// The condition behind it, as the logs write conditions; empty for a plain score.
    public var rationale: String
    /// The same in words for `flotsam why`; empty where nobody wrote any.
    public var sentence: String

    /// Creates a response.
    public init(
        _ name: String, weight: Double, _ answer: PolicyAnswer = .canProceed, score: Double, rationale: String = "",
        sentence: String = ""
    ) {
        self.name = name
        self.weight = weight
        self.answer = answer
        self.score = score
        self.rationale = rationale
        self.sentence = sentence
    }

    /// A veto: score 0.
    public static func veto(
        _ name: String, weight: Double, _ rationale: String, answer: PolicyAnswer = .mustNotProceed,
        sentence: String = ""
    ) -> PolicyResponse {
        PolicyResponse(name, weight: weight, answer, score: 0, rationale: rationale, sentence: sentence)
    }

    /// A veto by a rule that policies share, which has a sentence.
    public static func veto(
        _ rule: SchedulingRule, _ name: String, weight: Double, _ rationale: String,
        answer: PolicyAnswer = .mustNotProceed
    ) -> PolicyResponse {
        veto(name, weight: weight, rationale, answer: answer, sentence: rule.sentence)
    }
}

/// What the responses come to together: the highest-ranked answer wins, and without one the weighted mean of the
/// scores.
public struct JointDecision: Sendable, Equatable {
    /// The winning answer.
    public var answer: PolicyAnswer
    /// Sum of weight times score.
    public var sumScores: Double
    /// Sum of weights.
    public var denominator: Double
    /// The weighted mean; 1 when nothing was weighed.
    public var score: Double

    /// Joins responses.
    public init(_ responses: [PolicyResponse]) {
        answer = responses.map(\.answer).max() ?? .canProceed
        sumScores = 0
        denominator = 0
        for response in responses {
            sumScores += response.weight * response.score
            denominator += response.weight
        }
        score = denominator > 0 ? sumScores / denominator : 1
    }

    /// Whether the work goes ahead against a threshold.
    public func proceeds(threshold: Double) -> Bool {
        answer == .canProceed ? score >= threshold : answer.proceeds
    }
}
