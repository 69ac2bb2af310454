// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore

/// All tables in a directory of results, with their columns.
public enum TableCatalog {
    /// Tables that runs write row by row, in the order in which they are merged.
    public static let rowTables = PhoneTables.list.tables

    /// Schema of a table that runs write.
    ///
    /// Leading columns identify the run, the row in the run, and the date.
    public static func schema(of table: TableDescription, axes: [Column]) -> TableSchema {
        var leading = [run, policy] + axes + [replication]
        if table.key.isEmpty { leading.append(row) }
        if table.time != nil { leading.append(date) }
        return TableSchema(
            table.name, title: table.title, columns: leading + table.columns,
            key: [run.name] + (table.key.isEmpty ? [row.name] : table.key))
    }

    /// One row per run, with one column per metric.
    public static func runs(axes: [Column], metrics: MetricList) -> TableSchema {
        let leading = [
            run, policy, Column("eviction", "", .string, "eviction policy"),
            Column("scheduling", "", .string, "scheduling policy"),
        ]
        let middle = [
            replication, Column("status", "", .string, "done or failed"),
            Column("events", "1", .integer, "number of events that the event kernel dispatched"),
            Column("workload_fingerprint", "", .string, "hash of the workload, which is the same for every policy"),
            Column("fingerprint", "", .string, "hash of all events in their order"),
            Column("token", "", .string, "token that identifies the run for a replay"),
            Column("model_version", "", .string, "version of the model"),
        ]
        return TableSchema(
            "runs", title: "one row per run", columns: leading + axes + middle + metrics.entries.map(column),
            key: [run.name])
    }

    /// One row per metric, policy and sweep point.
    public static func summary(axes: [Column]) -> TableSchema {
        TableSchema(
            "summary", title: "mean of every metric over replications",
            columns: [metric, policy] + axes + [
                Column("mean", "unit of the metric", .number, "mean over replications"),
                Column("half_width", "unit of the metric", .number, "half-width of the mean's Student-t interval"),
                Column("n", "1", .integer, "number of replications with a value"),
            ], key: [metric.name, policy.name] + axes.map(\.name))
    }

    /// One row per metric, policy (except the baseline) and sweep point.
    public static func comparisons(axes: [Column]) -> TableSchema {
        TableSchema(
            "comparisons", title: "paired differences against the baseline",
            columns: [metric, Column("baseline", "", .string, "policy compared with"), policy] + axes
                + differences("policy minus baseline"), key: [metric.name, policy.name] + axes.map(\.name))
    }

    /// Columns of a paired comparison.
    static func differences(_ which: String) -> [Column] {
        let unit = "unit of the metric"
        return [
            Column("difference", unit, .number, "\(which), mean over replications"),
            Column(
                "low", unit, .number,
                "lower end of the confidence interval of the difference; if empty, see reason; corrected for all "
                    + "comparisons of the primary metric if the correction is max-t"),
            Column(
                "high", unit, .number,
                "upper end of the confidence interval of the difference; if empty, see reason; corrected for all "
                    + "comparisons of the primary metric if the correction is max-t"),
            Column("relative", "1", .number, "difference divided by the absolute mean of the baseline"),
            Column(
                "p", "1", .number,
                "two-sided p-value of the paired t test; with k differing pairs, at least 2^(1-k) if k < 5 or if all k "
                    + "differences are equal"),
            Column(
                "p_adjusted", "1", .number,
                "p, corrected for all comparisons of the primary metric; empty for other metrics, which are exploratory"
            ),
            Column(
                "verdict", "", .string,
                "equivalent: low and high are within the band of equivalence, a share of the baseline's mean; better "
                    + "or worse: the whole interval lies beyond the band on one side, and p_adjusted (p where "
                    + "p_adjusted is empty) is at most 1 - level; neither way is better: the metric has no "
                    + "better direction, is not equivalent, and at least five pairs differ; else undecided"
            ),
            Column(
                "variance_reduction", "1", .number,
                "variance of independent differences divided by the variance of paired differences; empty if all "
                    + "paired differences are equal"
            ),
            Column("n", "1", .integer, "number of replications with both values"),
            Column(
                "differing", "1", .integer,
                "number of these replications in which the two values differ by more than rounding"),
            Column(
                "reason", "", .string,
                "why the interval is missing, or is wider than the differences alone require; else empty"),
        ]
    }

    /// One row per column of every table, including this one.
    public static let columns = TableSchema(
        "columns", title: "every column of every table",
        columns: [
            Column("table", "", .string, "name of the table and of its file"),
            Column("column", "", .string, "name of the column"),
            Column("unit", "", .string, "unit; empty for texts, 1 for counts and shares"),
            Column("meaning", "", .string, "meaning of the column"),
            Column("better", "", .string, "better direction of a metric: lower, higher or neutral; else empty"),
        ], key: ["table", "column"])

    /// One row per failed run, as JSON lines.
    public static let failures = TableSchema(
        "failures", title: "one JSON line per run that failed",
        columns: [
            run, policy, replication, Column("seed", "", .integer, "seed of the experiment"),
            Column("signal", "", .integer, "signal that ended the worker; null when it reported an error"),
            Column("message", "", .string, "what went wrong"),
            Column("stderr", "", .string, "last lines of the worker's standard error"),
            Column("attempts", "1", .integer, "number of attempts of the run"),
            Column("last_event", "", .integer, "number of the event at which the run ended; null if unknown"),
            Column("last_event_s", "s", .number, "time of that event since the run's first midnight"),
            Column("token", "", .string, "token that identifies the run for a replay"),
            Column("command", "", .string, "command that repeats the run"),
        ])

    static let run = Column("run", "", .integer, "number of the run in the plan")
    static let policy = Column("policy", "", .string, "name of the pair of policies")
    private static let replication = Column("replication", "", .integer, "replication, from 0")
    private static let row = Column("row", "", .integer, "number of the row within its run, from 0")
    private static let date = Column(
        "date", "", .datetime, "date and time of day on the phone's clock, without fractions of a second")
    static let metric = Column("metric", "", .string, "name of the metric")

    /// Column of a swept axis.
    ///
    /// The column contains numbers in a unit, or texts if there is no unit.
    public static func axis(_ path: String, unit: String?, kind: Column.Kind = .number) -> Column {
        guard let unit else { return Column(path, "", .string, "value of a swept axis, as written") }
        return Column(path, unit.isEmpty ? "1" : unit, kind, "value of a swept axis")
    }

    private static func column(_ metric: MetricList.Entry) -> Column {
        Column(metric.name, metric.unit, .number, metric.definition, better: metric.better)
    }
}
