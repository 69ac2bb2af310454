// SPDX-License-Identifier: GPL-3.0-or-later

/// Error in numbers from a user, or in a numerical method.
public enum NumericsError: Error, Equatable, CustomStringConvertible {
    /// Curve with fewer points than it needs.
    case tooFewPoints(found: Int, needed: Int)
    /// The two columns of a table differ in length.
    case unequalColumns(x: Int, y: Int)
    /// A value of the table is infinite or not a number; rows count from 0.
    case notFinite(row: Int)
    /// The first column does not increase at a row; rows count from 0.
    case notIncreasing(row: Int, previous: Double, value: Double)
    /// The function has the same sign at both ends of the interval.
    case rootNotBracketed(low: Double, high: Double, atLow: Double, atHigh: Double)
    /// A numerical method gave up or returned a value that is not a number.
    case libraryFailed(operation: String, reason: String)

    /// One sentence for the user.
    public var description: String {
        switch self {
        case .tooFewPoints(let found, let needed):
            "a curve needs at least \(needed) points, found \(found)"
        case .unequalColumns(let x, let y):
            "a curve needs as many x values as y values, found \(x) and \(y)"
        case .notFinite(let row):
            "row \(row) of the curve contains a value that is not a finite number"
        case .notIncreasing(let row, let previous, let value):
            "x must increase from row to row, but row \(row) has \(value) after \(previous)"
        case .rootNotBracketed(let low, let high, let atLow, let atHigh):
            "no sign change between \(low) (value \(atLow)) and \(high) (value \(atHigh))"
        case .libraryFailed(let operation, let reason):
            "\(operation) failed: \(reason)"
        }
    }
}
