// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Oracle that reads the user's next open of the app and refreshes just before the open, on the cheapest occasion.
///
/// The first objective is the age of the fetched content at each open, beyond a slack; the second is the number of
/// wake-ups. The window of a request ends one lead before the open and is one slack long. In the window, work starts
/// when a charger is connected, or when a radio is up that the work needs. At the earliest window end, all work that
/// may run starts together. This rule takes the fewest wake-ups, with or without free occasions in between.
///
/// If the next open is after the end of the request's life, an earlier refresh continues the chain of refreshes. No
/// system works like this; it is a heuristic that knows the future.
public struct Clairvoyant: SchedulingPolicy {
    /// Age up to which the content at an open counts as fresh.
    public var slack = SimDuration.minute
    /// Time before the open that is kept for the work itself.
    public var lead = SimDuration.seconds(30)
    private var departures = Departures()

    /// Creates the policy with its defaults.
    public init() {}

    /// Waits for the window before the next open, and for an occasion in the window.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        guard request.kind == .refresh else { return .onCharger(request, device) }
        guard let end = windowEnd(request, at: device.now) else {
            // Either it is too late for this open, which will bring its own request, or there is no further open.
            let isAhead = request.nextOpen > device.now
            return .wait(.beforeUse, until: isAhead ? min(request.deadline, request.nextOpen) : request.deadline)
        }
        let begin = end - slack
        if device.now < begin { return .wait(.beforeUse, until: begin) }
        if device.pluggedIn || (device.radioIsUp && request.requiresNetwork) { return .proceed(.heartbeat) }
        return departures.decide(windowEnd: end, at: device.now, or: [.pluggedIn, .radioUp])
    }

    /// The last instant that serves the next open; nil when there is none.
    func windowEnd(_ request: RequestView, at now: SimTime) -> SimTime? {
        guard request.nextOpen < .distantFuture else { return nil }
        let end = request.nextOpen - lead
        if end < now { return nil }
        guard end > request.lastChance else { return end }
        // The earliest begin of the next request must also be before the open.
        let chained = min(request.lastChance, end - request.interval - slack)
        return max(chained, request.earliestBegin, now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "clairvoyant",
            summary: "Knows the next open, and refreshes at the cheapest occasion shortly before it.",
            source: "used by no system; greedy stabbing of the windows before each open",
            isOracle: true, needs: [.apps]),
        Clairvoyant(),
        Parameter(
            \.slack, "slack", .duration, 0...86400,
            "Largest accepted age of content at an open, to allow a cheaper occasion; assumption"),
        Parameter(
            \.lead, "lead", .duration, 0...3600,
            "Time reserved for the work itself (a refresh may take at most 30 s)"))
}
