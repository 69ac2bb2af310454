/// A curve over the state of charge, from 0 to 1, made for very fast evaluation; constant beyond its ends.
///
/// A coarse index leads from the argument to its piece, so that a look-up costs a few loads whatever the table's size.
struct CellTable: ~Copyable {
    private struct Piece {
        var start = 0.0
        var c0 = 0.0
        var c1 = 0.0
        var c2 = 0.0
        var c3 = 0.0
        /// Integral from the first knot to `start`.
        var before = 0.0
    }

    private static let buckets = 256
    private let count: Int
    private let pieces: UnsafeMutablePointer<Piece>
    private let firstPiece: UnsafeMutablePointer<Int32>
    private let start: Double
    private let end: Double

    /// Builds the curve through points with given slopes; straight lines where `slopes` is nil.
    init(x: [Double], y: [Double], slopes: [Double]?) {
        precondition(x.count == y.count && x.count >= 2, "a curve needs two points or more")
        count = x.count - 1
        start = x[0]
        end = x[count]
        pieces = .allocate(capacity: count)
        pieces.initialize(repeating: Piece(), count: count)
        var integral = 0.0
        for i in 0..<count {
            let width = x[i + 1] - x[i]
            precondition(width > 0, "a curve's arguments must rise")
            let chord = (y[i + 1] - y[i]) / width
            var piece = Piece(start: x[i], c0: y[i], c1: chord, before: integral)
            if let slopes {
                piece.c1 = slopes[i]
                piece.c2 = (3 * chord - 2 * slopes[i] - slopes[i + 1]) / width
                piece.c3 = (slopes[i] + slopes[i + 1] - 2 * chord) / (width * width)
            }
            pieces[i] = piece
            integral += Self.integral(of: piece, over: width)
        }
        firstPiece = .allocate(capacity: Self.buckets + 1)
        var piece = 0
        for bucket in 0...Self.buckets {
            let left = Double(bucket) / Double(Self.buckets)
            while piece + 1 < count, x[piece + 1] <= left { piece += 1 }
            (firstPiece + bucket).initialize(to: Int32(piece))
        }
    }

    deinit {
        pieces.deallocate()
        firstPiece.deallocate()
    }

    @inline(__always)
    func value(at argument: Double) -> Double {
        let x = min(max(argument, start), end)
        let piece = pieces + index(of: x)
        let t = x - piece.pointee.start
        return piece.pointee.c0 + t * (piece.pointee.c1 + t * (piece.pointee.c2 + t * piece.pointee.c3))
    }

    /// The integral from the first knot to an argument inside the table.
    func integral(to argument: Double) -> Double {
        let x = min(max(argument, start), end)
        let piece = pieces[index(of: x)]
        return piece.before + Self.integral(of: piece, over: x - piece.start)
    }

    @inline(__always)
    private func index(of x: Double) -> Int {
        let bucket = Int(min(max(x, 0), 1) * Double(Self.buckets))
        var index = Int(firstPiece[bucket])
        while index + 1 < count, pieces[index + 1].start <= x { index += 1 }
        return index
    }

    private static func integral(of piece: Piece, over t: Double) -> Double {
        t * (piece.c0 + t * (piece.c1 / 2 + t * (piece.c2 / 3 + t * piece.c3 / 4)))
    }
}

/// Slopes at the points of a table such that the cubics between them never overshoot.
///
/// Source: M. Steffen, A simple method for monotonic interpolation in one dimension, Astronomy and Astrophysics 239
/// (1990) 443-450; at the two ends the slope of the parabola through three points, limited, as `gsl_interp_steffen` has it.
func steffenSlopes(x: [Double], y: [Double]) -> [Double] {
    let last = x.count - 1
    var slopes = [Double](repeating: 0, count: x.count)
    slopes[0] = (y[1] - y[0]) / (x[1] - x[0])
    slopes[last] = (y[last] - y[last - 1]) / (x[last] - x[last - 1])
    for i in 1..<max(last, 1) {
        let left = x[i] - x[i - 1]
        let right = x[i + 1] - x[i]
        let leftSlope = (y[i] - y[i - 1]) / left
        let rightSlope = (y[i + 1] - y[i]) / right
        let parabola = (leftSlope * right + rightSlope * left) / (left + right)
        let sign = (leftSlope < 0 ? -1.0 : 1.0) + (rightSlope < 0 ? -1.0 : 1.0)
        slopes[i] = sign * min(abs(leftSlope), abs(rightSlope), abs(parabola) / 2)
    }
    return slopes
}
