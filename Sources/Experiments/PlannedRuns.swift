// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Phone
import Scenario

/// Runs of a plan in their order.
///
/// Runs are computed on access, so that a part of a large plan needs memory only for its own runs.
public struct PlannedRuns: RandomAccessCollection, Sendable, Equatable {
    /// For each point and policy, the hash of the part of an identity that all replications share.
    private let beginnings: [Checksum]
    private let policies: Int

    /// Number of the first run.
    public let startIndex = 0
    /// Number of runs.
    public let endIndex: Int

    /// Lays out the runs of a plan.
    init(metrics: String, seed: UInt64, points: [PlannedPoint], policies: [PlannedPolicy], replications: Int) {
        beginnings = points.flatMap { point in policies.map { Self.beginning(metrics, seed, point, $0) } }
        self.policies = policies.count
        endIndex = replications * beginnings.count
    }

    private init(_ beginnings: [Checksum], policies: Int, count: Int) {
        (self.beginnings, self.policies, endIndex) = (beginnings, policies, count)
    }

    /// The runs with another number of replications.
    func with(replications: Int) -> PlannedRuns {
        PlannedRuns(beginnings, policies: policies, count: replications * beginnings.count)
    }

    /// The run with this number.
    public subscript(number: Int) -> PlannedRun {
        guard number >= 0 && number < endIndex else { fatalError("the plan has no such run") }
        let (replication, rest) = number.quotientAndRemainder(dividingBy: beginnings.count)
        return PlannedRun(
            number: number, replication: replication, point: rest / policies, policy: rest % policies,
            identity: identity(number))
    }

    /// Identity of the run with this number.
    func identity(_ number: Int) -> UInt64 {
        let (replication, rest) = number.quotientAndRemainder(dividingBy: beginnings.count)
        var checksum = beginnings[rest]
        checksum.add(part: String(replication))
        return checksum.value
    }

    /// Adds the properties that identify these runs to a hash, without a loop over all runs.
    func add(to checksum: inout Checksum) {
        for beginning in beginnings { checksum.add(part: hexadecimal(beginning.value)) }
        checksum.add(part: String(endIndex))
    }

    /// Whether a number from a file is a possible number of a run.
    static func isNumber(_ number: Int) -> Bool { (0...RunLimit.runs).contains(number) }

    /// Hash of an identity's parts before the number of the replication.
    private static func beginning(
        _ metrics: String, _ seed: UInt64, _ point: PlannedPoint, _ policy: PlannedPolicy
    ) -> Checksum {
        var checksum = Checksum()
        checksum.add(part: "flotsam run 1")
        checksum.add(part: modelVersion)
        checksum.add(part: metrics)
        checksum.add(part: String(seed))
        checksum.add(part: hexadecimal(point.configuration))
        for part in policy.identity { checksum.add(part: part) }
        if !policy.memory.isEmpty { checksum.add(part: policy.memory) }
        if !policy.code.isEmpty { checksum.add(part: policy.code) }
        return checksum
    }
}
