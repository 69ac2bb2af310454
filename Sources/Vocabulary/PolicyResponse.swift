// SPDX-License-Identifier: GPL-3.0-or-later

/// Answer of one part of a scheduler about a piece of background work, in the terms of dasd's logs.
///
/// Answers are ranked: any answer but `canProceed` overrides all answers of lower rank. The logs show that "absolutely"
/// overrides a plain veto (flutterfire#13073). They also show that the foreground overrides every other answer seen
/// (ably-flutter README). The rank of `mustProceed` and the top rank of `absolutelyMustProceed` are assumptions: no
/// public log line shows them against the other answers.
public enum PolicyAnswer: UInt8, Sendable, CaseIterable, Comparable, BitwiseCopyable {
    /// No veto: only the score counts.
    case canProceed
    /// A veto.
    case mustNotProceed
    /// The work proceeds despite plain vetoes.
    case mustProceed
    /// A veto that `mustProceed` does not override.
    case absolutelyMustNotProceed
    /// The work proceeds despite every veto.
    case absolutelyMustProceed

    /// Abbreviation of the answer in tables.
    public var letters: String {
        switch self {
        case .canProceed: "CP"
        case .mustNotProceed: "MNP"
        case .mustProceed: "MP"
        case .absolutelyMustNotProceed: "AMNP"
        case .absolutelyMustProceed: "AMP"
        }
    }

    /// Words of the answer in the logs.
    public var words: String {
        switch self {
        case .canProceed: "Can Proceed"
        case .mustNotProceed: "Must Not Proceed"
        case .mustProceed: "Must Proceed"
        case .absolutelyMustNotProceed: "Absolutely Must Not Proceed"
        case .absolutelyMustProceed: "Absolutely Must Proceed"
        }
    }

    /// Whether the work proceeds on this answer alone.
    public var proceeds: Bool { self == .mustProceed || self == .absolutelyMustProceed }

    /// Orders by rank.
    public static func < (left: PolicyAnswer, right: PolicyAnswer) -> Bool { left.rawValue < right.rawValue }
}

/// The answer of one part of a scheduler: a line of the list that dasd prints for an activity.
public struct PolicyResponse: Sendable, Equatable {
    /// Name of the part; the name in the logs if there is one.
    public var name: String
    /// Weight of the score in the weighted mean.
    public var weight: Double
    /// Answer of the part.
    public var answer: PolicyAnswer
    /// Score of the part, 0 to 1.
    public var score: Double
    /// Condition that caused the answer, in the notation of the logs; empty for a plain score.
    public var rationale: String
    /// Condition in words for `flotsam why`; empty if there are none.
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

    /// A veto by a rule that policies share; it has the sentence of that rule.
    public static func veto(
        _ rule: SchedulingRule, _ name: String, weight: Double, _ rationale: String,
        answer: PolicyAnswer = .mustNotProceed
    ) -> PolicyResponse {
        veto(name, weight: weight, rationale, answer: answer, sentence: rule.sentence)
    }
}

/// The joint result of all responses.
///
/// The answer with the highest rank decides. If all answers are `canProceed`, the weighted mean of the scores decides.
public struct JointDecision: Sendable, Equatable {
    /// The winning answer.
    public var answer: PolicyAnswer
    /// Sum of weight times score.
    public var sumScores: Double
    /// Sum of weights.
    public var denominator: Double
    /// The weighted mean; 1 when the sum of the weights is zero.
    public var score: Double

    /// Combines responses.
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

    /// Whether the work proceeds if the score must reach this threshold.
    public func proceeds(threshold: Double) -> Bool {
        answer == .canProceed ? score >= threshold : answer.proceeds
    }
}
