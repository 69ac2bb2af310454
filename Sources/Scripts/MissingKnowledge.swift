// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Data that a policy has in a run but that a report of one moment does not contain.
public enum MissingKnowledge: String, Sendable, CaseIterable {
    case lastUse = "when the user last saw each app"
    case uses = "how often the user opens each app"
    case history = "when the user opened which apps"
    case relaunch = "what a relaunch costs"
    case future = "when the user opens each app next"

    /// Data that a policy's order depends on and that a report lacks.
    ///
    /// An item is included if its change alone can change the order.
    public static func needed(by makePolicy: () -> any EvictionPolicy) -> [MissingKnowledge] {
        func order(_ changed: MissingKnowledge?, seed: UInt64, taught: UInt64?) -> [Int] {
            var policy = makePolicy()
            if let taught { teach(&policy, seed: taught) }
            return self.order(of: sample(changed, seed: seed), policy)
        }
        // Several changes are tried, because a single change may leave the order as it is by chance. With a history, an
        // effect that concerns only used apps shows too.
        return allCases.filter { each in
            (1...4).contains { (seed: UInt64) in
                if each == .history { return order(nil, seed: 0, taught: seed) != order(nil, seed: 0, taught: nil) }
                return [nil, seed].contains {
                    order(each, seed: seed, taught: $0) != order(nil, seed: seed, taught: $0)
                }
            }
        }
    }

    private static var processes: Int { 12 }
    private static var now: SimTime { .zero + .days(20) }

    /// Processes that differ only in size, age, time in the band, and in one more property.
    private static func sample(_ changed: MissingKnowledge?, seed: UInt64 = 0) -> [EvictionCandidate] {
        var random = PolicyRandom(seed: seed)
        return (0..<processes).map { index in
            let size = ByteCount.mebibytes(Double(10 + 7 * (index * 5 % processes)))
            var candidate = EvictionCandidate(
                app: AppID(index), band: 0, state: .suspended, footprint: size, resident: size * 0.5,
                bandSet: now - .seconds(Double(60 - index)), launched: now - .hours(Double(1 + index * 7 % processes)),
                lastForeground: now - .hours(1), opens: 3, relaunchTime: .seconds(1), relaunchEnergy: .joules(1))
            let draw = random.nextUniform()
            switch changed {
            case .lastUse: candidate.lastForeground = now - .hours(0.5 + 20 * draw)
            case .uses: candidate.opens = Int32(1 + 50 * draw)
            case .relaunch:
                candidate.relaunchTime = .seconds(0.2 + 3 * draw)
                candidate.relaunchEnergy = .joules(0.2 + 3 * draw)
            case .future: candidate.nextOpen = now + .hours(0.1 + 10 * draw)
            case .history, nil: break
            }
            return candidate
        }
    }

    /// Passes opens in the last ten days to a policy; recent opens are more frequent, and times differ between apps.
    private static func teach(_ policy: inout any EvictionPolicy, seed: UInt64) {
        var random = PolicyRandom(seed: seed)
        var opens: [(time: SimTime, app: AppID)] = []
        for index in 0..<processes {
            for _ in 0..<Int(1 + 10 * random.nextUniform()) {
                let past = random.nextUniform()
                opens.append((now - .days(10 * past * past * past), AppID(index)))
            }
        }
        for open in opens.sorted(by: { ($0.time, $0.app) < ($1.time, $1.app) }) {
            policy.didOpen(open.app, at: open.time)
        }
    }

    private static func order(of candidates: [EvictionCandidate], _ policy: any EvictionPolicy) -> [Int] {
        var policy = policy
        policy.survey(candidates, at: now)
        let ranks = candidates.map { policy.rank($0, at: now) }
        return candidates.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    }
}
