// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Delays work to its deadline, sends everything then, and lets later work use the tail that has already been paid for.
///
/// Source: Balasubramanian, Balasubramanian and Venkataramani, "Energy consumption in mobile phones", IMC 2009, section
/// 4. Work starts at once if it arrives soon after the last start at a deadline, within rho times the tail. The authors
/// prove that the tails cost at most twice as much as under an optimal schedule.
public struct TailEnder: SchedulingPolicy {
    /// Delay that apps tolerate.
    public var patience = SimDuration.minutes(15)
    /// Length of the radio's tail.
    public var tail = SimDuration.seconds(10)
    /// Share of the tail in which late work still starts.
    public var rho = 0.62
    private var departures = Departures()

    /// Creates the policy with its defaults.
    public init() {}

    /// Starts a request with all waiting requests at the first deadline, or in the radio tail after that start.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        departures.decide(windowEnd: request.due(after: patience), reuse: tail * rho, at: device.now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "tailender", summary: "Sends all work at the first deadline and reuses the radio tail after that.",
            source: "TailEnder (Balasubramanian et al., IMC 2009, section 4)", needs: [.network, .radioTail]),
        TailEnder(),
        .patience(\.patience, "Delay that apps tolerate; in the paper, longer delays than 10 to 20 min gain little"),
        Parameter(
            \.tail, "tail", .duration, 0...60,
            "Length of the radio's tail (LTE: 10 s, AT&T Video Optimizer; 3G in the paper: 12.5 s)"),
        Parameter(
            \.rho, "rho", .fraction, 0...1,
            "Share of the tail in which late work is still sent (the paper: about 0.57 to 0.62)"))
}
