// SPDX-License-Identifier: GPL-3.0-or-later

extension PiecewiseCubic {
    /// Finds the argument at which a strictly monotone curve has a value, by bisection over the pieces and then inside
    /// one piece.
    func argument(ofValue y: Double) -> Double {
        guard !y.isNaN else { fatalError("a curve cannot be inverted at NaN") }
        let first = pieces[0].value
        let last = pieces[pieces.count - 1].value
        guard first != last else { fatalError("only a rising or falling curve can be inverted") }
        let rises = last > first
        func isBeyond(_ value: Double) -> Bool { rises ? value > y : value < y }
        if isBeyond(first) || first == y { return start }
        if !isBeyond(last) { return end }
        var low = 0
        var high = pieces.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBeyond(pieces[middle].value) { high = middle } else { low = middle }
        }
        return argument(ofValue: y, inPiece: low, isBeyond: isBeyond)
    }

    /// Newton's method inside one piece, kept inside a shrinking bracket.
    private func argument(ofValue y: Double, inPiece index: Int, isBeyond: (Double) -> Bool) -> Double {
        let piece = pieces[index]
        var left = 0.0
        var right = pieces[index + 1].start - piece.start
        var t = right * (y - piece.value) / (pieces[index + 1].value - piece.value)
        for _ in 0..<100 {
            let value = piece.value(at: t)
            if value == y { break }
            if isBeyond(value) { right = t } else { left = t }
            let slope = piece.slope + t * (2 * piece.second + t * 3 * piece.third)
            var next = t - (value - y) / slope
            if !(next > left && next < right) { next = (left + right) / 2 }
            if next == t { break }
            t = next
        }
        return piece.start + t
    }
}
