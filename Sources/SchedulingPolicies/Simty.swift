// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Aligns wake-ups that use the same hardware, and puts work that nobody perceives off beyond its window.
///
/// Kao, Cheng and Hsiu, "Similarity-based wakeup management for mobile systems in connected standby", DAC 2016
/// (SIMTY). Background requests are imperceptible: they may wait until the end of their grace. Of the wake-ups that a
/// request can join it takes the one with the most similar hardware, then one inside the window before one only inside
/// the grace. The description follows readings of the paper, not its text.
public struct Simty: SchedulingPolicy {
    /// The window as a share of the interval.
    public var window = 0.75
    /// The grace as a share of the interval; at least the window.
    public var grace = 0.96
    private var batches = WakeBatches()

    /// Creates the policy with its defaults.
    public init() {}

    /// Alarms ring when they are due.
    public var ringsAtFloor: Bool { true }

    /// Joins the most similar wake-up within the grace.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {
        let new = WakeBatch(
            request, window: request.interval * window, grace: request.interval * max(window, grace))
        batches.enter(request, new) { batch in
            guard batch.begin <= new.graceEnd, new.begin <= batch.graceEnd else { return nil }
            let isInWindow = batch.begin <= new.end && new.begin <= batch.end
            return Self.distance(batch.hardware, new.hardware) * 2 + (isInWindow ? 0 : 1)
        }
    }

    /// How unlike two sets of components are: 0 the same, 1 partly shared, 2 disjoint.
    static func distance(_ left: UInt8, _ right: UInt8) -> Int { left == right ? 0 : left & right != 0 ? 1 : 2 }

    /// Fires with its wake-up.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        batches.decide(request, at: device.now)
    }

    /// Leaves its wake-up.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { batches.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "simty", summary: "Joins wake-ups that use the same hardware, up to 0.96 of the interval late.",
            source: "SIMTY (Kao, Cheng and Hsiu, DAC 2016)"),
        Simty(),
        Parameter(
            \.window, "window", .fraction, 0...1, "Window as a share of the time asked ahead (Android's)"),
        Parameter(
            \.grace, "grace", .fraction, 0...1, "Grace as a share of the same (about 0.96 in the paper)"))
}
