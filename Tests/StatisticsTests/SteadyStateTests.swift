// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import RandomStreams
import Statistics
import Testing

@Suite struct SteadyStateTests {
    private static let ramp = (0..<60).map { each -> Double in
        let x = Double(each)
        return 8 * exp(-x / 6) + sin(2.4 * x) + 0.3 * cos(x * x)
    }

    /// Expected: the published formula in NumPy, printed by `Tests/Reference/numbers/selection.py`.
    @Test func `the cut is that of the published formula`() throws {
        let fives = try #require(SteadyState(Self.ramp))
        #expect(fives.cut == 20 && abs(fives.after - 0.09681539486297953) < 1e-12 && !fives.isAtLimit)
        let single = try #require(SteadyState(Self.ramp, batch: 1))
        #expect(single.cut == 12 && abs(single.after - 0.19989395066859098) < 1e-12)
        #expect(abs(try #require(single.before) - Self.ramp[..<12].reduce(0, +) / 12) < 1e-12)
        let backwards = try #require(SteadyState(Self.ramp.reversed()))
        #expect(backwards.cut == 0 && backwards.before == nil && abs(backwards.after - 0.9319350611588306) < 1e-12)
    }

    @Test func `a series that never ends to rise, and one that is too short, say so`() throws {
        let rising = try #require(SteadyState((0..<20).map(Double.init), batch: 1))
        #expect(rising.cut == 10 && rising.isAtLimit)
        #expect(SteadyState([1, 2, 3], batch: 1) == nil && SteadyState(Self.ramp.dropLast(41)) == nil)
        #expect(try #require(SteadyState([5, 5, 5, 5], batch: 1)).cut == 0)
    }

    /// By NumPy in 2,000 studies (`Tests/Reference/numbers/selection.py`): whole, 0.409 of the
    /// intervals hold the truth; cut, 0.949.
    @Test func `cut as it says, intervals of a series with a biased start hold what they promise`() throws {
        var stream = RandomStream(seed: 3, replication: 0, entity: "steady", purpose: "state")
        let studies = 400
        var (whole, cut) = (0, 0)
        for _ in 0..<studies {
            let rows = (0..<10).map { _ in
                var level = 20.0
                return (0..<400).map { _ -> Double in
                    level = 0.8 * level + stream.normal()
                    return level
                }
            }
            let most = rows.compactMap { SteadyState($0)?.cut }.max() ?? 0
            func holds(_ from: Int) -> Bool {
                let mean = MeanInterval(rows.map { $0[from...].reduce(0, +) / Double(400 - from) })
                return mean.low <= 0 && mean.high >= 0
            }
            if holds(0) { whole += 1 }
            if holds(most) { cut += 1 }
        }
        func margin(_ share: Double) -> Double { 3.9 * (share * (1 - share) / Double(studies)).squareRoot() }
        #expect(abs(Double(whole) / Double(studies) - 0.409) < margin(0.409), "\(whole)")
        #expect(abs(Double(cut) / Double(studies) - 0.949) < margin(0.949), "\(cut)")
    }
}
