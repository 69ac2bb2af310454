// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import Recording
import Scenario
import Statistics

/// Result for a target at one sweep point.
public struct TargetFinding: Sendable {
    /// Result of the check of a target.
    public enum Verdict: String, Sendable {
        /// The whole interval is inside the band.
        case met
        /// The whole interval is outside the band.
        case missed = "not met"
        /// The interval contains an end of the band, so more replications would decide.
        case undecided
        /// No replication has a value.
        case empty = "no value"
        /// All replications are equal although they should differ, so the figure does not measure what it should.
        case stuck = "no spread"
    }

    /// Target that was checked.
    public let target: Target
    /// Name of the policy pair.
    public let policy: String
    /// Values of the swept axes, as written.
    public let point: [SweepPoint.Axis]
    /// Mean over the replications, or ratio of two means, in the unit of the band.
    public let found: Double
    /// Half-width of the interval; infinite for a single replication, whose value is judged without an interval.
    public let halfWidth: Double
    /// Number of replications with a value.
    public let count: Int
    /// Index of the sweep point; nil for a bench.
    public let pointNumber: Int?

    /// Verdict about the target.
    public var verdict: Verdict {
        guard found.isFinite else { return .empty }
        if isStuck { return .stuck }
        let half = halfWidth.isFinite ? halfWidth : 0
        if found - half >= target.band.lowerBound, found + half <= target.band.upperBound { return .met }
        return found + half < target.band.lowerBound || found - half > target.band.upperBound ? .missed : .undecided
    }

    /// Whether a figure is equal in all replications without a declared reason.
    ///
    /// Figures that only repeat an input may be equal, and so may figures with nothing to count.
    private var isStuck: Bool {
        guard count > 1, halfWidth == 0, target.sameInAll.isEmpty, target.strength != .control else { return false }
        return target.basis != .identity && target.basis != .numerics
    }

    /// Distance of the value from the nearer end of the band, as a share of that end; negative outside the band.
    ///
    /// The distance is nil for a band of one value, if no value was found, and if both ends are zero or infinite.
    public var distanceToEdge: Double? {
        let band = target.band
        guard found.isFinite, band.lowerBound < band.upperBound else { return nil }
        let inside = [(found - band.lowerBound, band.lowerBound), (band.upperBound - found, band.upperBound)]
        return inside.filter { $0.1.isFinite && $0.1 != 0 }.map { $0.0 / abs($0.1) }.min()
    }

    /// Creates a finding.
    public init(
        target: Target, policy: String, point: [SweepPoint.Axis] = [], found: Double, halfWidth: Double, count: Int,
        pointNumber: Int? = nil
    ) {
        self.target = target
        self.policy = policy
        self.point = point
        self.found = found
        self.halfWidth = halfWidth
        self.count = count
        self.pointNumber = pointNumber
    }

    /// Whether the finding fails a validation, because its target is binding and its verdict is not `met`.
    public var isFailure: Bool { target.strength.isBinding && verdict != .met }
}

/// Checks targets against the finished runs of a plan.
public struct TargetJudgement {
    private let plan: Plan
    private let store: RunStore
    /// One finding for each target and each sweep point of the target, in the order of the file.
    public private(set) var findings: [TargetFinding] = []

    /// Checks every target.
    ///
    /// - Throws: an error when the rows of a table cannot be read.
    public init(plan: Plan, store: RunStore, targets: [Target]) throws {
        self.plan = plan
        self.store = store
        for target in targets {
            for point in plan.points.indices where matches(target.point, point) {
                findings.append(try finding(target, point))
            }
        }
    }

    private func matches(_ settings: [SweepPoint.Axis], _ point: Int) -> Bool {
        settings.allSatisfy { setting in
            plan.axes.firstIndex(of: setting.path).map { plan.points[point].values[$0] == setting.value } ?? false
        }
    }

    private func finding(_ target: Target, _ point: Int) throws -> TargetFinding {
        let policy = index(of: target.policy) ?? plan.baseline
        let own = try values(target.quantity, policy, point)
        let result: (Double, Double, Int)
        if let reference = target.reference {
            let other = self.point(point, with: reference.point)
            let below = try other.map { try values(reference.quantity, index(of: reference.policy) ?? policy, $0) }
            result = Self.ratio(own, below ?? [], level: plan.analysis.level)
        } else {
            let finite = own.filter(\.isFinite)
            let interval = finite.isEmpty ? nil : MeanInterval(finite, level: plan.analysis.level)
            result = (interval?.mean ?? .nan, interval?.halfWidth ?? .nan, finite.count)
        }
        let axes = zip(plan.axes, plan.points[point].values).map { SweepPoint.Axis(path: $0, value: $1) }
        return TargetFinding(
            target: target, policy: plan.policies[policy].name, point: axes, found: result.0 * target.unit.scale,
            halfWidth: result.1 * target.unit.scale, count: result.2, pointNumber: point)
    }

    private func index(of policy: String?) -> Int? {
        policy.flatMap { name in plan.policies.firstIndex { $0.name == name } }
    }

    /// Index of the point that has these settings and otherwise the values of another point.
    private func point(_ index: Int, with settings: [SweepPoint.Axis]) -> Int? {
        var wanted = plan.points[index].values
        for setting in settings {
            guard let axis = plan.axes.firstIndex(of: setting.path) else { return nil }
            wanted[axis] = setting.value
        }
        if let exact = plan.points.firstIndex(where: { $0.values == wanted }) { return exact }
        // In a list of points, other axes may change together with the axes of the settings.
        return plan.points.indices.first { matches(settings, $0) }
    }

    /// One value per replication; NaN for a missing value.
    private func values(_ quantity: TargetQuantity, _ policy: Int, _ point: Int) throws -> [Double] {
        switch quantity {
        case .metric(let name):
            guard let metric = plan.metrics.index(of: name) else { return [] }
            return ReplicationValues(plan: plan, store: store).all(metric, policy, point)
        case .bench: return []
        case .table(let figure):
            guard let reading = TableFigureReading(figure) else { return [] }
            return try (0..<plan.replications).map { replication in
                let run = plan.run(replication: replication, point: point, policy: policy)
                return try store[run.number].map(reading.value) ?? .nan
            }
        }
    }

    /// Ratio of two means over the same replications, with an interval by the jackknife.
    static func ratio(_ above: [Double], _ below: [Double], level: Double) -> (Double, Double, Int) {
        let pairs = zip(above, below).filter { $0.isFinite && $1.isFinite }
        let sums = pairs.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        let ratio = sums.0 / sums.1
        guard ratio.isFinite else { return (.nan, .nan, 0) }
        guard pairs.count > 1 else { return (ratio, .infinity, pairs.count) }
        let count = Double(pairs.count)
        let pseudo = pairs.map { count * ratio - (count - 1) * (sums.0 - $0.0) / (sums.1 - $0.1) }
        guard pseudo.allSatisfy(\.isFinite) else { return (ratio, .infinity, pairs.count) }
        return (ratio, MeanInterval(pseudo, level: level).halfWidth, pairs.count)
    }
}
