// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone

extension TableCatalog {
    /// The tables that only a sweep has.
    public static func ofSweeps(axes: [String]) -> [TableSchema] {
        [sweepComparisons(axes: axes), sweepSlopes, sweepCrossings(axes: axes)]
    }

    /// One row per metric, policy and sweep point other than the one compared with.
    public static func sweepComparisons(axes: [String]) -> TableSchema {
        let baselines = axes.map { Column("baseline_" + $0, "", .string, "the axis at the point compared with") }
        return TableSchema(
            "sweep_comparisons", title: "paired differences of a policy between sweep points",
            columns: [metric, policy] + baselines + axes.map(axis) + differences("point minus baseline point"),
            key: [metric.name, policy.name] + axes)
    }

    /// One row per metric, policy and axis of numbers.
    public static let sweepSlopes = TableSchema(
        "sweep_slopes", title: "what a metric gains along a swept axis",
        columns: [metric, policy] + alongAxis + [
            Column("slope", "unit of the metric per axis_unit", .number, "mean over replications of the slope"),
            Column("low", "unit of the metric per axis_unit", .number, "lower end of its interval"),
            Column("high", "unit of the metric per axis_unit", .number, "upper end of its interval"),
            Column("p", "1", .number, "two-sided p-value of a slope of zero, not corrected"),
            Column("n", "1", .integer, "replications with a value at every point"),
        ], key: [metric.name, policy.name, "axis"])

    /// One row per change of sign of a policy's difference from the baseline, in the primary metric.
    public static func sweepCrossings(axes: [String]) -> TableSchema {
        TableSchema(
            "sweep_crossings", title: "where a policy and the baseline are even along a swept axis",
            columns: [metric, Column("baseline", "", .string, "policy compared with"), policy] + alongAxis
                + axes.map { Column($0, "", .string, "value of another axis; empty for the one that is crossed") } + [
                    Column("crossing", "axis_unit", .number, "where the mean difference is zero"),
                    Column("low", "axis_unit", .number, "lower end of its interval; empty beyond the first point"),
                    Column("high", "axis_unit", .number, "upper end of its interval; empty beyond the last point"),
                    Column("direction", "", .string, "rises: policy minus baseline is negative below; falls: above"),
                ])
    }

    private static let alongAxis = [
        Column("axis", "", .string, "path of the swept axis"),
        Column("axis_unit", "", .string, "unit of its values; empty for plain numbers"),
    ]
}
