// SPDX-License-Identifier: GPL-3.0-or-later
import Numerics

/// Sample points of the unit cube for a function of many inputs.
public enum SamplingDesign {
    /// Points of a Latin hypercube: in each coordinate, each of n equal parts of the range contains one point, at
    /// random within the part.
    ///
    /// Source: M. D. McKay, R. J. Beckman, W. J. Conover, A comparison of three methods for selecting values of input
    /// variables, Technometrics 21 (1979) 239-245, doi:10.1080/00401706.1979.10489755.
    public static func latinHypercube(_ count: Int, dimensions: Int, seed: UInt64) -> [[Double]] {
        var generator = Xoshiro256PlusPlus(spreading: seed)
        var points = [[Double]](repeating: [Double](repeating: 0, count: dimensions), count: count)
        for dimension in 0..<dimensions {
            for (point, slice) in generator.permutation(count).enumerated() {
                points[point][dimension] = (Double(slice) + generator.uniform()) / Double(count)
            }
        }
        return points
    }

    /// First points of Sobol's sequence.
    public static func sobol(_ count: Int, dimensions: Int) -> [[Double]] {
        SobolSequence.points(count, dimensions: dimensions)
    }

    /// Largest number of inputs of `sobol`; `saltelli` takes half as many.
    public static let mostSobolDimensions = SobolSequence.mostDimensions

    /// Size of each step of a trajectory, as a share of the coordinate's range.
    public static func morrisStep(levels: Int) -> Double { Double(levels) / (2 * Double(levels - 1)) }

    /// Trajectories for `ElementaryEffects`.
    ///
    /// Each trajectory begins at random on a grid and changes one coordinate after another by `morrisStep`, in random
    /// order and direction.
    ///
    /// Source: M. D. Morris, Factorial sampling plans for preliminary computational experiments, Technometrics 33
    /// (1991) 161-174, doi:10.1080/00401706.1991.10484804.
    /// - Parameter levels: levels of the grid in each coordinate, even.
    /// - Returns: the points of one trajectory after the other, `dimensions` + 1 for each.
    public static func morris(_ trajectories: Int, dimensions: Int, levels: Int, seed: UInt64) -> [[Double]] {
        guard levels >= 2 && levels.isMultiple(of: 2) else { fatalError("a trajectory needs an even number of levels") }
        var generator = Xoshiro256PlusPlus(spreading: seed)
        let step = morrisStep(levels: levels)
        var points: [[Double]] = []
        for _ in 0..<trajectories {
            let rises = (0..<dimensions).map { _ in generator.uniform() < 0.5 }
            var point = rises.map { rises -> Double in
                let low = Double(generator.below(levels / 2)) / Double(levels - 1)
                return rises ? low : low + step
            }
            points.append(point)
            for dimension in generator.permutation(dimensions) {
                point[dimension] += rises[dimension] ? step : -step
                points.append(point)
            }
        }
        return points
    }

    /// Points for `SobolIndices`, in groups of `dimensions` + 2.
    ///
    /// A group contains a point of one sample and a point of another sample. Between these are copies of the first
    /// point, each with one coordinate from the second point.
    ///
    /// Both samples are halves of one Sobol sequence.
    ///
    /// Source: A. Saltelli et al., Variance based sensitivity analysis of model output, Computer Physics Communications
    /// 181 (2010) 259-270, doi:10.1016/j.cpc.2009.09.018.
    public static func saltelli(_ count: Int, dimensions: Int) -> [[Double]] {
        SobolSequence.points(count, dimensions: 2 * dimensions).flatMap { both in
            let (first, second) = (Array(both[..<dimensions]), Array(both[dimensions...]))
            let mixed = (0..<dimensions).map { dimension in
                var point = first
                point[dimension] = second[dimension]
                return point
            }
            return [first] + mixed + [second]
        }
    }
}

extension Xoshiro256PlusPlus {
    /// Creates a generator whose state is derived from a seed.
    init(spreading seed: UInt64) {
        var mix = SplitMix64(seed)
        self.init(mix.next(), mix.next(), mix.next(), mix.next())
    }

    /// Random whole number from 0 to below `bound`, which must be small compared with 2^53.
    mutating func below(_ bound: Int) -> Int { Int(uniform() * Double(bound)) }

    /// Numbers from 0 up to but not including a count, in random order (Fisher and Yates).
    mutating func permutation(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, below(last + 1)) }
        return order
    }
}
