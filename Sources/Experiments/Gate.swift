// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Measures
import Phone
import PhoneCore
import Platform
import Scenario
import Statistics

/// Condition on results: `metric(policy) <= x`, or `metric(policy) - metric(policy) <= 2 %`.
public struct Gate: Sendable {
    /// A metric under a policy.
    struct Term: Sendable, Equatable {
        let metric: Int
        let policy: Int
    }

    /// Text of the condition as written.
    public let text: String
    let term: Term
    /// Term that is subtracted in each replication; nil when there is none.
    let other: Term?
    /// Whether the limit is an upper limit.
    let isUpperLimit: Bool
    /// Limit in the metric's unit, or as a share of the subtracted term's mean.
    let limit: Double
    let isShare: Bool

    /// Reads a condition.
    ///
    /// - Throws: `Diagnostics` about the invalid part of the condition.
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
            throw Diagnostics("expected a number after the <= or >= in \"\(text)\"", hint: form)
        }
        self.limit = isShare ? limit / 100 : limit
        self.text = text
        isUpperLimit = text[sign] == "<"
        let left = String(text[..<sign])
        let parts = Self.split(left)
        guard (1...2).contains(parts.count) else {
            throw Diagnostics("expected one metric, or one metric minus another, found \"\(left)\"", hint: form)
        }
        term = try Self.term(parts[0], plan, form)
        other = parts.count == 2 ? try Self.term(parts[1], plan, form) : nil
        if isShare, other == nil, plan.metrics.entries[term.metric].unit != "1" {
            throw Diagnostics(
                "\"\(text)\": a limit in % needs a difference of two metrics",
                hint: "subtract the metric under another policy: metric(a) - metric(b) <= 2 %")
        }
    }

    /// Splits a text at the minus between two terms; hyphens in brackets belong to names of policies.
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

    /// Reads `metric(policy)`, `metric(app=NAME)(policy)` or `metric`, which applies to the baseline.
    private static func term(_ text: String, _ plan: Plan, _ form: String) throws(Diagnostics) -> Term {
        let word = text.split(separator: " ").joined(separator: " ")
        if let metric = plan.metrics.index(of: word) { return Term(metric: metric, policy: plan.baseline) }
        let names = plan.policies.map(\.name)
        for (policy, name) in Array(names.enumerated()) + Array(plan.shortNames.enumerated())
        where word.hasSuffix("(\(name))") {
            let metric = String(word.dropLast(name.count + 2))
            if let index = plan.metrics.index(of: metric) { return Term(metric: index, policy: policy) }
            throw Diagnostics(
                "the runs have no metric \"\(metric)\"",
                hint: nameHint(metric, in: plan.metrics.names, alike: "similar: ", all: "flotsam list metrics"))
        }
        let inner = word.split(separator: "(").last.map { String($0.prefix { $0 != ")" }) } ?? word
        let near = nearest(to: inner, in: names).map { "did you mean \"\($0)\"?" }
        throw Diagnostics(
            "expected metric(policy), found \"\(word)\"",
            hint: near ?? "\(form); policies: " + names.joined(separator: ", "))
    }
}

/// Result of a condition at a sweep point.
public struct GateFinding: Sendable {
    /// Whether the condition is met.
    public enum Outcome: String, Sendable {
        /// The whole interval is on the valid side of the limit.
        case met
        /// The whole interval is on the invalid side of the limit.
        case missed = "not met"
        /// The interval contains the limit, fewer than five replications have a value, or their spread is unknown.
        case undecided
    }

    /// Index of the sweep point.
    public let point: Int
    /// Mean or mean difference; nil when no replication has a value.
    public let mean: Double?
    /// Lower end of the interval; infinite if there is none.
    public let low: Double
    /// Upper end of the interval; infinite if there is none.
    public let high: Double
    /// Limit in the metric's unit.
    public let limit: Double
    /// Distance from the limit that is detected with a power of 80 %, in the metric's unit.
    ///
    /// The distance is infinite if all values are equal.
    public let detectable: Double
    /// Number of replications that have a value.
    public let n: Int
    /// Number of finished replications without a value.
    public internal(set) var withoutValue = 0
    /// Whether the condition is met.
    public let outcome: Outcome
    /// Number of equal values that would decide; nil unless all values are equal and there are too few of them.
    public let wanted: Int?

    /// Smallest number of equal values that proves, at a level, that their share of all replications is at least this
    /// level.
    ///
    /// If a share q of all replications has the value, n replications have it with probability q^n. With q = level,
    /// this probability is below 1 - level if n is at least log(1 - level) / log(level), which is 59 at 95 %.
    public static func fewestEqual(level: Double) -> Int { Int((log(1 - level) / log(level)).rounded(.up)) }
}

extension Gate {
    /// Checks the condition against the finished runs, at every sweep point.
    public func findings(_ plan: Plan, _ store: RunStore) -> [GateFinding] {
        let values = ReplicationValues(plan: plan, store: store)
        return plan.points.indices.map { point in
            guard let other else {
                let found = values.finite(metric: term.metric, policy: term.policy, point: point)
                var result = finding(found, point, plan)
                result.withoutValue = values.withoutValue(term.metric, term.policy, point).number
                return result
            }
            var before: [Double] = []
            var after: [Double] = []
            for replication in 0..<plan.replications {
                let pair = [other, term].map { values.value($0.metric, $0.policy, point, replication) }
                guard pair.allSatisfy(\.isFinite) else { continue }
                before.append(pair[0])
                after.append(pair[1])
            }
            var result = finding(before, after, point, plan)
            let done = [other, term].map { values.withoutValue($0.metric, $0.policy, point).done }.min() ?? 0
            result.withoutValue = max(0, done - before.count)
            return result
        }
    }

    private func finding(_ values: [Double], _ point: Int, _ plan: Plan) -> GateFinding {
        guard !values.isEmpty else { return nothing(point) }
        let mean = MeanInterval(values, level: plan.analysis.level)
        let deviation = PairedComparison(ofDifferences: values).deviation
        return judged(values, point, mean.low...mean.high, limit, deviation, plan)
    }

    private func finding(_ before: [Double], _ after: [Double], _ point: Int, _ plan: Plan) -> GateFinding {
        guard !before.isEmpty else { return nothing(point) }
        let paired = PairedComparison(
            (before, after), of: plan.metrics.entries[term.metric], level: plan.analysis.level)
        let limit = isShare ? self.limit * abs(paired.baselineMean) : self.limit
        let changes = zip(before, after).map { PairedComparison.change(from: $0, to: $1) }
        return judged(changes, point, paired.low...paired.high, limit, paired.deviation, plan)
    }

    private func nothing(_ point: Int) -> GateFinding {
        GateFinding(
            point: point, mean: nil, low: -.infinity, high: .infinity, limit: limit, detectable: .infinity, n: 0,
            outcome: .undecided, wanted: nil)
    }

    private func judged(
        _ values: [Double], _ point: Int, _ interval: ClosedRange<Double>, _ limit: Double, _ deviation: Double,
        _ plan: Plan
    ) -> GateFinding {
        let n = values.count
        let level = plan.analysis.level
        let mean = values.reduce(0, +) / Double(n)
        let ends = Self.known(interval, values, level)
        let isMet = isUpperLimit ? ends.upperBound <= limit : ends.lowerBound >= limit
        let isMissed = isUpperLimit ? ends.lowerBound > limit : ends.upperBound < limit
        let decides = n >= PairedComparison.fewestDiffering
        let fewest = GateFinding.fewestEqual(level: level)
        return GateFinding(
            point: point, mean: mean, low: ends.lowerBound, high: ends.upperBound, limit: limit,
            detectable: deviation > 0 ? Power.detectable(deviation: deviation, n: n, alpha: 1 - level) : .infinity,
            n: n, outcome: decides && isMet ? .met : decides && isMissed ? .missed : .undecided,
            wanted: decides && Self.mostEqual(values) == n && n < fewest ? fewest : nil)
    }

    /// The interval of a mean if the spread of the values is known; otherwise an infinite interval.
    ///
    /// Equal values show no spread, so at least `GateFinding.fewestEqual` of them are required. The spread is also
    /// unknown if fewer than five values differ from the most frequent one, as in comparisons of pairs.
    private static func known(
        _ interval: ClosedRange<Double>, _ values: [Double], _ level: Double
    ) -> ClosedRange<Double> {
        let most = mostEqual(values)
        if most == values.count {
            return most < GateFinding.fewestEqual(level: level) ? -.infinity ... .infinity : values[0]...values[0]
        }
        let isRare = 2 * most > values.count && values.count - most < PairedComparison.fewestDiffering
        return isRare ? -.infinity ... .infinity : interval
    }

    /// Number of occurrences of the most frequent value.
    private static func mostEqual(_ values: [Double]) -> Int {
        Dictionary(grouping: values) { $0 }.values.map(\.count).max() ?? 0
    }
}
