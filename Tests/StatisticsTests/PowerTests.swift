// SPDX-License-Identifier: GPL-3.0-or-later
import Statistics
import Testing

@Suite struct PowerTests {
    /// With R 4: `power.t.test(n = N, sd = 1, power = .8, type = "paired")$delta`, which uses the noncentral t.
    @Test(arguments: [(10, 0.9960), (20, 0.6604), (100, 0.2829)])
    func `the smallest difference found is that of the noncentral t`(n: Int, expected: Double) {
        let found = Power.detectable(deviation: 1, n: n, alpha: 0.05)
        #expect(abs(found / expected - 1) < 0.01, "\(found)")
        #expect(abs(Power.detectable(deviation: 7, n: n, alpha: 0.05) - 7 * found) < 1e-12)
    }

    @Test func `the replications for an effect are the fewest that find it`() throws {
        for effect in [0.1, 0.4, 1, 3] {
            let n = try #require(Power.replications(effect: effect, deviation: 1, alpha: 0.05))
            #expect(Power.detectable(deviation: 1, n: n, alpha: 0.05) <= effect)
            #expect(Power.detectable(deviation: 1, n: n - 1, alpha: 0.05) > effect)
        }
        // With R 4: power.t.test(delta = 0.8, sd = 1, power = .8, type = "paired") gives n = 14.30.
        #expect(Power.replications(effect: 0.8, deviation: 1, alpha: 0.05) == 15)
        #expect(Power.replications(effect: 1e-9, deviation: 1, alpha: 0.05) == nil)
        #expect(Power.detectable(deviation: 1, n: 1, alpha: 0.05) == .infinity)
    }
}
