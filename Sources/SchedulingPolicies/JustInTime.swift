// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Refreshes an app when the shared prediction expects it to be opened soon.
///
/// Source: FALCON (Yan et al., MobiSys 2012) and PREPP (Parate et al., UbiComp 2013). Both launch or fetch when the
/// likelihood of use is worth the energy. WWDC20 session 10063 shows launches just before the usual times of use.
/// Predictions do not help processing, which runs on the charger.
public struct JustInTime: SchedulingPolicy {
    /// Likelihood of use that is sufficient.
    public var likelihood = 0.1
    /// Least time between two refreshes of an app.
    public var spacing = SimDuration.minutes(15)
    /// Time between two checks of an app that is not expected to be opened.
    public var look = SimDuration.minutes(10)

    /// Creates the policy with its defaults.
    public init() {}

    /// Waits for a likely use, and never refreshes an app that is not expected to be opened.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        guard request.kind == .refresh else { return .onCharger(request, device) }
        let next = request.lastRun + spacing
        if device.now < next { return .wait(.rateLimit, until: next) }
        let score = request.openLikelihood
        if score >= likelihood { return .proceed(.beforeUse, score: score, threshold: likelihood) }
        return .wait(.notExpectedSoon, until: device.now + look, score: score, threshold: likelihood)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "just-in-time", summary: "Refreshes an app when the prediction says that it is about to be opened.",
            source: "after FALCON (Yan et al., MobiSys 2012) and PREPP (Parate et al., UbiComp 2013)",
            needs: [.apps]),
        JustInTime(),
        Parameter(
            \.likelihood, "likelihood", .fraction, 0...1,
            "Smallest likelihood of an open within 30 min at which an app is refreshed; assumption"),
        Parameter(
            \.spacing, "spacing", .duration, 0...86400,
            "Shortest time between two refreshes of an app (owntracks/ios#467: every 15 min at best)"),
        Parameter(
            \.look, "look", .duration, 1...86400,
            "Time between two checks of an app that is not expected to be opened; assumption"))
}

extension SchedulingDecision {
    /// The rule for work that is not tied to a use: it runs on the charger, or at its last chance.
    static func onCharger(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if device.pluggedIn { return .proceed(.immediate) }
        if device.now >= request.lastChance { return .proceed(.deadlineReached) }
        return .wait(.needsCharger, until: request.lastChance, or: .pluggedIn)
    }
}
