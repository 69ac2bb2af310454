// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Which app without a process the system builds one for before anybody opens it.
public enum PrewarmChoice: String, Sendable, CaseIterable {
    /// None.
    case never
    /// The most likely to be opened within half an hour.
    case likely
    /// The one with the largest product of that likelihood and the time a launch would be shorter, as FALCON weighs
    /// (T. Yan et al., "Fast App Launching for Mobile Devices Using Predictive User Context", MobiSys 2012).
    case worth
    /// The one whose launch files, once read into the cache, save the most waiting by that likelihood: no process is
    /// built, on any system, after the preloader of AppFlow (Li and others, arXiv 2603.17259, 2026).
    case files
    /// The one that the user opens next: an oracle.
    case oracle
}

/// When and for which apps the system builds a process up to `main` before anybody opens it.
///
/// From iOS 15 on it does so "depending on device conditions" (Apple, "About the app launch sequence"). Which they are,
/// how often and for which apps it does so is published nowhere, so every figure is an assumption.
public struct PrewarmParameters: Sendable {
    /// For which app; none unless a device file says so.
    public var choice = PrewarmChoice.never
    /// How often the system looks whether to build one, per day; 0 to 50.
    public var perDay = 12.0
    /// How likely an open within half an hour has to be for `likely`; 0 to 20 %.
    public var leastLikelihood = 0.02
    /// Share of memory that has to be available; 10 to 50 %.
    public var leastAvailable = 0.2
    /// What a prewarmed process holds, as a share of the app's footprint in the background; 10 to 60 %.
    public var footprintShare = 0.3
    /// Share of a warm launch that is over at `main`; 10 to 50 %.
    public var mainShare = 0.25

    /// Creates the figures of a phone that prewarms nothing.
    public init() {}

    /// Whether a likelihood is multiplied by the wait that it saves.
    package var weighsSaving: Bool { choice == .worth || choice == .files }
    /// What of a warm launch is over when it was prepared.
    package var doneShare: Double { choice == .files ? 0 : mainShare }
}

extension PrewarmParameters {
    /// The keys of the figures in files, with what is allowed.
    public static let keys: [FileKey<PrewarmParameters>] = [
        .choice(\.choice, "choice", "choice of the app to prewarm"),
        .number(\.perDay, "per_day", 0...1e4, example: "12"),
        .share(\.leastLikelihood, "least_likelihood"),
        .share(\.leastAvailable, "least_available"),
        .share(\.footprintShare, "footprint_share"),
        .share(\.mainShare, "main_share"),
    ]
}
