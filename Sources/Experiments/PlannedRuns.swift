// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Phone
import Scenario

/// The runs of a plan in their order, of which only the identities are kept: eight bytes a run.
public struct PlannedRuns: RandomAccessCollection, Sendable, Equatable {
    /// Of at least the runs that count; a plan of fewer replications shares those of a larger one.
    private let identities: [UInt64]
    private let policies: Int
    private let points: Int

    /// The number of the first run.
    public let startIndex = 0
    /// The number of runs.
    public let endIndex: Int

    /// Lays out the runs of a plan.
    init(metrics: String, seed: UInt64, points: [PlannedPoint], policies: [PlannedPolicy], replications: Int) {
        var identities: [UInt64] = []
        identities.reserveCapacity(replications * points.count * policies.count)
        // All replications of a point and a policy share what comes before their number.
        let beginnings = points.flatMap { point in policies.map { Self.beginning(metrics, seed, point, $0) } }
        for replication in 0..<replications {
            for beginning in beginnings {
                var checksum = beginning
                checksum.add(part: String(replication))
                identities.append(checksum.value)
            }
        }
        self.init(identities, policies: policies.count, points: points.count, count: identities.count)
    }

    private init(_ identities: [UInt64], policies: Int, points: Int, count: Int) {
        self.identities = identities
        self.policies = policies
        self.points = points
        endIndex = count
    }

    /// The runs of the first replications; nil when there are not so many.
    func prefix(replications: Int) -> PlannedRuns? {
        let count = replications * points * policies
        guard count <= identities.count else { return nil }
        return PlannedRuns(identities, policies: policies, points: points, count: count)
    }

    /// The run of a number.
    public subscript(number: Int) -> PlannedRun {
        guard number >= 0 && number < endIndex else { fatalError("a plan has no such run") }
        return PlannedRun(
            number: number, replication: number / (policies * points), point: number / policies % points,
            policy: number % policies, identity: identities[number])
    }

    /// The identity of the run of a number.
    func identity(_ number: Int) -> UInt64 { identities[number] }

    /// Whether the runs are the same, whatever larger plan they are part of.
    public static func == (one: PlannedRuns, other: PlannedRuns) -> Bool {
        one.policies == other.policies && one.points == other.points && one.endIndex == other.endIndex
            && one.identities[..<one.endIndex] == other.identities[..<other.endIndex]
    }

    /// Whether a number that a file gives may be one of runs.
    static func isNumber(_ number: Int) -> Bool { (0...RunLimit.runs).contains(number) }

    /// The hash of what makes an identity, but for the number of the replication.
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
