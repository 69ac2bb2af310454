// SPDX-License-Identifier: GPL-3.0-or-later

/// The curves of a cell over the state of charge: open-circuit voltage, resistance and charging current.
///
/// All three share one set of pieces between their knots, so one look-up serves them. A coarse index maps a state of
/// charge to its piece, so the time does not depend on the size of the tables. The curve of a table is constant beyond
/// its ends.
///
/// The curves never change after they are built, so copies of a phone share them.
final class CellCurves {
    /// One piece: a cubic for the voltage, straight lines for resistance and charging current.
    struct Piece {
        var start = 0.0
        var volts = (0.0, 0.0, 0.0, 0.0)
        /// Integral of the voltage from the first knot to `start`.
        var integral = 0.0
        var factor = (0.0, 0.0)
        var rate = (0.0, 0.0)
    }

    private let pieces: UnsafeMutablePointer<Piece>
    private let index: UnsafeMutablePointer<Int32>
    private let count: Int

    /// Builds the curves: the voltage from Steffen's cubics, the others from straight lines.
    init(voltage: CurveTable, factor: CurveTable, rate: CurveTable) {
        let slopes = voltage.slopes
        let knots = Self.knots(voltage.x + factor.x + rate.x)
        count = knots.count - 1
        pieces = .allocate(capacity: count)
        pieces.initialize(repeating: Piece(), count: count)
        var integral = 0.0
        for knot in 0..<count {
            let start = knots[knot]
            var piece = Piece(start: start, integral: integral)
            piece.volts = voltage.cubic(from: start, slopes: slopes)
            piece.factor = factor.line(from: start)
            piece.rate = rate.line(from: start)
            pieces[knot] = piece
            integral += CellView.integral(of: piece, over: knots[knot + 1] - start)
        }
        index = .allocate(capacity: CellView.buckets + 1)
        var knot = 0
        for bucket in 0...CellView.buckets {
            let left = Double(bucket) / Double(CellView.buckets)
            while knot + 1 < count, knots[knot + 1] <= left { knot += 1 }
            (index + bucket).initialize(to: Int32(knot))
        }
    }

    deinit {
        pieces.deallocate()
        index.deallocate()
    }

    /// The curves as plain pointers, for inner loops; valid while the curves live.
    @inline(__always)
    var view: CellView { CellView(pieces: pieces, index: index, last: count - 1) }

    private static func knots(_ states: [Double]) -> [Double] {
        var knots = [0.0]
        for state in (states + [1]).sorted() where state > knots[knots.count - 1] && state <= 1 { knots.append(state) }
        return knots
    }
}

/// Curves of a cell without ownership.
struct CellView: BitwiseCopyable {
    static let buckets = 256
    let pieces: UnsafeMutablePointer<CellCurves.Piece>
    let index: UnsafeMutablePointer<Int32>
    let last: Int

    /// Values of the tables at a state of charge.
    struct Point {
        var open: Double
        /// Change of the open-circuit voltage per unit of the state of charge.
        var slope: Double
        /// Mean voltage of a stretch around this point minus the voltage here, divided by the stretch's squared length:
        /// U'' / 24.
        var bend: Double
        var factor: Double
        var factorSlope: Double
        var rate: Double
    }

    @inline(__always)
    func point(at state: Double) -> Point {
        let x = min(max(state, 0), 1)
        return Self.point(of: piece(at: x), at: x)
    }

    /// Values of a piece at a state of charge within it.
    @inline(__always)
    static func point(of piece: UnsafeMutablePointer<CellCurves.Piece>, at state: Double) -> Point {
        let t = state - piece.pointee.start
        let volts = piece.pointee.volts
        return Point(
            open: volts.0 + t * (volts.1 + t * (volts.2 + t * volts.3)),
            slope: volts.1 + t * (2 * volts.2 + 3 * t * volts.3),
            bend: (volts.2 + 3 * t * volts.3) * (1.0 / 12),
            factor: piece.pointee.factor.0 + t * piece.pointee.factor.1,
            factorSlope: piece.pointee.factor.1,
            rate: piece.pointee.rate.0 + t * piece.pointee.rate.1)
    }

    /// The integral of the open-circuit voltage from empty to a state of charge.
    @inline(__always)
    func integral(to state: Double) -> Double {
        let x = min(max(state, 0), 1)
        let piece = self.piece(at: x)
        return piece.pointee.integral + Self.integral(of: piece.pointee, over: x - piece.pointee.start)
    }

    /// The piece around a state of charge from 0 to 1.
    @inline(__always)
    func piece(at x: Double) -> UnsafeMutablePointer<CellCurves.Piece> {
        var knot = Int(index[Int(x * Double(Self.buckets))])
        while knot < last, pieces[knot + 1].start <= x { knot += 1 }
        return pieces + knot
    }

    /// Where a piece ends.
    func end(of piece: UnsafeMutablePointer<CellCurves.Piece>) -> Double {
        piece - pieces == last ? .infinity : piece[1].start
    }

    @inline(__always)
    static func integral(of piece: CellCurves.Piece, over t: Double) -> Double {
        let volts = piece.volts
        return t * (volts.0 + t * (volts.1 / 2 + t * (volts.2 / 3 + t * volts.3 / 4)))
    }
}
