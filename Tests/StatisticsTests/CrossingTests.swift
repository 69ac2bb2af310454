// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct CrossingTests {
    @Test func `with equal chance everywhere the interval is that of the shift`() throws {
        // Every replication is a line of slope 1; their zeros are 4.1, 4.3, … 5.9: Student's interval of these.
        let shifts = (0..<10).map { 4.1 + 0.2 * Double($0) }
        let axis = [2.0, 4, 6, 8]
        let differences = axis.map { x in shifts.map { x - $0 } }
        let crossing = try #require(Crossing.all(axis: axis, differences: differences, level: 0.95).first)
        let mean = MeanInterval(shifts, level: 0.95)
        #expect(abs(crossing.at - 5) < 1e-12)
        #expect(abs(crossing.low - (5 - mean.halfWidth)) < 1e-9 && abs(crossing.high - (5 + mean.halfWidth)) < 1e-9)
        #expect(crossing.rises)
        let falling = Crossing.all(axis: axis, differences: differences.map { $0.map { -$0 } }, level: 0.95)
        #expect(falling.map(\.rises) == [false] && abs(falling[0].at - 5) < 1e-12)
    }

    @Test func `an interval that leaves the axis is open`() throws {
        let shifts = (0..<10).map { 1 + Double($0) }
        let axis = [4.9, 6.2]
        let differences = axis.map { x in shifts.map { x - $0 } }
        let crossing = try #require(Crossing.all(axis: axis, differences: differences, level: 0.95).first)
        #expect(crossing.low == -.infinity && crossing.high == .infinity && abs(crossing.at - 5.5) < 1e-12)
    }

    @Test(arguments: [(fewest: 10, low: 4.5), (fewest: 11, low: -.infinity)])
    func `what few replications make most of has no interval from few`(fewest: Int, low: Double) throws {
        let shifts = (0..<10).map { 4.1 + 0.2 * Double($0) }
        let axis = [2.0, 8]
        let differences = axis.map { x in shifts.map { x - $0 } }
        let found = Crossing.all(
            axis: axis, differences: differences, level: 0.95, spread: .uneven(fewest: fewest))
        let crossing = try #require(found.first)
        #expect(abs(crossing.at - 5) < 1e-12 && (crossing.low == low || abs(crossing.low - low) < 0.1))
        #expect(crossing.high.isFinite == low.isFinite)
    }

    @Test func `no change of sign is no crossing, and two are two`() {
        func crossings(_ means: [Double]) -> [Double] {
            let differences = means.map { mean in (0..<6).map { mean + (Double($0) - 2.5) / 100 } }
            return Crossing.all(axis: [0, 1, 2], differences: differences, level: 0.9).map(\.at)
        }
        #expect(crossings([1, 2, 3]).isEmpty && crossings([-1, -2, -1]).isEmpty)
        let two = crossings([-1, 1, -3])
        #expect(two.count == 2 && abs(two[0] - 0.5) < 1e-9 && abs(two[1] - 1.25) < 1e-9)
        // Even at the point between: they change places there, or only touch.
        #expect(crossings([1, 0, -1]) == [1] && crossings([-1, 0, 1]) == [1])
        #expect(crossings([1, 0, 1]).isEmpty && crossings([-1, 0, -1]).isEmpty)
    }

    @Test func `a difference that falls to zero at the end of the axis is no crossing, from either side`() {
        for sign in [1.0, -1.0] {
            let differences = [(0..<6).map { sign * (2 + Double($0) / 100) }, Array(repeating: 0.0, count: 6)]
            #expect(Crossing.all(axis: [0, 1], differences: differences, level: 0.9).isEmpty)
        }
    }
}
