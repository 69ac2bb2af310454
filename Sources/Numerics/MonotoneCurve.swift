// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL

/// A smooth curve through a table of points that never overshoots between them (Steffen's interpolation).
///
/// Between two neighbouring points, the curve is monotone. Its first derivative is continuous, and extremes occur only
/// at the points. Beyond the table, the curve has the first and the last value. Copies are cheap; evaluation allocates
/// no memory. Two points give a straight line.
///
///     let voltage = try MonotoneCurve(x: [0, 0.1, 1], y: [3.0, 3.5, 4.2])
///     voltage(0.5)
///
/// Source: M. Steffen, A simple method for monotonic interpolation in one dimension, Astronomy and Astrophysics 239
/// (1990) 443-450; derivatives at the points are those of `gsl_interp_steffen`.
public struct MonotoneCurve: Sendable {
    /// The slopes at the points of the table.
    public let slopes: [Double]
    let cubic: PiecewiseCubic

    /// Creates the curve through a table of points.
    ///
    /// - Parameters:
    ///   - x: strictly increasing, at least two.
    ///   - y: one value per x.
    /// - Throws: the error of the table, with its row.
    public init(x: [Double], y: [Double]) throws(NumericsError) {
        try checkKnots(x: x, y: y)
        if x.count == 2 {
            let slope = (y[1] - y[0]) / (x[1] - x[0])
            slopes = [slope, slope]
        } else {
            let spline = try SteffenSpline(x: x, y: y)
            var derivatives: [Double] = []
            for knot in x { derivatives.append(try spline.derivative(at: knot)) }
            slopes = derivatives
        }
        cubic = PiecewiseCubic(x: x, y: y, derivatives: slopes)
    }

    /// The first x of the table.
    public var start: Double { cubic.start }
    /// The last x of the table.
    public var end: Double { cubic.end }

    /// The value at x; beyond the table, the value at its nearer end.
    /// - Complexity: logarithmic in the number of points, without allocation.
    public func callAsFunction(_ x: Double) -> Double { cubic.value(at: x) }

    /// The value at x; beyond the table, the value at its nearer end.
    public func value(at x: Double) -> Double { cubic.value(at: x) }

    /// The slope at x; zero beyond the table.
    public func derivative(at x: Double) -> Double { cubic.derivative(at: x) }

    /// The integral between two arguments, with a constant curve beyond the table; negative if the bounds are reversed.
    public func integral(from low: Double, to high: Double) -> Double { cubic.integral(from: low, to: high) }

    /// Argument at which a curve that only rises (or only falls) has a value.
    ///
    /// Values outside the range of the curve give the nearer end of the table.
    /// - Precondition: the values of the table rise from row to row, or fall from row to row.
    public func argument(ofValue y: Double) -> Double { cubic.argument(ofValue: y) }
}

/// GSL's own spline object, used only while a curve is built (and as the reference in tests).
struct SteffenSpline: ~Copyable {
    private let spline: UnsafeMutablePointer<gsl_spline>

    init(x: [Double], y: [Double]) throws(NumericsError) {
        GSL.prepare()
        guard let made = gsl_spline_alloc(cgsl_interp_steffen(), x.count) else {
            throw .libraryFailed(operation: "monotone interpolation", reason: "no memory for \(x.count) points")
        }
        let code = gsl_spline_init(made, x, y, x.count)
        if Int(code) != GSL_SUCCESS { gsl_spline_free(made) }
        try GSL.check(code, in: "monotone interpolation")
        spline = made
    }

    deinit { gsl_spline_free(spline) }

    func derivative(at x: Double) throws(NumericsError) -> Double {
        var result = 0.0
        try GSL.check(gsl_spline_eval_deriv_e(spline, x, nil, &result), in: "calculating the slope of a monotone curve")
        return try GSL.finite(result, in: "calculating the slope of a monotone curve")
    }

    func value(at x: Double) throws(NumericsError) -> Double {
        var result = 0.0
        try GSL.check(gsl_spline_eval_e(spline, x, nil, &result), in: "calculating a value of a monotone curve")
        return try GSL.finite(result, in: "calculating a value of a monotone curve")
    }

    func integral(from low: Double, to high: Double) throws(NumericsError) -> Double {
        var result = 0.0
        try GSL.check(
            gsl_spline_eval_integ_e(spline, low, high, nil, &result), in: "calculating the integral of a monotone curve"
        )
        return try GSL.finite(result, in: "calculating the integral of a monotone curve")
    }
}
