// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Statistics

extension Findings {
    /// Sentence that compares all policies except the winner with the baseline; nil without a winner.
    func rest(_ point: Int) -> String? {
        guard let winner = winner(point) else { return nil }
        func told(_ policies: [Int]) -> String {
            Self.few(
                policies.map { policy in
                    let amount = row(policy, point)?.paired.map {
                        $0.isTooRare ? "" : " (\(Change($0, entry).amount))"
                    }
                    return names[policy] + (amount ?? "")
                })
        }
        let parts = [
            ("also better", rivals(.better, point).filter { $0 != winner }), ("worse", rivals(.worse, point)),
            ("equivalent", rivals(.equivalent, point)), ("undecided", rivals(.undecided, point)),
        ].filter { !$0.1.isEmpty }.map { "\($0.0): \(told($0.1))" }
        return parts.isEmpty ? nil : "Against \(baseline), " + parts.joined(separator: "; ") + "."
    }

    /// Sentence about the references, and about the share of their gain that the winner achieves.
    func references(_ point: Int) -> String? {
        let parts = plan.policies.indices.compactMap { reference -> String? in
            guard reference != judgement.baseline, plan.policies[reference].isReference,
                let paired = row(reference, point)?.paired
            else { return nil }
            let change = Change(paired, entry)
            let has = change.isNone ? "makes" : "has"
            let text = "\(names[reference]), \(plan.policies[reference].referenceTitle), \(has) \(change.of)"
            return text + beside(reference: reference, paired, point)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
    }

    /// Sentence about the largest gain that any eviction order can have, and about the gain of the best policy.
    public func bound(_ point: Int) -> String? {
        guard let bound = judgement.evictionBound(point) else { return nil }
        let most = "No order of eviction can save more than \(bound.most) % of \(baseline)'s \(entry.title) here"
        let given = "with the opens, the background work and the daemons of these runs"
        guard let best = bound.best else { return "\(most), \(given)." }
        return "\(most), \(given); \(names[best.policy]) saves \(best.saved) %."
    }

    /// Sentence about the smallest number of background fetches that keeps every copy fresh.
    ///
    /// This number is compared with the baseline and with the policy that shows the fewest stale copies.
    public func fetchBound(_ point: Int) -> String? {
        guard let bound = judgement.fetchBound(point) else { return nil }
        let freshest = bound.found.min { ($0.stale, $0.occasions) < ($1.stale, $1.occasions) }
        let told = bound.found.filter { $0.policy == judgement.baseline || $0.policy == freshest?.policy }
        let words = told.map { row in
            "\(names[row.policy]) uses \(Figures.rough(row.occasions)) and leaves "
                + "\(Figures.rough(100 * row.stale)) % of opens with an older copy"
        }
        let least = "\(Figures.rough(bound.least)) fetch occasions a day outside of sessions"
        return "To keep every copy at most fresh_for old at each open, a schedule needs at least \(least); "
            + words.joined(separator: ", ") + "."
    }

    /// Clause that compares the winner, or the baseline, with a reference.
    private func beside(reference: Int, _ paired: PairedComparison, _ point: Int) -> String {
        let isNoBound = ", so \(names[reference]) is not a bound"
        if paired.excludesZero, (paired.difference < 0) != (entry.better == .lower) {
            return ": \(baseline) does better" + isNoBound
        }
        guard let winner = winner(point),
            let row = judgement.headrooms.first(where: {
                $0.policy == winner && $0.reference == reference && $0.point == point
            })
        else { return "" }
        switch row.finding {
        case .closes:
            let ends = [row.headroom.low, row.headroom.high].map(Figures.closed)
            return ": \(names[winner]) closes \(Figures.closed(row.headroom.share)) % of that gap ["
                + ends.joined(separator: ", ") + "]"
        case .beats: return ": \(names[winner]) does better" + isNoBound
        case .reaches: return ": the difference between \(names[winner]) and \(names[reference]) is not significant"
        case .closesNothing, .referenceLoses, .noSureGap: return ""
        }
    }

    /// Sentence about the winner's changes in other metrics, ordered by verdict.
    func beside(_ point: Int) -> String? {
        guard let winner = winner(point), !others.isEmpty else { return nil }
        var parts: [String: [String]] = [:]
        for other in others {
            let metric = plan.metrics.entries[other]
            guard let row = judgement.comparisonRow(metric: other, policy: winner, point: point),
                let paired = row.paired
            else { continue }
            let isTold = !paired.isTooRare && (row.verdict == .better || row.verdict == .worse)
            let told = isTold || (row.verdict == .neutral && !paired.isTooRare && !paired.isTooUneven)
            parts[row.verdict.rawValue, default: []].append(told ? Change(paired, metric).of : metric.title)
        }
        let order = Verdict.allCases.map(\.rawValue)
        let clauses = order.compactMap { group in parts[group].map { "\(group): " + $0.joined(separator: ", ") } }
        guard !clauses.isEmpty else { return nil }
        return "Other metrics (exploratory), \(names[winner]) against \(baseline): "
            + clauses.joined(separator: "; ") + "."
    }

    /// Sentence about the variance that is saved because both policies run with the same users.
    func pairing(_ point: Int) -> String? {
        guard let policy = winner(point) ?? rivals(.undecided, point).first, let paired = row(policy, point)?.paired,
            !paired.isTooRare, paired.varianceReduction.isFinite
        else { return nil }
        let factor = paired.varianceReduction
        // Differences that are equal up to rounding have no variance that can be compared.
        guard Double(paired.n) * factor < 1e9 else { return nil }
        let runs = Int((Double(paired.n) * factor).rounded())
        if factor < 1 {
            return "Running both policies with the same users did not help, but multiplied the variance of the "
                + "difference between \(names[policy]) and \(baseline) by \(Figures.rough(1 / factor))."
        }
        return "Running both policies with the same users divided the variance of the difference between "
            + "\(names[policy]) and \(baseline) by \(Figures.rough(factor)): \(Self.count(paired.n, "pair")) "
            + "\(paired.n == 1 ? "is" : "are") worth \(runs) independent runs of each."
    }
}
