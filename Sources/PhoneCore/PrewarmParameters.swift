// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Choice of the app that the system prewarms.
public enum PrewarmChoice: String, Sendable, CaseIterable {
    /// No app.
    case never
    /// The app that is most likely to be opened within half an hour.
    case likely
    /// The app with the largest product of the likelihood in `likely` and the launch time saved, as in FALCON.
    ///
    /// Source: T. Yan et al., "Fast App Launching for Mobile Devices Using Predictive User Context", MobiSys 2012.
    case worth
    /// The app whose launch files save the most waiting if they are cached, weighted by the likelihood in `likely`.
    ///
    /// No process is started, on any system. Source: the preloader of AppFlow (Li and others, arXiv 2603.17259, 2026).
    case files
    /// The app that the user opens next; an oracle.
    case oracle
}

/// Rules for prewarming: the system starts an app's process up to `main` before the user opens the app.
///
/// From iOS 15 on, the system does this "depending on device conditions" (Apple, "About the app launch sequence"). No
/// source states the conditions, the rate or the apps, so every figure is an assumption.
public struct PrewarmParameters: Sendable {
    /// Choice of the app; none unless a device file sets it.
    public var choice = PrewarmChoice.never
    /// Number of checks per day for an app to prewarm; 0 to 50.
    public var perDay = 12.0
    /// Smallest likelihood of an open within half an hour for the choice `likely`; 0 to 20 %.
    public var leastLikelihood = 0.02
    /// Share of memory that must be available; 10 to 50 %.
    public var leastAvailable = 0.2
    /// Memory of a prewarmed process, as a share of the app's footprint in the background; 10 to 60 %.
    public var footprintShare = 0.3
    /// Share of a warm launch that is complete at `main`; 10 to 50 %.
    public var mainShare = 0.25

    /// Creates the figures of a phone without prewarming.
    public init() {}

    /// Whether the likelihood is multiplied by the waiting time saved.
    package var weighsSaving: Bool { choice == .worth || choice == .files }
    /// Share of a warm launch that the preparation completes.
    package var doneShare: Double { choice == .files ? 0 : mainShare }
}

extension PrewarmParameters {
    /// The keys of these parameters in files, with their allowed values.
    public static let keys: [FileKey<PrewarmParameters>] = [
        .choice(\.choice, "choice", "choice of the app to prewarm"),
        .number(\.perDay, "per_day", 0...1e4, example: "12"),
        .share(\.leastLikelihood, "least_likelihood"),
        .share(\.leastAvailable, "least_available"),
        .share(\.footprintShare, "footprint_share"),
        .share(\.mainShare, "main_share"),
    ]
}
