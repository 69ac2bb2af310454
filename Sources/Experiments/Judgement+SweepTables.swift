// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Recording
import Scenario
import Statistics

extension Judgement {
    /// The text of `sweep_comparisons.csv`.
    var sweepComparisonTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.sweepComparisons(axes: plan.axisColumns).header)
        for comparison in sweep?.comparisons ?? [] {
            let row = comparison.row
            let baseline = plan.fields(of: comparison.baseline)
            lead(row.metric, [plan.policies[row.policy].name] + baseline, row.point, &out)
            append(row, &out)
        }
        return out.bytes
    }

    /// The text of `sweep_slopes.csv`.
    var slopeTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.sweepSlopes.header)
        for row in sweep?.slopes ?? [] {
            lead(row.metric, [plan.policies[row.policy].name, plan.axes[row.axis.index], row.axis.unit], nil, &out)
            for value in [row.slope?.difference, row.slope?.low, row.slope?.high, row.slope?.p] { append(value, &out) }
            out.comma()
            out.append(row.slope?.n ?? 0)
            out.newline()
        }
        return out.bytes
    }

    /// The text of `sweep_crossings.csv`.
    var crossingTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.sweepCrossings(axes: plan.axisColumns).header)
        for row in sweep?.crossings ?? [] {
            let names = [plan.policies[baseline].name, plan.policies[row.policy].name]
            guard let metric = plan.metrics.index(of: analysis.primary) else { continue }
            lead(metric, names + [plan.axes[row.axis.index], row.axis.unit], nil, &out)
            for (axis, value) in plan.fields(of: row.point).enumerated() {
                out.comma()
                if axis != row.axis.index { out.append(field: value) }
            }
            for value in [row.crossing.at, row.crossing.low, row.crossing.high] { append(value, &out) }
            out.append(text: row.crossing.rises ? ",rises" : ",falls")
            out.newline()
        }
        return out.bytes
    }
}
