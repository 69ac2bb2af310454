// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// What became of the targets of several experiments, beside the misses that are known.
public struct Validation: Sendable {
    /// What was found of a target of an experiment, or of a bench, which has no phone.
    public typealias Found = (experiment: String, phone: Evidence.Phone?, finding: TargetFinding)

    /// A target with where it came from.
    public struct Row: Sendable {
        /// Name of the experiment or bench.
        public let experiment: String
        /// The phone; nil for a bench, or where the experiment is not at hand.
        public let phone: Evidence.Phone?
        /// What was found.
        public let finding: TargetFinding
        /// The entry that says that the target is missed by this much; nil when there is none, or it does not fit.
        public let known: KnownMiss?

        /// Whether it fails the validation.
        public var isFailure: Bool { finding.isFailure && known == nil }
    }

    /// How many of some targets are met.
    public struct Tally: Sendable, Equatable {
        /// Those whose whole interval lies in the band.
        public var met = 0
        /// Those not met that are known to be missed.
        public var known = 0
        /// Those not met whose interval reaches over an end of the band.
        public var undecided = 0
        /// All of them.
        public var count = 0
    }

    /// One row per finding, in their order.
    public let rows: [Row]
    /// What is wrong with the list of known misses: entries without a target, met by now, or of another size.
    public let staleness: [String]

    /// Holds findings against the known misses.
    ///
    /// - Parameters:
    ///   - findings: Experiments with what was found of their targets.
    ///   - misses: Every known miss of the experiments' folders.
    ///   - isWhole: Whether every experiment of those folders was validated; otherwise misses of others are left alone.
    public init(_ findings: [Found], misses: [KnownMiss], isWhole: Bool) {
        var staleness: [String] = []
        let known = findings.map { row in
            misses.first { Self.isMeant($0, row.experiment, row.finding) }
        }
        rows = zip(findings, known).map { row, miss in
            let holds = miss.map { $0.found.contains(row.finding.found) && row.finding.verdict != .met } ?? false
            return Row(
                experiment: row.experiment, phone: row.phone, finding: row.finding, known: holds ? miss : nil)
        }
        for miss in misses where isWhole || findings.contains(where: { $0.experiment == miss.experiment }) {
            let meant = findings.filter { Self.isMeant(miss, $0.experiment, $0.finding) }.map(\.finding)
            if meant.isEmpty { staleness.append("\(miss.origin): \(miss.experiment) has no target \(miss.id) there") }
            staleness += meant.compactMap { Self.staleness(of: miss, $0) }
        }
        self.staleness = staleness
    }

    private static func isMeant(_ miss: KnownMiss, _ experiment: String, _ finding: TargetFinding) -> Bool {
        miss.experiment == experiment && miss.id == finding.target.id
            && miss.point.allSatisfy { setting in finding.point.contains(setting) }
    }

    private static func staleness(of miss: KnownMiss, _ finding: TargetFinding) -> String? {
        let name = "\(miss.origin): \(miss.id) of \(miss.experiment)"
        if finding.verdict == .met { return "\(name) is met now, \(finding.found): take it off the list" }
        if miss.found.contains(finding.found) { return nil }
        return "\(name) was known to be missed between \(miss.found.lowerBound) and \(miss.found.upperBound), "
            + "and is found at \(finding.found)"
    }

    /// Whether a target that binds is missed without being known to be, or the list of known misses is stale.
    public var isFailure: Bool { rows.contains(where: \.isFailure) || !staleness.isEmpty }

    /// The predictions that bind, by phone.
    public var evidence: Evidence {
        Evidence(
            rows.compactMap { row in
                let target = row.finding.target
                guard let phone = row.phone, target.basis == .prediction,
                    target.strength == .strong || target.strength == .medium
                else { return nil }
                return Evidence.Row(
                    experiment: row.experiment, id: target.id, phone: phone, isMet: row.finding.verdict == .met)
            })
    }

    /// Counts the targets of one kind (of all for nil) and strength.
    public func tally(_ basis: Target.Basis?, _ strength: Target.Strength) -> Tally {
        var tally = Tally()
        let own = rows.filter { $0.finding.target.strength == strength }
        for row in own where basis == nil || row.finding.target.basis == basis {
            tally.count += 1
            if row.finding.verdict == .met { tally.met += 1 }
            if row.known != nil { tally.known += 1 }
            if row.finding.verdict == .undecided { tally.undecided += 1 }
        }
        return tally
    }
}
