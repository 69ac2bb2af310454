// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone

extension TableCatalog {
    /// Tables that exist only for sweeps.
    public static func ofSweeps(axes: [Column]) -> [TableSchema] {
        [sweepComparisons(axes: axes), sweepSlopes, sweepCrossings(axes: axes), sweepWinners(axes: axes)]
    }

    /// One row per sweep point, for the policy with the best mean of the primary metric.
    public static func sweepWinners(axes: [Column]) -> TableSchema {
        let unit = "unit of the metric"
        return TableSchema(
            "sweep_winners", title: "best policy of each sweep point",
            columns: [metric] + axes + [
                Column("winner", "", .string, "policy with the best mean; references such as oracles are excluded"),
                Column("runner_up", "", .string, "policy with the second-best mean"),
                Column("difference", unit, .number, "winner minus runner_up, mean over replications"),
                Column(
                    "low", unit, .number,
                    "lower end of the interval of the difference; empty where too few pairs differ"),
                Column(
                    "high", unit, .number,
                    "upper end of the interval of the difference; empty where too few pairs differ"),
                Column(
                    "p_adjusted", "1", .number,
                    "p-value of the difference; a correction, if set, covers all pairs of rivals at all points"),
                Column("verdict", "", .string, "better: significantly better than every rival; else undecided"),
                Column("flips_along", "", .string, "axes on which the next value has another winner"),
            ], key: [metric.name] + axes.map(\.name))
    }

    /// One row per metric, policy, sweep point and requested quantile.
    public static func quantiles(axes: [Column]) -> TableSchema {
        TableSchema(
            "quantiles", title: "quantiles of every metric over replications",
            columns: [metric, policy] + axes + [
                Column("quantile", "1", .number, "share of users whose value is below this quantile"),
                Column(
                    "value", "unit of the metric", .number,
                    "value of the quantile, interpolated linearly between replications"),
                Column(
                    "low", "unit of the metric", .number,
                    "lower end of the quantile's confidence interval; empty if n is below fewest"),
                Column("high", "unit of the metric", .number, "upper end of the quantile's confidence interval"),
                Column("n", "1", .integer, "number of replications with a value"),
                Column("fewest", "1", .integer, "smallest number of replications that gives an interval"),
            ], key: [metric.name, policy.name] + axes.map(\.name) + ["quantile"])
    }

    /// One row per policy and sweep point of a selection.
    public static func selection(axes: [Column]) -> TableSchema {
        TableSchema(
            "selection", title: "selection of the best policy by the procedure of Kim and Nelson",
            columns: [metric, policy] + axes + [
                Column(
                    "outcome", "", .string, "selected: the best; eliminated: not the best; left: undecided"),
                Column("replications", "1", .integer, "number of replications used for the policy"),
                Column("mean", "unit of the metric", .number, "mean over these replications"),
                Column(
                    "eliminated_by", "", .string,
                    "policy that was better by more than indifference; empty for policies that were not eliminated"),
                Column(
                    "indifference", "unit of the metric", .number,
                    "largest difference that does not matter, computed as a share of the baseline's mean over the "
                        + "first replications"),
            ], key: [metric.name, policy.name] + axes.map(\.name))
    }

    /// One row per metric, policy, axis and measure of a design.
    public static let sensitivity = TableSchema(
        "sensitivity", title: "sensitivity to each axis of a design",
        columns: [
            metric,
            Column(
                "baseline", "", .string,
                "policy whose metric is subtracted; empty if the measure is of the metric itself"), policy,
            Column("axis", "", .string, "path of the swept axis"),
            Column(
                "measure", "", .string,
                "mu, mu_star, sigma: mean, mean size and standard deviation of the elementary effects over the whole "
                    + "range; first, total: Sobol's indices, shares of the variance"),
            Column(
                "value", "unit of the metric, or 1 for indices", .number,
                "value of the measure for the mean over replications"),
            Column(
                "low", "unit of the metric, or 1 for indices", .number,
                "lower end of the confidence interval of this value, by the bootstrap over replications and points"),
            Column(
                "high", "unit of the metric, or 1 for indices", .number,
                "upper end of the confidence interval of this value"),
            Column("n", "1", .integer, "number of replications with a value at every point"),
        ], key: [metric.name, policy.name, "axis", "measure"])

    /// One row per metric, policy and sweep point, except the baseline point.
    public static func sweepComparisons(axes: [Column]) -> TableSchema {
        let baselines = axes.map {
            Column("baseline_" + $0.name, $0.unit, $0.kind, "value of the axis at the baseline point")
        }
        return TableSchema(
            "sweep_comparisons", title: "paired differences of a policy between sweep points",
            columns: [metric, policy] + baselines + axes + differences("point minus baseline point"),
            key: [metric.name, policy.name] + axes.map(\.name))
    }

    /// One row per metric, policy and numeric axis.
    public static let sweepSlopes = TableSchema(
        "sweep_slopes", title: "slope of a metric along a swept axis",
        columns: [metric, policy] + alongAxis + [
            Column("slope", "unit of the metric per axis_unit", .number, "slope, mean over replications"),
            Column("low", "unit of the metric per axis_unit", .number, "lower end of the interval of the slope"),
            Column("high", "unit of the metric per axis_unit", .number, "upper end of the interval of the slope"),
            Column("p", "1", .number, "two-sided p-value for a slope of zero, not corrected"),
            Column("n", "1", .integer, "number of replications with a value at every point"),
        ], key: [metric.name, policy.name, "axis"])

    /// One row per change of sign of the difference between a policy and the baseline, in the primary metric.
    public static func sweepCrossings(axes: [Column]) -> TableSchema {
        TableSchema(
            "sweep_crossings", title: "crossings of a policy and the baseline along a swept axis",
            columns: [metric, Column("baseline", "", .string, "policy compared with"), policy] + alongAxis
                + axes.map {
                    Column(
                        $0.name, $0.unit, $0.kind,
                        "value of this axis at the crossing; empty if the crossing is along this axis")
                } + [
                    Column(
                        "crossing", "axis_unit", .number,
                        "value of the crossed axis at which the mean difference is zero"),
                    Column(
                        "low", "axis_unit", .number,
                        "lower end of the interval of the crossing; empty if that end lies before the first point"),
                    Column(
                        "high", "axis_unit", .number,
                        "upper end of the interval of the crossing; empty if that end lies beyond the last point"),
                    Column(
                        "direction", "", .string,
                        "rises: policy minus baseline is negative below crossing; falls: negative above crossing"),
                ])
    }

    private static let alongAxis = [
        Column("axis", "", .string, "path of the swept axis"),
        Column("axis_unit", "", .string, "unit of the axis; empty for plain numbers"),
    ]
}
