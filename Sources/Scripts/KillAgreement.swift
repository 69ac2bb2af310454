// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Statistics

/// Agreement between the victims that a policy chooses and those of a report.
public struct KillAgreement: Sendable, Equatable {
    /// Whether both lists begin with the same process; nil when one of them is empty.
    public let isFirstSame: Bool?
    /// Number of processes that are in both lists.
    public let common: Int
    /// Share of the processes in either list that are in both (Jaccard); nil when both are empty.
    public let jaccard: Double?
    /// Share of the report's killed bytes that belong to processes also killed by the policy; nil without killed bytes.
    public let bytesShare: Double?
    /// Kendall's tau-b between the two orders, over all of the report's victims; nil for fewer than three victims.
    public let tau: Double?

    /// Compares the victims.
    ///
    /// - Parameters:
    ///   - reported: Victims of the report, in order of death.
    ///   - chosen: Victims of the policy, in order of death, limited to the requested number.
    ///   - order: Position of each process in the policy's whole order; nil for a process that the policy never kills.
    ///   - footprints: Footprint of each process.
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
