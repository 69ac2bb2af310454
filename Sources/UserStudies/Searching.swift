// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Argument at which a function with a single peak is largest, by golden-section search.
func peak(of function: (Double) -> Double, in interval: ClosedRange<Double>, steps: Int = 40) -> Double {
    let ratio = (5.0.squareRoot() - 1) / 2
    var (low, high) = (interval.lowerBound, interval.upperBound)
    var (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
    var (atLeft, atRight) = (function(left), function(right))
    for _ in 0..<steps {
        if atLeft > atRight {
            (high, right, atRight) = (right, left, atLeft)
            left = high - ratio * (high - low)
            atLeft = function(left)
        } else {
            (low, left, atLeft) = (left, right, atRight)
            right = low + ratio * (high - low)
            atRight = function(right)
        }
    }
    return (low + high) / 2
}

/// Mean and standard deviation (divisor n - 1) of numbers; nil for fewer than two numbers.
func spread(_ values: [Double]) -> (mean: Double, deviation: Double)? {
    guard values.count > 1 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(values.count - 1)).squareRoot())
}
