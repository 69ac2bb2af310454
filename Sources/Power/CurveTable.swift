/// Points of a curve by rising argument, as a parameter file gives them.
struct CurveTable {
    let x: [Double]
    let y: [Double]

    init(x: [Double], y: [Double]) {
        precondition(x.count == y.count && x.count >= 2, "a curve needs two points or more")
        for place in 1..<x.count { precondition(x[place] > x[place - 1], "a curve's arguments must rise") }
        self.x = x
        self.y = y
    }

    /// Value and slope of the straight piece that begins at or goes through an argument; level beyond the ends.
    func line(from start: Double) -> (Double, Double) {
        guard let place = piece(from: start) else { return (start < x[0] ? y[0] : y[y.count - 1], 0) }
        let slope = (y[place + 1] - y[place]) / (x[place + 1] - x[place])
        return (y[place] + slope * (start - x[place]), slope)
    }

    /// Coefficients, from the constant on, of the cubic with given slopes at the points, about an argument.
    func cubic(from start: Double, slopes: [Double]) -> (Double, Double, Double, Double) {
        guard let place = piece(from: start) else { return (start < x[0] ? y[0] : y[y.count - 1], 0, 0, 0) }
        let width = x[place + 1] - x[place]
        let chord = (y[place + 1] - y[place]) / width
        let c2 = (3 * chord - 2 * slopes[place] - slopes[place + 1]) / width
        let c3 = (slopes[place] + slopes[place + 1] - 2 * chord) / (width * width)
        let t = start - x[place]
        let value = y[place] + t * (slopes[place] + t * (c2 + t * c3))
        return (value, slopes[place] + t * (2 * c2 + 3 * t * c3), c2 + 3 * t * c3, c3)
    }

    private func piece(from start: Double) -> Int? {
        guard start >= x[0], start < x[x.count - 1] else { return nil }
        return x.lastIndex { $0 <= start }
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
