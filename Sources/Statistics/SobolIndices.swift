// SPDX-License-Identifier: GPL-3.0-or-later

/// Share of the variance of a result that comes from each input, by Sobol's indices.
///
/// First-order indices use the estimator of Saltelli et al. 2010, and total indices that of Jansen. The values are
/// centred first. Estimates from few points may be below 0 or above 1.
///
/// Source: A. Saltelli et al., Computer Physics Communications 181 (2010) 259-270, doi:10.1016/j.cpc.2009.09.018,
/// table 2 (b) and (f).
public struct SobolIndices: Equatable, Sendable {
    /// First-order index of each input: the share of the variance that disappears when the input alone is fixed.
    public let first: [Double]
    /// Total index of each input: the share of the variance that remains when all other inputs are fixed.
    public let total: [Double]

    /// Computes the indices; nil if the values do not vary.
    ///
    /// - Parameters:
    ///   - values: the result at each point of `SamplingDesign.saltelli`, in its order.
    ///   - inputs: number of inputs.
    public init?(values: [Double], inputs: Int) {
        let group = inputs + 2
        guard !values.isEmpty && values.count.isMultiple(of: group) else {
            fatalError("the number of values is not a multiple of the group size")
        }
        let starts = stride(from: 0, to: values.count, by: group)
        let mean = values.reduce(0, +) / Double(values.count)
        let ends = starts.flatMap { [values[$0] - mean, values[$0 + group - 1] - mean] }
        let centre = ends.reduce(0, +) / Double(ends.count)
        let variance = ends.reduce(0) { $0 + ($1 - centre) * ($1 - centre) } / Double(ends.count)
        guard variance > 0 else { return nil }
        let count = Double(values.count / group)
        first = (1...inputs).map { input in
            let sum = starts.reduce(0.0) { sum, start in
                sum + (values[start + group - 1] - mean) * (values[start + input] - values[start])
            }
            return sum / count / variance
        }
        total = (1...inputs).map { input in
            let sum = starts.reduce(0.0) { sum, start in
                let change = values[start] - values[start + input]
                return sum + change * change
            }
            return sum / count / 2 / variance
        }
    }
}
