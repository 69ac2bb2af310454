// SPDX-License-Identifier: GPL-3.0-or-later

/// Curve in pieces: a cubic between each two neighbouring knots, and constant before the first and after the last knot.
///
/// All coefficients are computed once; evaluation neither allocates nor calls GSL.
struct PiecewiseCubic: Sendable {
    /// The polynomial `value + t (slope + t (second + t third))`, with `t` counted from the piece's left knot.
    struct Piece: BitwiseCopyable, Sendable {
        var start: Double
        var value: Double
        var slope: Double
        var second: Double
        var third: Double
        /// Integral of the whole curve from the first knot to this piece's left knot.
        var integralBefore: Double
    }

    /// One piece per knot; the last piece is the constant after the last knot.
    let pieces: [Piece]

    /// Joins knots by cubics with the given values and derivatives.
    init(x: [Double], y: [Double], derivatives: [Double]) {
        var pieces: [Piece] = []
        pieces.reserveCapacity(x.count)
        var integral = 0.0
        for i in 0..<(x.count - 1) {
            let width = x[i + 1] - x[i]
            let chord = (y[i + 1] - y[i]) / width
            let piece = Piece(
                start: x[i], value: y[i], slope: derivatives[i],
                second: (3 * chord - 2 * derivatives[i] - derivatives[i + 1]) / width,
                third: (derivatives[i] + derivatives[i + 1] - 2 * chord) / (width * width),
                integralBefore: integral)
            pieces.append(piece)
            integral += piece.integral(to: width)
        }
        let end = x.count - 1
        pieces.append(
            Piece(start: x[end], value: y[end], slope: 0, second: 0, third: 0, integralBefore: integral))
        self.pieces = pieces
    }

    /// Joins knots by straight lines.
    init(linesThrough x: [Double], _ y: [Double]) {
        var pieces: [Piece] = []
        pieces.reserveCapacity(x.count)
        var integral = 0.0
        for i in x.indices {
            let isLast = i == x.count - 1
            let slope = isLast ? 0 : (y[i + 1] - y[i]) / (x[i + 1] - x[i])
            pieces.append(
                Piece(start: x[i], value: y[i], slope: slope, second: 0, third: 0, integralBefore: integral))
            if !isLast { integral += (x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2 }
        }
        self.pieces = pieces
    }

    var start: Double { pieces[0].start }
    var end: Double { pieces[pieces.count - 1].start }

    /// Index of the piece that contains x; the first piece if x is before the first knot.
    func index(of x: Double) -> Int {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= x { low = middle } else { high = middle }
        }
        return low
    }

    func value(at x: Double) -> Double {
        guard !x.isNaN else { fatalError("a curve cannot be evaluated at NaN") }
        let piece = pieces[index(of: x)]
        return x <= piece.start ? piece.value : piece.value(at: min(x, end) - piece.start)
    }

    /// Slope at x; at a knot, the slope of the piece to its right; outside the table, zero.
    func derivative(at x: Double) -> Double {
        guard !x.isNaN else { fatalError("a curve has no slope at NaN") }
        guard x >= start, x < end else { return 0 }
        let piece = pieces[index(of: x)]
        let t = x - piece.start
        return piece.slope + t * (2 * piece.second + t * 3 * piece.third)
    }

    func integral(from low: Double, to high: Double) -> Double { primitive(high) - primitive(low) }

    /// Integral from the first knot to x, including the constant parts.
    private func primitive(_ x: Double) -> Double {
        if x <= start { return (x - start) * pieces[0].value }
        let piece = pieces[index(of: x)]
        return piece.integralBefore + piece.integral(to: x - piece.start)
    }
}

extension PiecewiseCubic.Piece {
    @inline(__always)
    func value(at t: Double) -> Double { value + t * (slope + t * (second + t * third)) }

    func integral(to t: Double) -> Double {
        t * (value + t * (slope / 2 + t * (second / 3 + t * third / 4)))
    }
}

/// Throws unless two columns can be the knots of a curve.
func checkKnots(x: [Double], y: [Double]) throws(NumericsError) {
    guard x.count == y.count else { throw .unequalColumns(x: x.count, y: y.count) }
    guard x.count >= 2 else { throw .tooFewPoints(found: x.count, needed: 2) }
    for row in x.indices {
        guard x[row].isFinite, y[row].isFinite else { throw .notFinite(row: row) }
        if row > 0, x[row] <= x[row - 1] {
            throw .notIncreasing(row: row, previous: x[row - 1], value: x[row])
        }
    }
}
