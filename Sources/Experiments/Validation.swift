// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario

/// Results for the targets of several experiments, and their comparison with the list of known misses.
public struct Validation: Sendable {
    /// Finding for a target of an experiment or of a bench, which has no phone.
    public typealias Found = (experiment: String, phone: Evidence.Phone?, finding: TargetFinding)

    /// Finding with its origin.
    public struct Row: Sendable {
        /// Name of the experiment or the bench.
        public let experiment: String
        /// Phone; nil for a bench, or if the experiment is not available.
        public let phone: Evidence.Phone?
        /// Finding for the target.
        public let finding: TargetFinding
        /// Known miss that explains the finding; nil when there is none, or when the value differs from the known one.
        public let known: KnownMiss?

        /// Whether the target fails the validation.
        public var isFailure: Bool { finding.isFailure && known == nil }
    }

    /// Numbers of targets by result.
    public struct Tally: Sendable, Equatable {
        /// Number of targets whose whole interval is inside the band.
        public var met = 0
        /// Number of targets that are not met and are known misses.
        public var known = 0
        /// Number of targets whose interval contains an end of the band.
        public var undecided = 0
        /// Number of all targets.
        public var count = 0
    }

    /// One row per finding, in the order of the findings.
    public let rows: [Row]
    /// Errors in the list of known misses: entries without a target, entries that are now met, and entries whose range
    /// excludes the present value.
    public let staleness: [String]

    /// Compares findings with the known misses.
    ///
    /// - Parameters:
    ///   - findings: findings for the targets of each experiment.
    ///   - misses: all known misses in the experiments' folders.
    ///   - isWhole: whether every experiment in those folders was validated; if not, other misses are ignored.
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
            if meant.isEmpty {
                staleness.append("\(miss.origin): \(miss.experiment) has no target \(miss.id) at that point")
            }
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
        if finding.verdict == .met { return "\(name) is now met (\(finding.found)): remove it from the list" }
        if miss.found.contains(finding.found) { return nil }
        return
            "\(name) is listed as a known miss with a value from \(miss.found.lowerBound) to "
            + "\(miss.found.upperBound), but the value is now \(finding.found)"
    }

    /// Whether a binding target is not met and is no known miss, or the list of known misses has errors.
    public var isFailure: Bool { rows.contains(where: \.isFailure) || !staleness.isEmpty }

    /// Findings for binding predictions, by phone.
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

    /// Counts the targets of one strength and one basis; with nil, of every basis.
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
