// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Recording
import Scenario
import Statistics

extension Judgement {
    /// The text of `summary.csv`.
    public var summaryTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.summary(axes: plan.axisColumns).header)
        for row in summary {
            lead(row.metric, [plan.policies[row.policy].name], row.point, &out)
            append(row.interval?.mean, &out)
            append(row.interval?.halfWidth, &out)
            out.comma()
            out.append(row.interval?.n ?? 0)
            out.newline()
        }
        return out.bytes
    }

    /// The text of `comparisons.csv`.
    public var comparisonTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.comparisons(axes: plan.axisColumns).header)
        for row in comparisons {
            lead(row.metric, [plan.policies[baseline].name, plan.policies[row.policy].name], row.point, &out)
            append(row, &out)
        }
        return out.bytes
    }

    /// Whether a row belongs to the primary metric.
    ///
    /// Only p-values of the primary metric are corrected; all other metrics are exploratory.
    public func isPrimary(_ row: ComparisonRow) -> Bool { plan.metrics.entries[row.metric].name == analysis.primary }

    /// Note that accompanies every output of metrics other than the primary one.
    public var exploratoryNote: String {
        "exploratory: every metric except \(analysis.primary); only p-values of \(analysis.primary) are corrected"
    }

    /// Writes the first fields of a row; without a point, the fields of the axes are omitted.
    func lead(_ metric: Int, _ texts: [String], _ point: Int?, _ out: inout ByteBuffer) {
        out.append(field: plan.metrics.entries[metric].name)
        for text in texts + (point.map { plan.fields(of: $0) } ?? []) {
            out.comma()
            out.append(field: text)
        }
    }

    /// Writes the result of a comparison and ends the line.
    func append(_ row: ComparisonRow, _ out: inout ByteBuffer) {
        for value in [row.paired?.difference, row.paired?.low, row.paired?.high, row.paired?.relative] {
            append(value, &out)
        }
        append(row.paired?.p, &out)
        append(row.paired == nil || !isPrimary(row) ? nil : row.adjustedP, &out)
        out.comma()
        out.append(text: row.verdict.rawValue)
        append(row.paired?.varianceReduction, &out)
        out.comma()
        out.append(row.paired?.n ?? 0)
        out.comma()
        out.append(row.paired?.differing ?? 0)
        out.comma()
        out.append(field: row.reason ?? "")
        out.newline()
    }

    /// Writes a comma and a number; the field is empty if the number is missing or not finite.
    func append(_ value: Double?, _ out: inout ByteBuffer) {
        out.comma()
        if let value, value.isFinite { out.append(value) }
    }
}

extension Judgement {
    /// Number of runs under a policy without a value of a metric, and number of finished runs.
    public func runsWithoutValue(metric: Int, policy: Int) -> (number: Int, done: Int) {
        plan.points.indices.map { values.withoutValue(metric, policy, $0) }
            .reduce((0, 0)) { ($0.0 + $1.number, $0.1 + $1.done) }
    }

    /// Number of runs under a policy without a value of a metric at a sweep point.
    public func runsWithoutValue(metric: Int, policy: Int, point: Int) -> Int {
        values.withoutValue(metric, policy, point).number
    }

    /// The mean of a metric under a policy at a sweep point.
    public func summaryRow(metric: Int, policy: Int, point: Int) -> SummaryRow {
        summary[(metric * plan.policies.count + policy) * plan.points.count + point]
    }

    /// The difference of a metric from the baseline; nil for the baseline itself.
    public func comparisonRow(metric: Int, policy: Int, point: Int) -> ComparisonRow? {
        if policy == baseline { return nil }
        let rank = policy < baseline ? policy : policy - 1
        return comparisons[(metric * (plan.policies.count - 1) + rank) * plan.points.count + point]
    }
}
