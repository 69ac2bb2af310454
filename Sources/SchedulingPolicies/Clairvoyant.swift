import Quantities
import Vocabulary

/// Knows when the user opens the app next and refreshes just before that, on the cheapest occasion: an oracle.
///
/// Its objective is the age, at each open, of what was fetched, counted beyond a slack, and then the number of wake-ups
/// paid for. The window of a request ends one lead before the open and is one slack long; within it a charger or a radio
/// that is up is taken, and at the earliest window end everything that may run leaves together. Stabbing windows at their
/// ends takes the fewest wakes, with or without free occasions in between. Where the next open lies beyond the
/// request's life, a refresh in time keeps the chain going. No system; a bound for comparisons.
public struct Clairvoyant: SchedulingPolicy {
    private let slack: SimDuration
    private let lead: SimDuration
    private var departures = Departures()

    /// Creates the policy with the age that does not count, and the time work needs.
    public init(slack: SimDuration, lead: SimDuration) {
        self.slack = slack
        self.lead = lead
    }

    /// Waits for the window before the next open, and in it for an occasion.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        guard request.kind == .refresh else { return .onCharger(request, device) }
        guard let end = windowEnd(request, at: device.now) else {
            // Too late for this open, which will bring a request of its own, or no open to come.
            let isAhead = request.nextOpen > device.now
            return .wait(.beforeUse, until: isAhead ? min(request.deadline, request.nextOpen) : request.deadline)
        }
        let begin = end - slack
        if device.now < begin { return .wait(.beforeUse, until: begin) }
        if device.pluggedIn || (device.radioIsUp && request.requiresNetwork) { return .proceed(.heartbeat) }
        return departures.decide(windowEnd: end, at: device.now, or: [.pluggedIn, .radioUp])
    }

    /// The last instant that serves the next open; nil when none does.
    func windowEnd(_ request: RequestView, at now: SimTime) -> SimTime? {
        guard request.nextOpen < .distantFuture else { return nil }
        let end = request.nextOpen - lead
        if end < now { return nil }
        guard end > request.lastChance else { return end }
        // The next request's floor has to lie before the open, too.
        let chained = min(request.lastChance, end - request.interval - slack)
        return max(chained, request.earliestBegin, now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "clairvoyant", summary: "Knows the next open and refreshes just before it on the cheapest occasion.",
            source: "no system; a bound for comparisons (greedy stabbing of the windows before each open)",
            parameters: [
                PolicyParameter(
                    name: "slack", dimension: .duration, defaultValue: 60, range: 0...86400,
                    meaning: "Age at an open that does not count, in which a cheaper occasion is sought; assumption"),
                PolicyParameter(
                    name: "lead", dimension: .duration, defaultValue: 30, range: 0...3600,
                    meaning: "Time kept for the work itself (30 s is the longest a refresh may take)"),
            ], isOracle: true, needs: [.apps])
    ) { Clairvoyant(slack: .seconds($0.values[0]), lead: .seconds($0.values[1])) }
}
