// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// What a policy does to a group of people, each compared with themselves under the baseline.
public struct GroupRow: Sendable {
    /// Who is in the group.
    public enum Group: Sendable, Equatable {
        case everybody
        /// The third of the people in which a trait is lowest, in the middle or highest; with its least and its largest
        /// value.
        case third(String, from: Double, to: Double)
        /// Those who share one of the words that a trait takes, with its number.
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
    /// The trait by which the group was made; nil for everybody.
    public let trait: TraitName?
    /// Who is in it.
    public let group: Group
    /// The paired differences of its people.
    public let paired: PairedComparison
    /// People who fare worse than under the baseline by more than the band of equivalence, a share of what they have
    /// there, each.
    public let harmed: Int
    /// People who fare better by as much.
    public let helped: Int
    /// The share of the harmed.
    public let share: ShareInterval
    /// Mean difference of the tenth of its people who fare worst, rounded up to whole people.
    public let worstTenth: Double
    /// How the trait orders all people as against their harm, Kendall's tau-b; nil for everybody and for kinds.
    public let tau: Double?
    /// Its p-value, after Holm over the traits.
    public internal(set) var tauP: Double?

    /// How many people there are.
    public var people: Int { paired.n }
}

/// Who loses and who wins when a policy replaces the baseline, in one metric at one sweep point.
public struct WhoLoses: Sendable {
    /// Everybody first, then the groups of each trait, then the kinds.
    public let rows: [GroupRow]

    /// The names of thirds, from the lowest values of a trait to the highest.
    static let thirds = ["low", "middle", "high"]

    /// One person's two values, in the metric's unit.
    private struct Pair {
        let person: Int
        let baseline: Double
        let alternative: Double
    }

    /// Compares; nil without people, for a metric that judges nobody, and where nobody has both values.
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

    /// Gives each trait the p-value of its tau, corrected over the traits.
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
    /// The metrics of which is told who loses: the primary one and those that the experiment shows.
    public var metricsOfPeople: [Int] {
        var metrics: [Int] = []
        for name in [analysis.primary] + analysis.shown {
            if let index = plan.metrics.index(of: name), !metrics.contains(index) { metrics.append(index) }
        }
        return metrics
    }

    /// Who loses in a metric under a policy; nil without a population, and for a metric that judges nobody.
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
    /// Names and meanings of the traits, as the table of people takes them.
    var tableTraits: [(name: String, title: String)] { traits.map { ($0.name, $0.title) } }
}
