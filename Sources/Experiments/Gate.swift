// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Statistics

/// A condition on results: `metric(policy) <= x`, or `metric(policy) - metric(policy) <= 2 %`.
public struct Gate: Sendable {
    /// A metric under a policy.
    struct Term: Sendable, Equatable {
        let metric: Int
        let policy: Int
    }

    /// The condition as written.
    public let text: String
    let term: Term
    /// What is subtracted, replication by replication; nil when nothing is.
    let other: Term?
    /// Whether the value must stay below the limit, or above it.
    let isUpperLimit: Bool
    /// The limit, in the metric's unit or as a share of what is subtracted.
    let limit: Double
    let isShare: Bool

    /// Reads a condition.
    ///
    /// - Throws: `Diagnostics` naming what is wrong in it.
    public init(_ text: String, plan: Plan) throws(Diagnostics) {
        let form = "for instance \"relaunches_per_day(lru+immediate) <= 12\""
        guard let sign = text.lastIndex(where: { $0 == "<" || $0 == ">" }) else {
            throw Diagnostics("expected a condition with <= or >=, found \"\(text)\"", hint: form)
        }
        var right = text[text.index(after: sign)...]
        if right.first == "=" { right = right.dropFirst() }
        var number = right.split(separator: " ").joined()
        isShare = number.hasSuffix("%")
        if isShare { number.removeLast() }
        guard let limit = Double(number), limit.isFinite else {
            throw Diagnostics("expected a number behind the sign of \"\(text)\"", hint: form)
        }
        self.limit = isShare ? limit / 100 : limit
        self.text = text
        isUpperLimit = text[sign] == "<"
        let left = String(text[..<sign])
        let parts = Self.split(left)
        guard (1...2).contains(parts.count) else {
            throw Diagnostics("expected one metric, or one less another, found \"\(left)\"", hint: form)
        }
        term = try Self.term(parts[0], plan, form)
        other = parts.count == 2 ? try Self.term(parts[1], plan, form) : nil
        if isShare, other == nil, plan.metrics.entries[term.metric].unit != "1" {
            throw Diagnostics(
                "\"\(text)\": a share of what?",
                hint: "subtract the metric under another policy: metric(a) - metric(b) <= 2 %")
        }
    }

    /// Parts a text at a minus between two terms; policies have hyphens of their own, inside of brackets.
    private static func split(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == "-", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    /// `metric(policy)`, `metric(app=NAME)(policy)` or `metric`, which is the baseline's.
    private static func term(_ text: String, _ plan: Plan, _ form: String) throws(Diagnostics) -> Term {
        let word = text.split(separator: " ").joined(separator: " ")
        if let metric = plan.metrics.index(of: word) { return Term(metric: metric, policy: plan.baseline) }
        let names = plan.policies.map(\.name)
        for (policy, name) in names.enumerated() where word.hasSuffix("(\(name))") {
            let metric = String(word.dropLast(name.count + 2))
            if let index = plan.metrics.index(of: metric) { return Term(metric: index, policy: policy) }
            let near = nearest(to: metric, in: plan.metrics.names)
            throw Diagnostics(
                "the runs have no metric \"\(metric)\"",
                hint: near.map { "did you mean \"\($0)\"?" } ?? "flotsam list metrics shows them")
        }
        let inner = word.split(separator: "(").last.map { String($0.prefix { $0 != ")" }) } ?? word
        let near = nearest(to: inner, in: names).map { "did you mean \"\($0)\"?" }
        throw Diagnostics(
            "expected metric(policy), found \"\(word)\"",
            hint: near ?? "\(form); policies: " + names.joined(separator: ", "))
    }
}

/// What became of a condition at a sweep point.
public struct GateFinding: Sendable {
    /// Whether it holds.
    public enum Outcome: String, Sendable {
        /// The whole interval lies on the right side of the limit.
        case met
        /// The whole interval lies on the wrong side.
        case missed = "not met"
        /// The interval holds the limit, or there are fewer than five replications.
        case undecided
    }

    /// Index of the sweep point.
    public let point: Int
    /// The mean, or the mean difference; nil when no replication has it.
    public let mean: Double?
    /// Ends of the interval; infinite where there is none.
    public let low: Double
    /// Upper end.
    public let high: Double
    /// The limit in the metric's unit.
    public let limit: Double
    /// How far beyond the limit a true value must lie to be found missed in 80 of 100 cases, in the metric's unit;
    /// infinite where all values are equal.
    public let detectable: Double
    /// Number of replications.
    public let n: Int
    /// Whether it holds.
    public let outcome: Outcome
}

extension Gate {
    /// Holds the condition against the finished runs, at every sweep point.
    public func findings(_ plan: Plan, _ store: RunStore) -> [GateFinding] {
        let values = ReplicationValues(plan: plan, store: store)
        return plan.points.indices.map { point in
            guard let other else {
                return finding(values.finite(metric: term.metric, policy: term.policy, point: point), point, plan)
            }
            var before: [Double] = []
            var after: [Double] = []
            for replication in 0..<plan.replications {
                let pair = [other, term].map { values.value($0.metric, $0.policy, point, replication) }
                guard pair.allSatisfy(\.isFinite) else { continue }
                before.append(pair[0])
                after.append(pair[1])
            }
            return finding(before, after, point, plan)
        }
    }

    private func finding(_ values: [Double], _ point: Int, _ plan: Plan) -> GateFinding {
        guard !values.isEmpty else { return nothing(point) }
        let mean = MeanInterval(values, level: plan.analysis.level)
        let deviation = PairedComparison(baseline: values.map { _ in 0 }, alternative: values).deviation
        return judged(point, mean.mean, mean.low, mean.high, limit, deviation, values.count, plan)
    }

    private func finding(_ before: [Double], _ after: [Double], _ point: Int, _ plan: Plan) -> GateFinding {
        guard !before.isEmpty else { return nothing(point) }
        let paired = PairedComparison(baseline: before, alternative: after, level: plan.analysis.level)
        let limit = isShare ? self.limit * abs(paired.baselineMean) : self.limit
        return judged(
            point, paired.difference, paired.low, paired.high, limit, paired.deviation, before.count, plan)
    }

    private func nothing(_ point: Int) -> GateFinding {
        GateFinding(
            point: point, mean: nil, low: -.infinity, high: .infinity, limit: limit, detectable: .infinity, n: 0,
            outcome: .undecided)
    }

    private func judged(
        _ point: Int, _ mean: Double, _ low: Double, _ high: Double, _ limit: Double, _ deviation: Double, _ n: Int,
        _ plan: Plan
    ) -> GateFinding {
        let isMet = isUpperLimit ? high <= limit : low >= limit
        let isMissed = isUpperLimit ? low > limit : high < limit
        let decides = n >= PairedComparison.fewestDiffering
        return GateFinding(
            point: point, mean: mean, low: low, high: high, limit: limit,
            detectable: deviation > 0
                ? Power.detectable(deviation: deviation, n: n, alpha: 1 - plan.analysis.level) : .infinity,
            n: n,
            outcome: decides && isMet ? .met : decides && isMissed ? .missed : .undecided)
    }
}
