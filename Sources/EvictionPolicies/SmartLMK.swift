// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// The app whose process has the least worth dies first.
///
/// Worth is the launch time that the process saves, times the probability of use.
///
/// Source: Kim, Jeong, Kim and Maeng, "SmartLMK", ACM TECS 15(3), 2016, doi:10.1145/2894755. SmartLMK kills at once the
/// set of apps that frees enough memory at the least total worth. Here, apps die one after the other, and the app with
/// the least worth per byte dies first. This greedy solution of the same knapsack problem keeps the phone's own
/// trigger. The prediction of the policy `predicted` replaces the paper's statistics of use.
public struct SmartLMK: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "smartlmk",
            summary: "The app with the least worth per byte dies first; worth is saved launch time times probability "
                + "of use.",
            source: "Kim et al. 2016, doi:10.1145/2894755", needs: .apps, meansApps: true),
        Parameters(),
        [
            Parameter(
                \.perByte, "per", .choice(["byte": true, "app": false]),
                "whether worth is compared per byte, as in a greedy knapsack, or per app"),
            .horizon(\.prediction.horizon), .halfLife(\.prediction.halfLife),
        ]
    ) { parameters, _ in SmartLMK(parameters) }

    /// Parameters in brackets after the name, with their defaults.
    public struct Parameters: Sendable {
        /// Whether worth per byte is compared.
        public var perByte = true
        /// Prediction of the probability of use.
        public var prediction = PredictionParameters()

        /// Creates the defaults.
        public init() {}
    }

    private var history: UseHistory
    private let horizon: SimDuration
    private let perByte: Bool

    /// Creates a policy without data about the user.
    public init(_ parameters: Parameters = Parameters()) {
        perByte = parameters.perByte
        horizon = parameters.prediction.horizon
        history = UseHistory(halfLife: parameters.prediction.halfLife)
    }

    /// Zero, because the probability of use changes with the hour and with every open.
    public var rankLifetime: SimDuration? { .zero }

    /// Adds an open to the history.
    public mutating func didOpen(_ app: AppID, at now: SimTime) { history.recordOpen(app, at: now) }

    /// Seconds of launch time saved, or seconds per mebibyte.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        let chance = history.openProbability(candidate.app, within: horizon, at: now)
        let worth = candidate.relaunchTime.seconds * chance
        return perByte ? worth / max(candidate.footprint.mebibytes, 0x1p-10) : worth
    }
}
