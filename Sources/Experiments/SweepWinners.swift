// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Recording
import Scenario
import Statistics

/// Policy with the best mean of the primary metric at a sweep point, and its significance.
public struct WinnerRow: Sendable {
    /// Index of the sweep point.
    public let point: Int
    /// Index of the policy with the best mean.
    public let winner: Int
    /// Index of the policy with the second-best mean.
    public let runnerUp: Int
    /// Comparison of the winner with the runner-up.
    public let paired: PairedComparison
    /// P-value of this comparison.
    ///
    /// If the analysis sets a correction, the correction covers every pair of rivals at every point.
    public let adjustedP: Double
    /// Verdict: `better` when the winner is significantly better than every other policy, otherwise `undecided`.
    public let verdict: Verdict
    /// Axes on which the next value has another winner.
    public let flips: [Int]
    /// Axes of `flips` on which both winners are significantly better than every other policy.
    public internal(set) var sureFlips: [Int] = []
}

extension Judgement {
    /// Winner at each point of a sweep, among the rivals with values at the point.
    ///
    /// The list is empty for a metric of which no direction is better.
    static func winners(_ plan: Plan, _ values: ReplicationValues, _ rules: Analysis) -> [WinnerRow] {
        guard plan.points.count > 1, let metric = plan.metrics.index(of: rules.primary) else { return [] }
        let entry = plan.metrics.entries[metric]
        guard entry.better != .neutral else { return [] }
        var orders: [[Int]] = []
        var pairs: [(point: Int, better: Int, other: Int, paired: PairedComparison)] = []
        for point in plan.points.indices {
            let order = order(plan, values, metric, point, entry.better)
            orders.append(order)
            for (rank, better) in order.enumerated() {
                for other in order[(rank + 1)...] {
                    let lists = values.pairs(metric: metric, (other, point), (better, point))
                    guard !lists.baseline.isEmpty else { continue }
                    let paired = PairedComparison(lists, of: entry, level: rules.level)
                    pairs.append((point, better, other, paired))
                }
            }
        }
        let corrected = rules.corrected(pairs.map(\.paired)) { index in
            let pair = pairs[index]
            return values.changes(metric: metric, from: (pair.other, pair.point), to: (pair.better, pair.point))
        }
        let judged = zip(pairs, corrected).map { pair, found in
            (pair, found, verdict(found.paired, adjustedP: found.p, entry, rules))
        }
        let byPoint = Dictionary(grouping: judged) { $0.0.point }
        let flips = flips(plan, orders)
        let rows = orders.enumerated().compactMap { point, order -> WinnerRow? in
            let own = byPoint[point, default: []].filter { $0.0.better == order.first }
            guard order.count > 1, own.count == order.count - 1,
                let next = own.first(where: { $0.0.other == order[1] })
            else { return nil }
            return WinnerRow(
                point: point, winner: order[0], runnerUp: order[1], paired: next.1.paired, adjustedP: next.1.p,
                verdict: own.allSatisfy { $0.2 == .better } ? .better : .undecided,
                flips: flips[point].map(\.axis))
        }
        let sure = Set(rows.filter { $0.verdict == .better }.map(\.point))
        return rows.map { row in
            var row = row
            if sure.contains(row.point) {
                row.sureFlips = flips[row.point].filter { sure.contains($0.next) }.map(\.axis)
            }
            return row
        }
    }

    /// Rivals with values at a point, with the best mean first.
    private static func order(
        _ plan: Plan, _ values: ReplicationValues, _ metric: Int, _ point: Int, _ better: Metric.Direction
    ) -> [Int] {
        let means = plan.policies.indices.compactMap { policy -> (policy: Int, mean: Double)? in
            let own = values.finite(metric: metric, policy: policy, point: point)
            guard !plan.policies[policy].isReference, !own.isEmpty else { return nil }
            return (policy, MeanInterval(own).mean)
        }
        return means.sorted {
            $0.mean == $1.mean ? $0.policy < $1.policy : ($0.mean < $1.mean) == (better == .lower)
        }.map(\.policy)
    }

    /// For each point, axes on which the next value has another winner; numbers are ordered by size.
    private static func flips(_ plan: Plan, _ orders: [[Int]]) -> [[(axis: Int, next: Int)]] {
        var flips = plan.points.map { _ in [(axis: Int, next: Int)]() }
        for axis in plan.axes.indices {
            let numbers = plan.axisValues[axis].numbers
            for group in plan.groups(along: axis) {
                let line = numbers.map { numbers in group.sorted { numbers[$0] < numbers[$1] } } ?? group
                for (point, next) in zip(line, line.dropFirst()) {
                    guard let winner = orders[point].first, let other = orders[next].first else { continue }
                    if winner != other { flips[point].append((axis, next)) }
                }
            }
        }
        return flips
    }

    /// The text of `sweep_winners.csv`.
    var winnerTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.sweepWinners(axes: plan.axisColumns).header)
        for row in winners {
            guard let metric = plan.metrics.index(of: analysis.primary) else { continue }
            lead(metric, [], row.point, &out)
            for policy in [row.winner, row.runnerUp] {
                out.comma()
                out.append(field: plan.policies[policy].name)
            }
            for value in [row.paired.difference, row.paired.low, row.paired.high, row.adjustedP] { append(value, &out) }
            out.comma()
            out.append(text: row.verdict.rawValue)
            out.comma()
            out.append(field: row.flips.map { plan.axes[$0] }.joined(separator: " "))
            out.newline()
        }
        return out.bytes
    }
}
