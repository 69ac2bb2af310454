// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The app that this user is least likely to open within the next hours dies first.
///
/// The likelihood comes from the user's own past in the run: opens by hour of day, and which app follows which.
///
/// Source of the idea: Parate et al. (PREPP, UbiComp 2013, doi:10.1145/2493432.2493490) and Lee and Park (CMC 68(3),
/// 2021, doi:10.32604/cmc.2021.017872), who keep the apps most likely to run. The estimate is a choice of this project
/// (`UseHistory`).
public struct Predicted: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "predicted", summary: "The app that the user, by habit, is least likely to open in the next hours.",
            source: "Parate et al. 2013, doi:10.1145/2493432.2493490; Lee and Park 2021, doi:10.32604/cmc.2021.017872",
            needs: .apps, meansApps: true),
        PredictionParameters(), [.horizon(\.horizon), .halfLife(\.halfLife)]
    ) { parameters, _ in Predicted(parameters) }

    private var history: UseHistory
    private let horizon: SimDuration

    /// Creates a policy without data about the user.
    public init(_ parameters: PredictionParameters = PredictionParameters()) {
        horizon = parameters.horizon
        history = UseHistory(halfLife: parameters.halfLife)
    }

    /// Zero, because likelihoods change with the hour and with every open.
    public var rankLifetime: SimDuration? { .zero }

    /// Adds an open to the history.
    public mutating func didOpen(_ app: AppID, at now: SimTime) { history.recordOpen(app, at: now) }

    /// The probability that the user opens the app within the horizon.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        history.openProbability(candidate.app, within: horizon, at: now)
    }
}
