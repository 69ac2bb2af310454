// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Aligns wake-ups that use the same hardware, and delays imperceptible work beyond its window.
///
/// Source: Kao, Cheng and Hsiu, "Similarity-based wakeup management for mobile systems in connected standby", DAC 2016
/// (SIMTY). The details come from the alarm service of the study's Nexus 5 (github.com/ronaldo1018/nexus5framework,
/// `AlarmManagerService.java` and `MultiResourceManager.java`, commit 45b10cf).
///
/// A request joins a wake-up in its window, or in its grace if both are imperceptible. It prefers a wake-up with equal
/// hardware, then one with some shared hardware, then any. Among equals, it prefers one in the window, then the
/// earliest. Here, the hardware of a request is known from the start; the study learns it from the last run.
public struct Simty: SchedulingPolicy {
    /// The window as a share of the interval.
    public var window = 0.75
    /// The grace as a share of the interval; at least the window.
    public var grace = 0.96
    private var batches = WakeBatches()

    /// Creates the policy with its defaults.
    public init() {}

    /// Always true, because alarms ring when they are due.
    public var ringsAtFloor: Bool { true }

    /// Adds a request to the most similar wake-up in its window, or in its grace if both are imperceptible.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {
        let window = request.isExact ? .zero : request.interval * self.window
        let new = WakeBatch(request, window: window, grace: max(window, request.interval * grace))
        batches.enter(request, new) { batch in
            let isInWindow = batch.sharesWindow(with: new)
            let mayWait = !batch.isPerceptible && !new.isPerceptible
            guard isInWindow || mayWait && batch.sharesGrace(with: new) else { return nil }
            return Self.distance(batch.hardware, new.hardware) * 2 + (isInWindow ? 0 : 1)
        }
    }

    /// Distance of two sets of components: 0 equal, 1 partly shared, 2 disjoint; an empty set differs from every set.
    static func distance(_ left: UInt8, _ right: UInt8) -> Int {
        left & right == 0 ? 2 : left == right ? 0 : 1
    }

    /// Lets a request start when its wake-up fires.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        batches.decide(request, at: device.now)
    }

    /// Removes a request from its wake-up.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { batches.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "simty",
            summary: "Joins wake-ups that use the same hardware; a wake-up is late by up to 0.96 of its interval.",
            source: "SIMTY (Kao, Cheng and Hsiu, DAC 2016)"),
        Simty(),
        Parameter(
            \.window, "window", .fraction, 0...1,
            "Length of the window, as a share of the requested delay (as in Android)"),
        Parameter(
            \.grace, "grace", .fraction, 0...1,
            "Longest delay of imperceptible wake-ups, as a share of the requested delay (paper: about 0.96)"))
}
