// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

/// Sensitivity of a paired difference to a constant whose values were drawn for the samples of `uncertainty`.
public struct DoubtRow: Sendable {
    /// Path of the constant in the experiment.
    public let path: String
    /// Kendall's tau-b between the draws and the differences, from -1 to 1.
    public let tau: Double
    /// P-value of tau, corrected over the constants by Holm's method.
    public internal(set) var p: Double
    /// Mean difference in the third of the replications with the smallest draws.
    public let low: Double
    /// Mean difference in the third of the replications with the largest draws.
    public let high: Double
}

extension Judgement {
    /// Sensitivities of a policy's difference from the baseline, with the largest absolute tau first.
    ///
    /// The list is empty without `uncertainty`, and with fewer pairs than a verdict needs.
    public func doubts(metric: Int, policy: Int, point: Int) -> [DoubtRow] {
        guard policy != baseline else { return [] }
        let pairs = (0..<plan.replications).compactMap { replication -> (replication: Int, difference: Double)? in
            let values = [baseline, policy].map { self.values.value(metric, $0, point, replication) }
            guard values.allSatisfy(\.isFinite) else { return nil }
            return (replication, PairedComparison.change(from: values[0], to: values[1]))
        }
        guard pairs.count >= PairedComparison.fewestDiffering else { return [] }
        let differences = pairs.map(\.difference)
        var rows = plan.doubts.compactMap { doubt -> DoubtRow? in
            let draws = pairs.map { doubt.value(replication: $0.replication) }
            guard let tau = kendallTauB(draws, differences) else { return nil }
            let order = pairs.indices.sorted { (draws[$0], $0) < (draws[$1], $1) }
            let third = max(order.count / 3, 1)
            func mean(_ members: ArraySlice<Int>) -> Double {
                members.reduce(0) { $0 + differences[$1] } / Double(members.count)
            }
            return DoubtRow(
                path: doubt.path, tau: tau, p: kendallPValue(tau, count: pairs.count), low: mean(order.prefix(third)),
                high: mean(order.suffix(third)))
        }
        for (index, p) in holm(rows.map(\.p)).enumerated() { rows[index].p = p }
        return rows.sorted { (-abs($0.tau), $0.path) < (-abs($1.tau), $1.path) }
    }
}

extension Findings {
    /// Sentence about the three constants that most affect the difference in the primary metric; nil without
    /// `uncertainty`.
    func doubt(_ point: Int) -> String? {
        // Without a winner, the first undecided policy is used, or else the first equivalent or worse one.
        let rivals = [Verdict.undecided, .equivalent, .worse].lazy.compactMap { self.rivals($0, point).first }
        guard let policy = winner(point) ?? rivals.first else { return nil }
        let rows = judgement.doubts(metric: metric, policy: policy, point: point)
        guard !rows.isEmpty else { return nil }
        let unit = entry.isCount || entry.unit == "1" ? "" : " " + entry.unit
        let parts = rows.prefix(3).map { row in
            "\(row.path) (\(Figures.rough(row.low))\(unit) in the third of the runs with the smallest values, "
                + "\(Figures.rough(row.high))\(unit) in the third with the largest values, tau "
                + "\(Figures.rough(row.tau)), p \(Figures.probability(row.p)))"
        }
        let isSure = rows[0].p <= 1 - judgement.analysis.level
        let constants = Self.count(rows.count, "constant")
        let (who, most) =
            isSure
            ? ("The difference of ", " depends most on ")
            : ("None of them significantly affects the difference of ", "; the strongest is ")
        let text = "The interval includes the uncertainty of \(constants) of the phone. \(who)"
        return text + names[policy] + most + parts.joined(separator: ", then ") + "."
    }
}
