// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// Effect of a policy on a group of people; each person is compared with the same person under the baseline.
public struct GroupRow: Sendable {
    /// Definition of the group.
    public enum Group: Sendable, Equatable {
        case everybody
        /// Third of the people, by their values of a trait: low, middle or high, with the smallest and the largest
        /// value.
        case third(String, from: Double, to: Double)
        /// People whose value of a trait is a certain word, with the number of the word.
        case word(String, number: Double)
        /// A kind of people.
        case kind(String)
    }

    /// Index of the metric.
    public let metric: Int
    /// Index of the policy.
    public let policy: Int
    /// Index of the sweep point.
    public let point: Int
    /// Trait that defines the group; nil for the group of all people.
    public let trait: TraitName?
    /// Definition of the group.
    public let group: Group
    /// Paired differences of the group's people.
    public let paired: PairedComparison
    /// Number of people whose value is worse than their value under the baseline by more than the band of equivalence.
    ///
    /// The band is a share of each person's own value under the baseline.
    public let harmed: Int
    /// Number of people whose value is better by more than this band.
    public let helped: Int
    /// Share of harmed people in the group, with its interval.
    public let share: ShareInterval
    /// Mean difference of the tenth of the group that loses most; the tenth is rounded up to whole people.
    public let worstTenth: Double
    /// Kendall's tau-b between the trait and the harm, over all people; nil for the group of all people and for kinds.
    public let tau: Double?
    /// P-value of tau, corrected over the traits by Holm's method.
    public internal(set) var tauP: Double?

    /// Number of people in the group.
    public var people: Int { paired.n }
}

/// Winners and losers when a policy replaces the baseline, for one metric and one sweep point.
public struct WhoLoses: Sendable {
    /// Row of all people, then rows of the groups of each trait, then rows of the kinds.
    public let rows: [GroupRow]

    /// Names of the thirds in ascending order of the trait.
    static let thirds = ["low", "middle", "high"]

    /// The two values of one person, in the metric's unit.
    private struct Pair {
        let person: Int
        let baseline: Double
        let alternative: Double
    }

    /// Compares people under a policy with the same people under the baseline.
    ///
    /// The result is nil without a population, if no direction of the metric is better, or if no person has a value
    /// under both policies.
    init?(_ judgement: Judgement, metric: Int, policy: Int, point: Int) {
        let plan = judgement.plan
        let entry = plan.metrics.entries[metric]
        guard let people = plan.people, entry.better != .neutral, policy != judgement.baseline else { return nil }
        let pairs = (0..<min(plan.replications, people.people.count)).compactMap { person -> Pair? in
            let values = [judgement.baseline, policy].map { judgement.values.value(metric, $0, point, person) }
            return values.allSatisfy(\.isFinite)
                ? Pair(person: person, baseline: values[0], alternative: values[1]) : nil
        }
        guard !pairs.isEmpty else { return nil }
        let sign = entry.better == .lower ? 1.0 : -1.0
        let rules = judgement.analysis
        let band = rules.equivalence(of: entry.name)
        func change(_ pair: Pair) -> Double { PairedComparison.change(from: pair.baseline, to: pair.alternative) }
        func harm(_ pair: Pair) -> Double { sign * change(pair) }
        func row(_ group: GroupRow.Group, _ trait: TraitName?, _ members: [Pair], tau: Double? = nil) -> GroupRow {
            let worst = members.sorted { (harm($1), $0.person) < (harm($0), $1.person) }
                .prefix((members.count + 9) / 10)
            let harmed = members.count { harm($0) > band * abs($0.baseline) }
            return GroupRow(
                metric: metric, policy: policy, point: point, trait: trait, group: group,
                paired: PairedComparison(
                    (members.map(\.baseline), members.map(\.alternative)), of: entry, level: rules.level),
                harmed: harmed, helped: members.count { harm($0) < -band * abs($0.baseline) },
                share: ShareInterval(harmed, of: members.count, level: rules.level),
                worstTenth: worst.reduce(0) { $0 + change($1) } / Double(worst.count), tau: tau)
        }
        var rows = [row(.everybody, nil, pairs)]
        let harms = pairs.map(harm)
        for (index, trait) in people.traits.enumerated() {
            let values = pairs.map { people.people[$0.person].traits[index] }
            let tau = kendallTauB(values, harms)
            if !trait.words.isEmpty {
                for (number, word) in trait.words.enumerated() {
                    let members = pairs.indices.filter { values[$0] == Double(number) }.map { pairs[$0] }
                    guard !members.isEmpty else { continue }
                    rows.append(row(.word(word, number: Double(number)), trait, members, tau: tau))
                }
                continue
            }
            let order = pairs.indices.sorted { (values[$0], pairs[$0].person) < (values[$1], pairs[$1].person) }
            for (number, name) in Self.thirds.enumerated() {
                let members = order[(order.count * number / 3)..<(order.count * (number + 1) / 3)]
                guard let first = members.first, let last = members.last else { continue }
                let group = GroupRow.Group.third(name, from: values[first], to: values[last])
                rows.append(row(group, trait, members.map { pairs[$0] }, tau: tau))
            }
        }
        for kind in people.kinds {
            let members = pairs.filter { people.people[$0.person].kind == kind }
            guard !members.isEmpty else { continue }
            rows.append(row(.kind(kind), TraitName(name: "kind", title: "kind of people"), members))
        }
        self.rows = Self.corrected(rows, people.traits, count: pairs.count)
    }

    /// Sets the p-values of tau, corrected over the traits.
    private static func corrected(_ rows: [GroupRow], _ traits: [TraitName], count: Int) -> [GroupRow] {
        let known = traits.compactMap { trait -> (TraitName, Double)? in
            rows.first { $0.trait == trait }?.tau.map { (trait, kendallPValue($0, count: count)) }
        }
        let adjusted = zip(known.map(\.0), holm(known.map(\.1)))
        var rows = rows
        for (trait, p) in adjusted {
            for index in rows.indices where rows[index].trait == trait { rows[index].tauP = p }
        }
        return rows
    }
}

extension Judgement {
    /// Metrics for which losers are shown: the primary metric and the shown metrics.
    public var metricsOfPeople: [Int] {
        var metrics: [Int] = []
        for name in [analysis.primary] + analysis.shown {
            if let index = plan.metrics.index(of: name), !metrics.contains(index) { metrics.append(index) }
        }
        return metrics
    }

    /// Winners and losers in a metric under a policy; nil without a population, or if no direction is better.
    public func whoLoses(metric: Int, policy: Int, point: Int) -> WhoLoses? {
        WhoLoses(self, metric: metric, policy: policy, point: point)
    }

    /// The text of `who.csv`.
    var whoTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.who(axes: plan.axisColumns).header)
        for metric in metricsOfPeople {
            for policy in plan.policies.indices {
                for point in plan.points.indices {
                    for row in whoLoses(metric: metric, policy: policy, point: point)?.rows ?? [] { append(row, &out) }
                }
            }
        }
        return out.bytes
    }

    private func append(_ row: GroupRow, _ out: inout ByteBuffer) {
        lead(row.metric, [plan.policies[baseline].name, plan.policies[row.policy].name], row.point, &out)
        let (name, from, to): (String, Double?, Double?) =
            switch row.group {
            case .everybody: ("all", nil, nil)
            case .third(let name, let from, let to): (name, from, to)
            case .word(let name, let number): (name, number, number)
            case .kind(let name): (name, nil, nil)
            }
        for text in [row.trait?.name ?? "", name] {
            out.comma()
            out.append(field: text)
        }
        for value in [from, to] { append(value, &out) }
        for number in [row.people, row.harmed, row.helped] {
            out.comma()
            out.append(number)
        }
        for value in [row.share.share, row.share.low, row.share.high] { append(value, &out) }
        for value in [row.paired.difference, row.paired.low, row.paired.high, row.worstTenth, row.tau, row.tauP] {
            append(value, &out)
        }
        out.newline()
    }

    /// The text of `people.csv`.
    var peopleTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.people(traits: plan.people?.tableTraits ?? []).header)
        for (number, person) in (plan.people?.people ?? []).prefix(plan.replications).enumerated() {
            out.append(number)
            out.comma()
            out.append(field: person.kind)
            for value in person.traits { append(value, &out) }
            out.newline()
        }
        return out.bytes
    }
}

extension PlannedPeople {
    /// Names and titles of the traits, for the table of people.
    var tableTraits: [(name: String, title: String)] { traits.map { ($0.name, $0.title) } }
}
