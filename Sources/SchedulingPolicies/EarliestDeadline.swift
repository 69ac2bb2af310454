import Quantities
import Vocabulary

/// Earliest deadline first with a batching window: when one request must run, all whose window is open run with it.
///
/// The window begins at the request's floor. Earliest deadline first goes back to Liu and Layland (Journal of the ACM
/// 20(1), 1973); the batching is the usual one of timers (Android 12 `AlarmManager`, without its bounds).
public struct EarliestDeadline: SchedulingPolicy {
    private let window: SimDuration
    private var departures = Departures()

    /// Creates the policy with the longest wait after a floor.
    public init(window: SimDuration) { self.window = window }

    /// Waits for the end of the window, or for anybody who leaves before.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        departures.decide(windowEnd: request.due(after: window), at: device.now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "earliest-deadline", summary: "Waits for the first window to end, then starts all that may run.",
            source: "earliest deadline first (Liu and Layland, J. ACM 20(1), 1973) with a batching window",
            parameters: [
                PolicyParameter(
                    name: "window", dimension: .duration, defaultValue: 900, range: 0...172_800,
                    meaning: "Longest wait after the floor; the knob, 5 min to 1 h make sense")
            ])
    ) { EarliestDeadline(window: .seconds($0.values[0])) }
}
