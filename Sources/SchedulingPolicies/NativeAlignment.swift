// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Android's alignment of alarms: a request joins the first wake-up in its window.
///
/// Source: AlarmManagerService of AOSP. The window is 0.75 times the interval, and zero for intervals under 10 s. Since
/// Android 12, it is at most an hour. Up to Android 11 (`batching=eager`), the batch is fixed when the alarm is set and
/// fires at the latest start of its members. Since then (`lazy`), when one request must run, all requests that may run
/// start with it. Papers that improve on this alignment call it NATIVE.
public struct NativeAlignment: SchedulingPolicy {
    /// The window as a share of the interval.
    public var share = 0.75
    /// The longest window.
    public var longest = SimDuration.hour
    /// Whether requests join a wake-up when it fires, instead of when they are set.
    public var isLazy = false
    private var batches = WakeBatches()
    private var departures = Departures()

    /// Creates the policy with its defaults.
    public init() {}

    /// Always true, because alarms ring when they are due.
    public var ringsAtFloor: Bool { true }

    /// The window of a request after its earliest begin; zero if the app asks for an exact time.
    public func window(of request: RequestView) -> SimDuration {
        request.isExact || request.interval < .seconds(10) ? .zero : min(request.interval * share, longest)
    }

    /// Adds a request to the first batch with an overlapping window.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {
        guard !isLazy else { return }
        let new = WakeBatch(request, window: window(of: request), grace: .zero)
        batches.enter(request, new) { $0.begin <= new.end && new.begin <= $0.end ? 0 : nil }
    }

    /// Lets a request start when its batch fires.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if isLazy {
            let end = min(request.earliestBegin + window(of: request), request.lastChance)
            return departures.decide(windowEnd: end, at: device.now)
        }
        return batches.decide(request, at: device.now)
    }

    /// Removes a request from its batch.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { batches.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "native-alignment",
            summary: "Joins the first wake-up within 0.75 of the interval, as Android's alarms do.",
            source: "AOSP AlarmManagerService; NATIVE in Kao, Cheng and Hsiu (DAC 2016)"),
        NativeAlignment(),
        Parameter(
            \.share, "window", .fraction, 0...1,
            "Length of the window, as a share of the requested delay (AlarmManagerService)"),
        Parameter(\.longest, "longest", .duration, 0...172_800, "Longest window (1 h since Android 12)"),
        Parameter(
            \.isLazy, "batching", .choice(["eager": false, "lazy": true]),
            "When wake-ups are joined: when they are set (up to Android 11), or when one fires (since Android 12)"))
}
