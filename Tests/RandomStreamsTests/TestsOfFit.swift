// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// The probability of a chi-squared statistic at least as large, if all cells were equally likely.
func pValueOfEqualCells(_ counts: [Int]) -> Double {
    let expected = Double(counts.reduce(0, +)) / Double(counts.count)
    let statistic = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    return ChiSquared.upperTail(statistic, degreesOfFreedom: Double(counts.count - 1))
}

/// Kolmogorov's statistic times the root of the sample size; it exceeds 2.23 with probability 1e-4.
func kolmogorovStatistic(_ sample: [Double], cumulative: (Double) -> Double) -> Double {
    let sorted = sample.sorted()
    let size = Double(sorted.count)
    var largest = 0.0
    for (rank, value) in sorted.enumerated() {
        let probability = cumulative(value)
        largest = max(largest, probability - Double(rank) / size, Double(rank + 1) / size - probability)
    }
    return largest * size.squareRoot()
}

/// Exceeded by Kolmogorov's statistic with probability 1e-4: the root of -ln(1e-4 / 2) / 2.
let kolmogorovLimit = 2.2253
