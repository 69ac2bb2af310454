// SPDX-License-Identifier: GPL-3.0-or-later

/// Effects of some figures on the values that a recording shows, because each figure changes its own value and the
/// other values.
struct Coupling: Sendable {
    /// Change of a figure with which its effects are measured, on the scale of the figure.
    private static let change = 0.4

    private let indices: [Int]
    /// Inverse of the matrix of effects.
    private let inverse: [[Double]]

    /// Measures the effects; nil if they cannot be distinguished.
    ///
    /// - Parameter shown: Function that returns the values shown after the figures are moved by the given amounts.
    init?(_ indices: [Int], shown: ([Double]) -> [Double]) {
        self.indices = indices
        var matrix = indices.map { _ in [Double](repeating: 0, count: indices.count) }
        for column in indices.indices {
            let ends = [Self.change, -Self.change].map { change in
                shown(indices.indices.map { $0 == column ? change : 0 })
            }
            for row in indices.indices { matrix[row][column] = (ends[0][row] - ends[1][row]) / (2 * Self.change) }
        }
        guard let inverse = Self.inverted(matrix) else { return nil }
        self.inverse = inverse
    }

    /// Replaces differences in the values by the moves of the figures that would cause these differences.
    func solve(_ moves: inout [Double]) {
        let own = indices.map { moves[$0] }
        for (row, index) in indices.enumerated() {
            moves[index] = zip(inverse[row], own).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// Inverse of a matrix by Gauss-Jordan elimination with the largest pivots; nil if a pivot is almost zero.
    private static func inverted(_ matrix: [[Double]]) -> [[Double]]? {
        var left = matrix
        var right = matrix.indices.map { row in matrix.indices.map { $0 == row ? 1.0 : 0.0 } }
        for column in matrix.indices {
            guard let pivot = (column..<matrix.count).max(by: { abs(left[$0][column]) < abs(left[$1][column]) }),
                abs(left[pivot][column]) > 0.02
            else { return nil }
            left.swapAt(column, pivot)
            right.swapAt(column, pivot)
            let scale = left[column][column]
            left[column] = left[column].map { $0 / scale }
            right[column] = right[column].map { $0 / scale }
            for row in matrix.indices where row != column {
                let factor = left[row][column]
                left[row] = zip(left[row], left[column]).map { $0 - factor * $1 }
                right[row] = zip(right[row], right[column]).map { $0 - factor * $1 }
            }
        }
        return right
    }
}
