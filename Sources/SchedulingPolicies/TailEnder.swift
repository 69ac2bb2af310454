import Quantities
import Vocabulary

/// Puts work off to its deadline, sends everything then, and lets late comers use the tail that is being paid for.
///
/// Balasubramanian, Balasubramanian and Venkataramani, "Energy consumption in mobile phones", IMC 2009, section 4: with
/// the last deadline that something left at, work that arrives less than rho times the tail later leaves at once. The
/// authors prove that the tails cost at most twice what an optimal schedule pays.
public struct TailEnder: SchedulingPolicy {
    private let patience: SimDuration
    private let reuse: SimDuration
    private var departures = Departures()

    /// Creates the policy with a delay that apps tolerate, the length of the radio's tail and the usable share of it.
    public init(patience: SimDuration, tail: SimDuration, rho: Double) {
        self.patience = patience
        reuse = tail * rho
    }

    /// Leaves at the deadline, with everybody who waits, or in the tail after one.
    public mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        departures.decide(windowEnd: request.due(after: patience), reuse: reuse, at: device.now)
    }

    static let entry = SchedulingPolicyEntry(
        PolicyDescriptor(
            name: "tailender", summary: "Sends at the deadline, everything at once, and reuses the tail after that.",
            source: "TailEnder (Balasubramanian et al., IMC 2009, section 4)",
            parameters: [
                .patience(900, "Delay that apps tolerate; the paper's gain flattens at about 10 to 20 min"),
                PolicyParameter(
                    name: "tail", dimension: .duration, defaultValue: 10, range: 0...60,
                    meaning: "Length of the radio's tail (LTE: 10 s, AT&T Video Optimizer; 3G in the paper: 12.5 s)"
                ),
                PolicyParameter(
                    name: "rho", dimension: .fraction, defaultValue: 0.62, range: 0...1,
                    meaning: "Share of the tail in which late work still leaves (the paper: about 0.57 to 0.62)"),
            ], needs: [.network, .radioTail])
    ) { TailEnder(patience: .seconds($0.values[0]), tail: .seconds($0.values[1]), rho: $0.values[2]) }
}
