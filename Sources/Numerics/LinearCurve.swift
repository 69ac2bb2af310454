// SPDX-License-Identifier: GPL-3.0-or-later

/// Straight lines through a table of points; the curve is constant beyond its ends.
///
/// This is `MonotoneCurve` without smoothing, for tables that are meant to have corners (charge limits, step-like
/// maps). Evaluation allocates no memory.
public struct LinearCurve: Sendable {
    private let cubic: PiecewiseCubic

    /// Creates the curve through a table of points.
    ///
    /// - Parameters:
    ///   - x: strictly increasing, at least two.
    ///   - y: one value per x.
    /// - Throws: the error of the table, with its row.
    public init(x: [Double], y: [Double]) throws(NumericsError) {
        try checkKnots(x: x, y: y)
        cubic = PiecewiseCubic(linesThrough: x, y)
    }

    /// The first x of the table.
    public var start: Double { cubic.start }
    /// The last x of the table.
    public var end: Double { cubic.end }

    /// The value at x; beyond the table, the value at its nearer end.
    public func callAsFunction(_ x: Double) -> Double { cubic.value(at: x) }

    /// The value at x; beyond the table, the value at its nearer end.
    public func value(at x: Double) -> Double { cubic.value(at: x) }

    /// Slope at x; at a corner, the slope to its right; beyond the table, zero.
    public func derivative(at x: Double) -> Double { cubic.derivative(at: x) }

    /// The integral between two arguments, with a constant curve beyond the table; negative if the bounds are reversed.
    public func integral(from low: Double, to high: Double) -> Double { cubic.integral(from: low, to: high) }

    /// Argument at which a curve that only rises (or only falls) has a value; clamped to the table.
    /// - Precondition: the values of the table rise from row to row, or fall from row to row.
    public func argument(ofValue y: Double) -> Double { cubic.argument(ofValue: y) }
}
