// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Points of a curve by rising argument, as a parameter file gives them.
struct CurveTable {
    let x: [Double]
    let y: [Double]

    init(x: [Double], y: [Double]) {
        guard x.count == y.count && x.count >= 2 else {
            fatalError("a curve needs at least two points, and as many y values as x values")
        }
        for index in 1..<x.count {
            guard x[index] > x[index - 1] else { fatalError("the x values of a curve must increase") }
        }
        self.x = x
        self.y = y
    }

    /// Slopes at the points that keep the cubics between them from overshooting (Steffen's method, from GSL).
    var slopes: [Double] {
        do {
            return try MonotoneCurve(x: x, y: y).slopes
        } catch {
            fatalError("the table does not describe a curve: \(error)")
        }
    }

    /// Value at an argument, and slope of the straight piece that begins at or contains it; the curve is level beyond
    /// its ends.
    func line(from start: Double) -> (Double, Double) {
        guard let index = piece(from: start) else { return (start < x[0] ? y[0] : y[y.count - 1], 0) }
        let slope = (y[index + 1] - y[index]) / (x[index + 1] - x[index])
        return (y[index] + slope * (start - x[index]), slope)
    }

    /// Coefficients, constant first, of the cubic expanded about an argument, for given slopes at the points.
    func cubic(from start: Double, slopes: [Double]) -> (Double, Double, Double, Double) {
        guard let index = piece(from: start) else { return (start < x[0] ? y[0] : y[y.count - 1], 0, 0, 0) }
        let width = x[index + 1] - x[index]
        let chord = (y[index + 1] - y[index]) / width
        let c2 = (3 * chord - 2 * slopes[index] - slopes[index + 1]) / width
        let c3 = (slopes[index] + slopes[index + 1] - 2 * chord) / (width * width)
        let t = start - x[index]
        let value = y[index] + t * (slopes[index] + t * (c2 + t * c3))
        return (value, slopes[index] + t * (2 * c2 + 3 * t * c3), c2 + 3 * t * c3, c3)
    }

    private func piece(from start: Double) -> Int? {
        guard start >= x[0], start < x[x.count - 1] else { return nil }
        return x.lastIndex { $0 <= start }
    }
}
