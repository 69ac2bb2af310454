// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Statistics
import Testing

/// Expected values: SALib 1.6.0 for the same points, printed by `Tests/Reference/numbers/sensitivity.py`.
@Suite struct SensitivityTests {
    static let turns = [2.0, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map {
        $0.squareRoot().truncatingRemainder(dividingBy: 1)
    }

    /// The function of Ishigami and Homma, ISUMA 1990, a = 7 and b = 0.1, over [-pi, pi].
    static func ishigami(_ x: [Double]) -> Double {
        let (a, b, c) = (2 * .pi * x[0] - .pi, 2 * .pi * x[1] - .pi, 2 * .pi * x[2] - .pi)
        return sin(a) + 7 * sin(b) * sin(b) + 0.1 * c * c * c * c * sin(a)
    }

    /// The G function of Sobol.
    static func g(_ x: [Double]) -> Double {
        zip(x, [0, 1, 4.5, 9, 99, 99]).reduce(1) { $0 * (abs(4 * $1.0 - 2) + $1.1) / (1 + $1.1) }
    }

    /// The order of `SamplingDesign.saltelli`, without a generator.
    static func groups(_ count: Int, _ inputs: Int) -> [[Double]] {
        (1...count).flatMap { index in
            let both = turns.prefix(2 * inputs).map { (Double(index) * $0).truncatingRemainder(dividingBy: 1) }
            let (first, second) = (Array(both[..<inputs]), Array(both[inputs...]))
            var group = [first]
            for input in 0..<inputs {
                var point = first
                point[input] = second[input]
                group.append(point)
            }
            return group + [second]
        }
    }

    /// The order of `SamplingDesign.morris`, without a generator.
    static func trajectories(_ count: Int, _ inputs: Int, levels: Int) -> [[Double]] {
        let step = SamplingDesign.morrisStep(levels: levels)
        return (0..<count).flatMap { index -> [[Double]] in
            let rises = (0..<inputs).map { (index + $0).isMultiple(of: 2) }
            var point: [Double] = []
            for input in 0..<inputs {
                let slot = (5 * index + 3 * input + input * index / 2) % (levels / 2)
                point.append(Double(slot) / Double(levels - 1) + (rises[input] ? 0 : step))
            }
            var points = [point]
            for input in 0..<inputs {
                let turn = (input + index) % inputs
                point[turn] += rises[turn] ? step : -step
                points.append(point)
            }
            return points
        }
    }

    private func agree(_ found: [Double], _ expected: [Double]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-11 }
    }

    @Test func `the indices of two functions are SALib's`() throws {
        let ishigami = try #require(SobolIndices(values: Self.groups(256, 3).map(Self.ishigami), inputs: 3))
        #expect(agree(ishigami.first, [0.24393037317360614, 0.48622704911320247, -0.027736213144638155]))
        #expect(agree(ishigami.total, [0.3972198967359894, 0.43224346335016867, 0.23831541149659394]))
        let g = try #require(SobolIndices(values: Self.groups(256, 6).map(Self.g), inputs: 6))
        #expect(
            agree(
                g.first,
                [
                    0.7529815476976108, 0.20116617004150214, -0.010700836646065658, 0.0021820930780742883,
                    0.0003924692661838688, 0.0003943981047708965,
                ]))
        #expect(
            agree(
                g.total,
                [
                    0.7798931081749082, 0.24838986396738694, 0.03331468854771966, 0.010391951978490332,
                    0.00010702551695002772, 0.000105177118833886,
                ]))
        #expect(SobolIndices(values: Array(repeating: 3, count: 10), inputs: 3) == nil)
    }

    @Test func `the elementary effects of two functions are SALib's`() {
        let points = Self.trajectories(20, 3, levels: 4)
        let ishigami = ElementaryEffects(points: points, values: points.map(Self.ishigami))
        #expect(agree(ishigami.mean, [8.328933721926415, 0, -0.6248796103333116]))
        #expect(agree(ishigami.size, [8.328933721926415, 7.874999999999998, 4.374157272333181]))
        #expect(agree(ishigami.deviation, [6.378993338634062, 8.079579522670587, 7.5586102391513394]))
        let six = Self.trajectories(20, 6, levels: 4)
        let g = ElementaryEffects(points: six, values: six.map(Self.g))
        #expect(
            agree(
                g.mean,
                [
                    -0.15279637934904625, 0.04391282454171339, -0.48504215937149303, -0.04292915226337456,
                    0.0009107003367003486, 0.0027808050879162606,
                ]))
        #expect(
            agree(
                g.size,
                [
                    2.61003181593715, 0.9734492689861579, 0.48504215937149303, 0.3067620935278718,
                    0.03898867564534221, 0.04338472427983549,
                ]))
        #expect(
            agree(
                g.deviation,
                [
                    2.817994462645619, 1.1253526585594167, 0.3433733367716216, 0.3705104860191761,
                    0.0459588408467923, 0.04904348153519642,
                ]))
    }

    /// The closed form: first 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437.
    @Test func `on the points of the design the indices come close to the closed form`() throws {
        let points = SamplingDesign.saltelli(4095, dimensions: 3)
        let found = try #require(SobolIndices(values: points.map(Self.ishigami), inputs: 3))
        #expect(zip(found.first, [0.3139, 0.4424, 0]).allSatisfy { abs($0 - $1) < 0.01 }, "\(found.first)")
        #expect(zip(found.total, [0.5576, 0.4424, 0.2437]).allSatisfy { abs($0 - $1) < 0.01 }, "\(found.total)")
    }

    @Test func `of a linear function the effects are its factors, wherever the trajectories go`() {
        let points = SamplingDesign.morris(7, dimensions: 4, levels: 6, seed: 3)
        let effects = ElementaryEffects(points: points, values: points.map { 3 * $0[0] - 2 * $0[1] + 0.5 * $0[2] })
        #expect(agree(effects.mean, [3, -2, 0.5, 0]) && agree(effects.size, [3, 2, 0.5, 0]))
        #expect(effects.deviation.allSatisfy { $0 < 1e-12 })
    }
}

@Suite struct SamplingDesignTests {
    @Test func `each slice of each coordinate of a Latin hypercube holds one point`() {
        let points = SamplingDesign.latinHypercube(40, dimensions: 3, seed: 9)
        for dimension in 0..<3 {
            let slices = points.map { Int($0[dimension] * 40) }
            #expect(Set(slices) == Set(0..<40))
            #expect(slices != Array(0..<40), "the order is random")
        }
        #expect(points != SamplingDesign.latinHypercube(40, dimensions: 3, seed: 10))
        #expect(points == SamplingDesign.latinHypercube(40, dimensions: 3, seed: 9))
    }

    /// The first points of Sobol's sequence in every dimension: 1/2, then 3/4 and 1/4 (Bratley and Fox 1988).
    @Test func `Sobol points begin in the middle and take every multiple of a power of two once`() {
        let points = SobolSequence.points(63, dimensions: 5)
        #expect(points[0] == [0.5, 0.5, 0.5, 0.5, 0.5])
        #expect(Array(points[1][..<2]) == [0.75, 0.25] && Array(points[2][..<2]) == [0.25, 0.75])
        for dimension in 0..<5 {
            #expect(Set(points.map { $0[dimension] * 64 }) == Set((1...63).map(Double.init)))
        }
    }

    @Test func `a trajectory changes each coordinate once and stays on the grid`() {
        let points = SamplingDesign.morris(50, dimensions: 4, levels: 4, seed: 2)
        #expect(points.count == 250)
        var (rising, orders) = (0, Set<[Int]>())
        for start in stride(from: 0, to: 250, by: 5) {
            var order: [Int] = []
            for index in start..<start + 4 {
                let changed = (0..<4).filter { points[index][$0] != points[index + 1][$0] }
                #expect(changed.count == 1)
                let change = points[index + 1][changed[0]] - points[index][changed[0]]
                #expect(abs(abs(change) - 2.0 / 3) < 1e-12)
                if change > 0 { rising += 1 }
                order += changed
            }
            #expect(Set(order).count == 4)
            orders.insert(order)
        }
        #expect(
            points.joined().allSatisfy { abs(($0 * 3).rounded() - $0 * 3) < 1e-12 && $0 > -1e-12 && $0 < 1 + 1e-12 })
        // Of 200 steps half rise, give or take four standard deviations of 7.
        #expect(abs(rising - 100) < 28 && orders.count > 15)
    }

    @Test func `a group holds a point, it with each coordinate of another, and that other`() {
        let points = SamplingDesign.saltelli(31, dimensions: 3)
        #expect(points.count == 31 * 5)
        for start in stride(from: 0, to: points.count, by: 5) {
            let (first, last) = (points[start], points[start + 4])
            for input in 0..<3 {
                let mixed = (0..<3).map { $0 == input ? last[$0] : first[$0] }
                #expect(points[start + 1 + input] == mixed)
            }
            #expect(start == 0 || first != last)
        }
    }
}
