// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Scenario
import Statistics

extension Findings {
    /// Largest number of sweep points that a sentence names.
    private static let mostPoints = 6

    /// Summary of the verdicts at single points, used if no policy wins at every point.
    ///
    /// A significant verdict at one point and an undecided one at another do not show that the points differ. The text
    /// reports that the best policy depends on the point only if two policies significantly beat all others, each at
    /// another point. It reports that a difference depends on the point only if the difference changes significantly
    /// between points, for the same users.
    func acrossPoints(_ winners: [Int]) -> String {
        let sure = judgement.winners.filter { $0.verdict == .better }
        var best: [(policy: Int, points: [Int])] = []
        for row in sure {
            if let index = best.firstIndex(where: { $0.policy == row.winner }) {
                best[index].points.append(row.point)
            } else {
                best.append((row.winner, [row.point]))
            }
        }
        if best.count > 1 {
            let parts = best.map { "\(names[$0.policy]) at \(list($0.points))" }
            let open = plan.points.indices.filter { point in !sure.contains { $0.point == point } }
            return "The policy that is best in \(entry.title) depends on the sweep point: "
                + parts.joined(separator: "; ")
                + (open.isEmpty ? "" : "; undecided at \(list(open))") + "."
        }
        var policies: [Int] = []
        for winner in winners where !policies.contains(winner) { policies.append(winner) }
        return policies.map(againstBaseline).joined(separator: " ")
    }

    /// Verdicts about a policy at all points, and whether its difference changes significantly along the sweep.
    private func againstBaseline(_ policy: Int) -> String {
        let clauses = Verdict.allCases.compactMap { verdict -> String? in
            let points = plan.points.indices.filter { (row(policy, $0)?.verdict ?? .undecided) == verdict }
            return points.isEmpty ? nil : "\(verdict.rawValue) at \(list(points))"
        }
        let depends = judgement.dependsOnPoint(policy: policy, metric: metric)
        return "Compared with \(baseline) in \(entry.title), \(names[policy]) is " + clauses.joined(separator: ", ")
            + "; "
            + (depends ? "the difference depends on the sweep point." : "no difference between points is significant.")
    }

    /// Largest number of values of an axis in a text, and largest number of characters of each value.
    private static let named = (values: 4, characters: 24)

    /// Values that some sweep points share and other points lack, with the number of points.
    ///
    /// The values are named only if the points are all combinations of them, such as all points with one of two
    /// systems. Otherwise the text is the number of points.
    func values(at points: [Int]) -> String {
        let values = plan.axes.indices.map { axis in
            points.map { plan.points[$0].values[axis] }.reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
        }
        let covered = plan.points.indices.filter { point in
            plan.axes.indices.allSatisfy { values[$0].contains(plan.points[point].values[$0]) }
        }
        let named = plan.axes.indices.filter { axis in
            plan.points.contains { !values[axis].contains($0.values[axis]) }
        }
        guard covered == points, !named.isEmpty,
            named.allSatisfy({ axis in
                values[axis].count <= Self.named.values
                    && values[axis].allSatisfy { $0.count <= Self.named.characters }
            })
        else { return count(points) }
        let parts = named.map { axis in
            let name = plan.axes[axis].split(separator: ".").last ?? ""
            return "\(name) \(values[axis].joined(separator: " or "))"
        }
        return parts.joined(separator: " with ") + " (\(count(points)))"
    }

    func count(_ points: [Int]) -> String { "\(points.count) of \(plan.points.count) points" }

    private func list(_ points: [Int]) -> String {
        let more = points.count > Self.mostPoints ? ["\(points.count - Self.mostPoints) more"] : []
        return Figures.list(points.prefix(Self.mostPoints).map(label) + more)
    }
}

extension Judgement {
    /// Whether a policy's difference from the baseline changes significantly between the first and another sweep point.
    ///
    /// The differences at two points are paired by replication, because both points have the same users. Holm's method
    /// corrects the p-value over all policies and points.
    func dependsOnPoint(policy asked: Int, metric: Int) -> Bool {
        let rivals = plan.policies.indices.filter { $0 != baseline && !plan.policies[$0].isReference }
        let tests = rivals.flatMap { policy in
            plan.points.indices.dropFirst().compactMap { point -> (policy: Int, paired: PairedComparison)? in
                let lists = values.differences(metric: metric, policy, baseline, points: [0, point])
                guard !lists[0].isEmpty else { return nil }
                let entry = plan.metrics.entries[metric]
                return (policy, PairedComparison((lists[0], lists[1]), of: entry, level: analysis.level))
            }
        }
        let plain = tests.map(\.paired.p)
        return zip(tests, analysis.correction == .none ? plain : holm(plain)).contains { test, p in
            test.policy == asked && test.paired.excludesZero && p <= 1 - analysis.level
        }
    }
}
