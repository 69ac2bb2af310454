// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Vocabulary

/// An eviction policy in a separate process.
///
/// A process cannot be copied, so this is a class, and runs with the policy are not forked.
final class ProcessEviction: EvictionPolicy, @unchecked Sendable {
    private let session: PolicySession

    init(_ session: PolicySession) { self.session = session }

    var ranksTogether: Bool { true }
    var rankLifetime: SimDuration? { session.about.rankLifetime }
    var replacesTrigger: Bool { session.about.descriptor.replacesTrigger }

    func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { ranks(of: [candidate], at: now)[0] }

    func ranks(of candidates: [EvictionCandidate], at now: SimTime) -> [Double] {
        candidates.isEmpty ? [] : session.ranks(of: candidates, at: now)
    }

    func didEvict(_ candidate: EvictionCandidate, at now: SimTime) {
        session.notify(.evict, now) { line in
            line.key("candidate")
            line.view(seen(candidate))
        }
    }

    func didOpen(_ app: AppID, at now: SimTime) { session.notify(.open, now) { $0.field("app", app.index) } }

    func highestRankToDie(_ memory: MemoryView, at now: SimTime) -> Double? {
        session.ask("highest_rank_to_die", now) { line in
            line.key("memory")
            line.view(memory)
        } read: { answer -> Double?? in
            guard let rank = answer["rank"] else { return nil }
            if rank.isNull { return .some(nil) }
            return rank.number.map { .some($0) }
        }
    }

    func survey(_ candidates: [EvictionCandidate], at now: SimTime) {
        session.notify(.survey, now) { line in
            line.key("candidates")
            line.begin("[")
            for candidate in candidates { line.view(seen(candidate)) }
            line.end("]")
        }
    }

    private func seen(_ candidate: EvictionCandidate) -> EvictionCandidate {
        session.about.descriptor.isOracle ? candidate : candidate.blind
    }
}

/// A scheduling policy in a separate process.
final class ProcessScheduling: SchedulingPolicy, @unchecked Sendable {
    private let session: PolicySession

    init(_ session: PolicySession) { self.session = session }

    var ringsAtFloor: Bool { session.about.ringsAtFloor }
    var keepsBudgets: Bool { session.about.keepsBudgets }

    func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
        session.ask("decide", device.now) { line in
            line.key("request")
            line.view(seen(request))
            line.key("device")
            line.view(device)
        } read: {
            decision($0)
        }
    }

    /// Reads a decision such as `{"proceed": false, "rule": "rate-limit", "until": 900000000000, "wake_on":
    /// ["plugged-in"]}`.
    private func decision(_ answer: Node) -> SchedulingDecision? {
        guard let proceed = answer["proceed"]?.truth, let rule = answer["rule"]?.quotedText,
            var decision = session.about.rules[rule]
        else { return nil }
        decision.proceed = proceed
        decision.score = proceed ? 1 : 0
        if let score = answer["score"] {
            guard let number = score.number else { return nil }
            decision.score = number
        }
        if let threshold = answer["threshold"] {
            guard let number = threshold.number else { return nil }
            decision.threshold = number
        }
        if let until = answer["until"] {
            guard let instant = until.instant else { return nil }
            decision.reconsider = instant
        }
        for word in answer["wake_on"]?.items ?? [] {
            guard let change = word.quotedText.flatMap({ ConditionChange.named[$0] }) else { return nil }
            decision.wakeOn.insert(ConditionChanges(rawValue: 1 << change.rawValue))
        }
        return decision
    }

    func didFinish(_ request: RequestView, foundNewContent: Bool, at now: SimTime) {
        session.notify(.finish, now) { line in
            line.field("found_new_content", foundNewContent)
            line.key("request")
            line.view(seen(request))
        }
    }

    func didSubmit(_ request: RequestView, at now: SimTime) { notify(.submit, request, now) }

    func didWithdraw(_ request: RequestView, at now: SimTime) { notify(.withdraw, request, now) }

    private func notify(_ event: ProcessAbout.Event, _ request: RequestView, _ now: SimTime) {
        session.notify(event, now) { line in
            line.key("request")
            line.view(seen(request))
        }
    }

    private func seen(_ request: RequestView) -> RequestView {
        session.about.descriptor.isOracle ? request : request.blind
    }
}

extension ConditionChange {
    /// Changes of conditions by their names in kebab-case.
    static let named: [String: ConditionChange] = Dictionary(
        uniqueKeysWithValues: allCases.map { change in
            let letters = "\(change)".map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }
            return (letters.joined(), change)
        })
}
