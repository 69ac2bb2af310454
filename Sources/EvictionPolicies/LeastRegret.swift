// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Structures
import Vocabulary

/// For each victim, draws whether last use or number of uses decides; a rule becomes less likely after its mistakes.
///
/// Source: Vietri and others, "Driving cache replacement with ML-based LeCaR", HotStorage 2018. Two rules, least
/// recently used and least frequently used, have weights, and one rule is drawn for each victim. Each rule remembers as
/// many victims as there are processes.
///
/// A victim that comes back was a mistake of its rule; the mistake is worse if it comes back sooner. The weight of the
/// other rule grows by exp(0.45 · d^t) after t uses, where d to the power of the number of processes is 0.005.
public struct LeastRegret: EvictionPolicy {
    /// Entry of the policy, with the name in experiment files.
    public static let entry = EvictionPolicyEntry(
        PolicyDescriptor(
            name: "lecar", summary: "Ranks by last use or number of uses, whichever made fewer mistakes so far.",
            source: "Vietri et al., HotStorage 2018: LeCaR", meansApps: true),
        Parameters(),
        [
            Parameter(\.learningRate, "learning-rate", .number, 0...10, "learning rate of the weights (paper: 0.45)"),
            Parameter(
                \.discount, "discount", .number, 1e-6...1,
                "remaining weight of a regret after N uses, where N is the number of processes (paper: 0.005)"),
        ]
    ) { LeastRegret($0, seed: $1) }

    /// Parameters in brackets after the name, with their defaults.
    public struct Parameters: Sendable {
        /// Learning rate of the weights.
        public var learningRate = 0.45
        /// Weight of a regret after as many uses as there are processes.
        public var discount = 0.005

        /// Creates the defaults.
        public init() {}
    }

    private enum Rule: Sendable { case recency, frequency }

    private struct Death {
        let app: AppID
        /// Number of uses before the death.
        let uses: Int
    }

    private let parameters: Parameters
    private var random: PolicyRandom
    private var queues = StandingQueues(count: 1)
    private var order = DeathOrder()
    private var counts = GrowingAppTable(0)
    private var uses = 0
    private var weight = 0.5
    /// The random number for the next victim.
    private var draw: Double
    /// The rule that chose the next victim; nil where both agree.
    private var chooser: Rule?
    private var lostToRecency: [Death] = []
    private var lostToFrequency: [Death] = []

    /// Creates a policy with equal weights.
    public init(_ parameters: Parameters = Parameters(), seed: UInt64) {
        self.parameters = parameters
        random = PolicyRandom(seed: seed)
        draw = random.nextUniform()
    }

    /// The weight of last use; the weight of the number of uses is one minus this weight.
    public var recencyWeight: Double { weight }

    /// Zero, because the next victim is drawn.
    public var rankLifetime: SimDuration? { .zero }

    /// The position in the order of eviction.
    public mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { order[candidate.app] }

    /// Counts a use, and regrets the death of an app that comes back.
    public mutating func didOpen(_ app: AppID, at now: SimTime) {
        uses += 1
        if let death = Self.takeOut(app, of: &lostToRecency) {
            adjust(by: -regret(death))
        } else if let death = Self.takeOut(app, of: &lostToFrequency) {
            adjust(by: regret(death))
        } else if queues.queue(of: app) == nil {
            counts[app] = 0
        }
        counts[app] += 1
        queues.append(app, to: 0)
    }

    /// Finds the victims of both rules, and takes the victim of the drawn rule.
    public mutating func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        for app in queues.newcomers(among: candidates, at: now) { didOpen(app, at: now) }
        let byRecency = queues.inQuestion(0)
        let counts = counts
        // Among equals, the least recent app comes first, as in the queue.
        let places = byRecency.indices.sorted { (counts[byRecency[$0]], $0) < (counts[byRecency[$1]], $1) }
        let byFrequency = places.map { byRecency[$0] }
        let isRecency = draw < weight
        chooser = byRecency.first == byFrequency.first ? nil : isRecency ? .recency : .frequency
        order.set(isRecency ? byRecency : byFrequency)
    }

    /// Remembers the victim with the rule that chose it.
    public mutating func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        if candidate.app == order.next, let chooser {
            let death = Death(app: candidate.app, uses: uses)
            switch chooser {
            case .recency: remember(death, in: &lostToRecency)
            case .frequency: remember(death, in: &lostToFrequency)
            }
        }
        draw = random.nextUniform()
        queues.evict(candidate.app)
    }

    private func remember(_ death: Death, in list: inout [Death]) {
        list.append(death)
        list.removeFirst(max(0, list.count - queues.standing))
    }

    private static func takeOut(_ app: AppID, of list: inout [Death]) -> Death? {
        list.firstIndex { $0.app == app }.map { list.remove(at: $0) }
    }

    /// Regret of a death; it falls with every use since the death.
    private func regret(_ death: Death) -> Double {
        pow(parameters.discount, Double(uses - death.uses) / Double(max(1, queues.room)))
    }

    /// Multiplies the weight of the right rule by exp(rate · regret), and scales the sum of both weights to one.
    private mutating func adjust(by regret: Double) {
        weight = 1 / (1 + (1 / weight - 1) * exp(-parameters.learningRate * regret))
    }
}
