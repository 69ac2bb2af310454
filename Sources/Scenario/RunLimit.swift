// SPDX-License-Identifier: GPL-3.0-or-later

/// Limits for the number of runs, in experiments and in manifests of results.
public enum RunLimit {
    /// Largest number of runs of an experiment.
    ///
    /// A larger number is probably a mistake.
    public static let runs = 10_000_000
    /// Largest number of replications.
    public static let replications = 1_000_000
    /// Largest number of sweep points.
    public static let points = 10_000

    /// Message if a number is above its limit; nil otherwise.
    ///
    /// The check creates no list of runs.
    public static func excess(points: Int, policies: Int, replications: Int) -> String? {
        for (count, most, what) in [
            (points, Self.points, "sweep points"), (policies, runs, "policies"),
            (replications, Self.replications, "replications"),
        ] where count > most {
            return "has \(count) \(what), but at most \(most) are allowed"
        }
        let (perReplication, isLarge) = points.multipliedReportingOverflow(by: policies)
        let (count, isHuge) = perReplication.multipliedReportingOverflow(by: max(1, replications))
        guard isLarge || isHuge || count > runs else { return nil }
        return "has \(policies) policies x \(points) points x \(replications) replications, but at most "
            + "\(runs) runs are allowed"
    }
}
