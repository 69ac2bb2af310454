// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Statistics

/// How far the victims that a policy chooses agree with the ones that a report names.
public struct KillAgreement: Sendable, Equatable {
    /// Whether both begin with the same process; nil when one of them has no victim.
    public let isFirstSame: Bool?
    /// Processes in both lists.
    public let common: Int
    /// Share of the processes in either list that stand in both (Jaccard); nil when both are empty.
    public let jaccard: Double?
    /// Share of the report's killed bytes that belongs to processes which the policy kills too; nil without any.
    public let bytesShare: Double?
    /// Kendall's tau-b between the report's order and the policy's, over all of the report's victims; nil below three.
    public let tau: Double?

    /// Compares the victims.
    ///
    /// - Parameters:
    ///   - reported: The report's victims, the first to die first.
    ///   - chosen: The policy's, the first to die first, as many as were asked for.
    ///   - order: The position of each process in the policy's whole order; nil for one that it never kills.
    ///   - footprints: The footprint of each process.
    public init(reported: [Int], chosen: [Int], order: [Int?], footprints: [ByteCount]) {
        isFirstSame = reported.first.flatMap { first in chosen.first.map { $0 == first } }
        let common = reported.filter { chosen.contains($0) }
        self.common = common.count
        let either = reported.count + chosen.count - common.count
        jaccard = either > 0 ? Double(common.count) / Double(either) : nil
        let all = reported.reduce(ByteCount.zero) { $0 + footprints[$1] }
        let both = common.reduce(ByteCount.zero) { $0 + footprints[$1] }
        bytesShare = all > .zero ? both / all : nil
        tau =
            reported.count >= 3
            ? kendallTauB(
                reported.indices.map(Double.init), reported.map { order[$0].map(Double.init) ?? Double(order.count) })
            : nil
    }
}
