// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Recording
import Scenario
import Statistics

extension Judgement {
    /// Quantile of a metric over the replications of a policy at a sweep point; nil if no replication has a value.
    public func quantile(_ fraction: Double, metric: Int, policy: Int, point: Int) -> QuantileInterval? {
        let own = values.finite(metric: metric, policy: policy, point: point)
        return own.isEmpty ? nil : QuantileInterval(fraction, of: own, level: analysis.level)
    }

    /// The text of `quantiles.csv`.
    var quantileTable: [UInt8] {
        var out = ByteBuffer()
        out.append(contentsOf: TableCatalog.quantiles(axes: plan.axisColumns).header)
        for row in summary {
            for fraction in analysis.quantiles {
                let found = quantile(fraction, metric: row.metric, policy: row.policy, point: row.point)
                lead(row.metric, [plan.policies[row.policy].name], row.point, &out)
                for value in [fraction, found?.value, found?.low, found?.high] { append(value, &out) }
                for count in [found?.n ?? 0, QuantileInterval.fewest(fraction, level: analysis.level)] {
                    out.comma()
                    out.append(count)
                }
                out.newline()
            }
        }
        return out.bytes
    }
}
