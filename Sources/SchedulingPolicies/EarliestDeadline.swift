// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Earliest deadline first with a batching window.
///
/// When one request must run, all requests with an open window run with it.
///
/// The window begins at the request's earliest begin. Source: Liu and Layland (Journal of the ACM 20(1), 1973) for
/// earliest deadline first. The batching is that of timers (Android 12 `AlarmManager`, without its bounds).
public struct EarliestDeadline: SchedulingPolicy {
    /// Longest wait after the earliest begin.
    public var window = SimDuration.minutes(15)
    private var departures = Departures()

    /// Creates the policy with its defaults.
    public init() {}

    /// Waits for the end of the window, or for any request that starts before.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        departures.decide(windowEnd: request.due(after: window), at: device.now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "earliest-deadline",
            summary: "Collects work until the first window ends, then starts all work that may run.",
            source: "earliest deadline first (Liu and Layland, J. ACM 20(1), 1973) with a batching window"),
        EarliestDeadline(),
        Parameter(
            \.window, "window", .duration, 0...172_800,
            "Longest wait after the earliest begin of the work; 5 min to 1 h are sensible"))
}
