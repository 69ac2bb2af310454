// SPDX-License-Identifier: GPL-3.0-or-later

/// How many runs there may be: experiments and what a manifest of results says of them are held to the same limits.
public enum RunLimit {
    /// Most runs of an experiment; beyond it a slip is likelier than an intention.
    public static let runs = 10_000_000
    /// Most replications.
    public static let replications = 1_000_000
    /// Most sweep points.
    public static let points = 10_000

    /// Says that there are too many; nil where there are not.
    ///
    /// It counts without laying out a run.
    public static func excess(points: Int, policies: Int, replications: Int) -> String? {
        for (count, most, what) in [
            (points, Self.points, "sweep points"), (policies, runs, "policies"),
            (replications, Self.replications, "replications"),
        ] where count > most {
            return "has \(count) \(what), and at most \(most) are taken"
        }
        let (perReplication, isLarge) = points.multipliedReportingOverflow(by: policies)
        let (count, isHuge) = perReplication.multipliedReportingOverflow(by: max(1, replications))
        guard isLarge || isHuge || count > runs else { return nil }
        return "has \(policies) policies x \(points) points x \(replications) replications, and at most "
            + "\(runs) runs are taken"
    }
}
