import Quantities
import Vocabulary

/// The app that this user is least likely to open within the next hours dies first.
///
/// The likelihood comes from the user's own past in the run: opens by hour of day, and which app follows which. Source
/// of the idea: Parate et al. (PREPP, UbiComp 2013, doi:10.1145/2493432.2493490) and Lee and Park (CMC 68(3), 2021,
/// doi:10.32604/cmc.2021.017872), who keep the apps most likely to run; the estimate is this project's (`UseHistory`).
public struct Predicted: EvictionPolicy {
    /// How experiment files name the policy.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "predicted", summary: "The app that the user, by habit, is least likely to open in the next hours.",
            source: "Parate et al. 2013, doi:10.1145/2493432.2493490; Lee and Park 2021, doi:10.32604/cmc.2021.017872",
            parameters: [.horizon, .halfLife], needs: .apps)
    ) { Predicted(horizon: .seconds($0.values[0]), halfLife: .seconds($0.values[1])) }

    private var history: UseHistory
    private let horizon: SimDuration

    /// Creates a policy that knows nothing about the user yet.
    public init(horizon: SimDuration = .hours(6), halfLife: SimDuration = .days(14)) {
        self.horizon = horizon
        history = UseHistory(halfLife: halfLife)
    }

    /// Likelihoods change with the hour and with every open.
    public var rankLifetime: SimDuration? { .zero }

    /// Another open to learn from.
    public mutating func didOpen(_ app: AppID, at now: SimTime) { history.noteOpen(app, at: now) }

    /// The probability that the user opens the app within the horizon.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        history.openProbability(candidate.app, within: horizon, at: now)
    }
}

extension PolicyParameter {
    /// How far ahead a prediction looks.
    static let horizon = PolicyParameter(
        name: "horizon", dimension: .duration, defaultValue: 6 * 3600, range: 60...(7 * 86400),
        meaning: "how far ahead the prediction looks; assumption")
    /// How fast a prediction forgets.
    static let halfLife = PolicyParameter(
        name: "half-life", dimension: .duration, defaultValue: 14 * 86400, range: 3600...(365 * 86400),
        meaning: "after which time an open counts half; assumption")
}
