import Quantities
import Vocabulary

/// Android's alignment of alarms: a request joins the first wake-up that falls into its window.
///
/// AlarmManagerService of AOSP: the window is 0.75 times the interval, nothing for intervals under 10 s, at most an hour
/// since Android 12. Up to Android 11 (`batching=eager`) the batch is fixed when the alarm is set and fires at the
/// latest start of its members; since then (`lazy`) whoever may run goes along when one must. Called NATIVE by the
/// papers that improve on it.
public struct NativeAlignment: SchedulingPolicy {
    private let share: Double
    private let longest: SimDuration
    private let isLazy: Bool
    private var batches = WakeBatches()
    private var departures = Departures()

    /// Creates the policy with the window as a share of the interval, the longest window, and the way of batching.
    public init(share: Double, longest: SimDuration, isLazy: Bool) {
        self.share = share
        self.longest = longest
        self.isLazy = isLazy
    }

    /// Alarms ring when they are due.
    public var ringsAtFloor: Bool { true }

    /// The window of a request after its floor.
    public func window(of request: RequestView) -> SimDuration {
        request.interval < .seconds(10) ? .zero : min(request.interval * share, longest)
    }

    /// Joins the first batch whose window overlaps.
    public mutating func didSubmit(_ request: RequestView, at now: SimTime) {
        guard !isLazy else { return }
        let new = WakeBatch(request, window: window(of: request), grace: .zero)
        batches.enter(request, new) { $0.begin <= new.end && new.begin <= $0.end ? 0 : nil }
    }

    /// Fires with its batch.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        if isLazy {
            let end = min(request.earliestBegin + window(of: request), request.lastChance)
            return departures.decide(windowEnd: end, at: device.now)
        }
        guard let batch = batches.batch(of: request) else { return .proceed(.immediate) }
        guard device.now >= batch.begin else { return .wait(.batchWindow, until: batch.begin) }
        batches.leave(request)
        return .proceed(batch.members > 1 ? .joinedBatch : .immediate)
    }

    /// Leaves its batch.
    public mutating func didWithdraw(_ request: RequestView, at now: SimTime) { batches.leave(request) }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "native-alignment", summary: "Android's alarms: the first wake-up within 0.75 of the interval.",
            source: "AOSP AlarmManagerService; NATIVE in Kao, Cheng and Hsiu (DAC 2016)",
            parameters: [
                PolicyParameter(
                    name: "window", dimension: .fraction, defaultValue: 0.75, range: 0...1,
                    meaning: "Window as a share of the time asked ahead (AlarmManagerService)"),
                PolicyParameter(
                    name: "longest", dimension: .duration, defaultValue: 3600, range: 0...172_800,
                    meaning: "Longest window (1 h since Android 12)"),
                .choice(
                    "batching", of: ["eager", "lazy"],
                    meaning: "When wake-ups are joined: when set (up to Android 11) or when one fires (since 12)"),
            ])
    ) { NativeAlignment(share: $0.values[0], longest: .seconds($0.values[1]), isLazy: $0.values[2] >= 0.5) }
}
