// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

extension Findings {
    /// Sentences about who loses under the winner or, without a winner, under the best rival; empty without a
    /// population.
    func who(_ point: Int) -> [String] {
        let told =
            winner(point)
            ?? [Verdict.undecided, .worse, .equivalent].lazy.compactMap {
                self.rivals($0, point).first
            }.first
        guard let policy = told else { return [] }
        return who(policy, point)
    }

    /// Sentences about who loses in the primary metric under a policy; empty without a population.
    public func who(_ policy: Int, _ point: Int) -> [String] {
        guard let who = judgement.whoLoses(metric: metric, policy: policy, point: point), let all = who.rows.first
        else { return [] }
        let band = Figures.rough(judgement.analysis.equivalence(of: entry.name) * 100)
        let isHarm = (all.worstTenth > 0) == (entry.better == .lower)
        let first =
            "Of \(Self.people(all.people)), \(Self.share(all)) fare worse in \(entry.title) with \(names[policy]) than "
            + "with \(baseline), by more than \(band) % of the baseline's value, and "
            + "\(Figures.rough(100 * Double(all.helped) / Double(all.people))) % fare better; "
            + "\(isHarm || all.worstTenth == 0 ? "the tenth that loses most" : "even the tenth that gains least") has "
            + "\(amount(all.worstTenth)) on average."
        return [first, byTrait(who)]
    }

    /// Sentence about the trait that best predicts who loses, and about the thirds of the people with its highest and
    /// lowest values.
    private func byTrait(_ who: WhoLoses) -> String {
        let traits = who.rows.filter { $0.tauP != nil }
        let count = Set(traits.compactMap { $0.trait?.name }).count
        let surest = traits.min { ($0.tauP ?? 1, -abs($0.tau ?? 0)) < ($1.tauP ?? 1, -abs($1.tau ?? 0)) }
        guard let surest, let trait = surest.trait, let tau = surest.tau,
            (surest.tauP ?? 1) <= 1 - judgement.analysis.level
        else { return "None of \(Self.count(count, "trait")) predicts who loses." }
        let thirds = who.rows.filter { $0.trait == trait }
        guard let low = thirds.first, let high = thirds.last else { return "" }
        return "The best predictor is \(trait.title): \(Self.those(high, "most")) "
            + "\(amount(high.paired.difference)), and \(Self.share(high)) of them fare worse; "
            + "\(Self.those(low, "least")) \(amount(low.paired.difference)), and \(Self.share(low)) fare "
            + "worse; tau \(Figures.rough(tau)), p \(Figures.probability(surest.tauP ?? 1)) after Holm over "
            + "\(Self.count(count, "trait"))."
    }

    /// Subject and verb of a clause about a group: "the third with the most (from 120) has", "those with poor have".
    private static func those(_ row: GroupRow, _ word: String) -> String {
        switch row.group {
        case .third(_, let from, let to):
            let end = word == "most" ? "from \(Figures.rough(from))" : "to \(Figures.rough(to))"
            return "the third with the \(word) (\(end)) has"
        case .word(let name, _): return "those with \(name) have"
        case .everybody, .kind: return "they have"
        }
    }

    /// Share with its interval: "31 % [25, 38]".
    private static func share(_ row: GroupRow) -> String {
        let ends = [row.share.low, row.share.high].map { Figures.rough($0 * 100) }
        return "\(Figures.rough(row.share.share * 100)) % [\(ends.joined(separator: ", "))]"
    }

    /// Difference in words: "9.1 s/d less", "2.3 more", "no change".
    private func amount(_ difference: Double) -> String {
        let size = Figures.rough(abs(difference))
        if size == "0" { return "no change" }
        let unit = entry.isCount || entry.unit == "1" ? "" : " " + entry.unit
        let word = entry.isCount ? (difference < 0 ? "fewer" : "more") : (difference < 0 ? "less" : "more")
        return size + unit + " " + word
    }

    private static func people(_ number: Int) -> String { number == 1 ? "1 person" : "\(number) people" }
}
