// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// Finds the zero of a continuous function in an interval at whose ends the function has different signs.
///
/// Brent's method never leaves the interval.
/// - Parameters:
///   - function: continuous, of opposite signs (or zero) at the two ends.
///   - interval: the interval to search.
///   - tolerance: absolute width at which the search stops; zero means full precision.
/// - Throws: an error when the signs are equal or the search does not converge.
public func findRoot(
    of function: (Double) -> Double, in interval: ClosedRange<Double>, tolerance: Double = 0
) throws(NumericsError) -> Double {
    GSL.prepare()
    let low = interval.lowerBound
    let high = interval.upperBound
    let atLow = try GSL.finite(function(low), in: "finding a root at \(low)")
    let atHigh = try GSL.finite(function(high), in: "finding a root at \(high)")
    if atLow == 0 { return low }
    if atHigh == 0 { return high }
    guard (atLow < 0) != (atHigh < 0) else {
        throw .rootNotBracketed(low: low, high: high, atLow: atLow, atHigh: atHigh)
    }
    guard let solver = gsl_root_fsolver_alloc(cgsl_root_brent()) else {
        throw .libraryFailed(operation: "finding a root", reason: "no memory")
    }
    defer { gsl_root_fsolver_free(solver) }
    let outcome = withGSLFunction(function) { callback in
        bracketedSearch(solver, callback, low: low, high: high, tolerance: tolerance)
    }
    try GSL.check(outcome.code, in: "finding a root")
    return try GSL.finite(outcome.root, in: "finding a root")
}

private func bracketedSearch(
    _ solver: UnsafeMutablePointer<gsl_root_fsolver>, _ callback: UnsafeMutablePointer<gsl_function>, low: Double,
    high: Double, tolerance: Double
) -> (root: Double, code: Int32) {
    var code = gsl_root_fsolver_set(solver, callback, low, high)
    for _ in 0..<1000 where Int(code) == GSL_SUCCESS {
        code = gsl_root_fsolver_iterate(solver)
        guard Int(code) == GSL_SUCCESS else { break }
        let left = gsl_root_fsolver_x_lower(solver)
        let right = gsl_root_fsolver_x_upper(solver)
        if Int(gsl_root_test_interval(left, right, tolerance, 4 * Double.ulpOfOne)) == GSL_SUCCESS {
            return (gsl_root_fsolver_root(solver), code)
        }
    }
    return (.nan, Int(code) == GSL_SUCCESS ? Int32(GSL_EMAXITER) : code)
}
