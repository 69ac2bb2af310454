// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Starts everything at once, with the least possible delay and the most wake-ups.
///
/// This policy is the lower bound of staleness for comparisons with any deferral.
public struct Immediate: SchedulingPolicy {
    /// Creates the policy.
    public init() {}

    /// Starts the work.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        .proceed(.immediate)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "immediate", summary: "Starts work at its earliest begin; an extreme case, for comparisons.",
            source: "the run-immediately baseline of TailEnder (Balasubramanian et al., IMC 2009)")
    ) { _ in Immediate() }
}

/// Starts work only on a charger, and work that needs a network only on Wi-Fi; work that waits too long is given up.
///
/// This is the other extreme, with almost no energy and the oldest content. The constraints are those of Android's
/// JobScheduler (JobInfo: charging, unmetered network).
public struct ChargerAndWifi: SchedulingPolicy {
    /// Creates the policy.
    public init() {}

    /// Waits for the charger, then for Wi-Fi.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if !device.pluggedIn { return .wait(.needsCharger, or: .pluggedIn) }
        if request.requiresNetwork, device.network != .wifi { return .wait(.needsWifi, or: .wifiJoined) }
        return .proceed(.immediate)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "charger-and-wifi", summary: "Starts work only on a charger and, if it needs a network, on Wi-Fi.",
            source: "Android JobInfo constraints: charging and unmetered network", needs: [.charging, .network])
    ) { _ in ChargerAndWifi() }
}

/// Starts the work of each app at most once per period.
///
/// Android's periodic jobs have a period of at least 15 minutes (JobInfo `getMinPeriodMillis`).
public struct Periodic: SchedulingPolicy {
    /// Shortest time between two starts for one app.
    public var every = SimDuration.minutes(15)

    /// Creates the policy with its defaults.
    public init() {}

    /// Waits until a period has passed since the last start.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let next = request.lastRun + every
        return device.now >= next ? .proceed(.immediate) : .wait(.rateLimit, until: next)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "periodic", summary: "Starts each app's work at most once per period.",
            source: "Android JobInfo: periodic jobs, shortest period 15 min"),
        Periodic(),
        Parameter(
            \.every, "every", .duration, 1...604_800,
            "Shortest time between two starts for one app (JobInfo: at least 15 min)"))
}

/// Starts work when a radio is already up, on Wi-Fi or on a charger; otherwise starts it after the longest wait.
///
/// Like TailEnder (Balasubramanian et al., IMC 2009), it reuses the radio's tail, but without TailEnder's competitive
/// rule.
public struct Piggyback: SchedulingPolicy {
    /// Reasons of this policy for letting work wait.
    enum Rule: UInt8, PolicyRule {
        case radioDown

        var text: RuleText { RuleText("radio-down", "the work waited for another transfer to turn the radio on") }
    }

    /// Longest wait for another transfer.
    public var patience = SimDuration.hour

    /// Creates the policy with its defaults.
    public init() {}

    /// Waits for a radio that is up.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        let latest = min(request.earliestBegin + patience, request.deadline)
        let isCheap = device.radioIsUp || device.pluggedIn || device.network == .wifi || !request.requiresNetwork
        if isCheap || device.now >= latest { return .proceed(.immediate) }
        return .wait(Rule.radioDown, until: latest, or: [.radioUp, .wifiJoined, .pluggedIn])
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "piggyback",
            summary: "Waits until another transfer has turned the radio on, or until the longest wait is over.",
            source: "tail reuse after TailEnder (Balasubramanian et al., IMC 2009)", rules: Rule.texts,
            needs: .radioTail),
        Piggyback(), .patience(\.patience, "Longest wait after the earliest begin of the work; assumption"))
}

/// Starts nothing, to show the phone without background work.
public struct Never: SchedulingPolicy {
    /// Reasons of this policy for letting work wait.
    enum Rule: UInt8, PolicyRule {
        case never

        var text: RuleText { RuleText("never", "the policy starts nothing") }
    }

    /// Creates the policy.
    public init() {}

    /// Waits for the deadline; the request is then given up.
    public func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        .wait(Rule.never, until: request.deadline)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "never", summary: "Starts no background work; an extreme case, for comparisons.",
            source: "used by no system", rules: Rule.texts)
    ) { _ in Never() }
}
