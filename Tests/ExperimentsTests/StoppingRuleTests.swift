// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario
import Testing

@testable import Experiments

/// How many replications follow from how well the primary differences are known.
@Suite struct StoppingRuleTests {
    /// Six replications in which the baseline has 100 and the other policy a per cent more or less, by turns.
    ///
    /// The differences spread by the root of 6/5 and Student's t of five degrees is 2.5706: the half-width is 1.1496.
    private func judgement(spread: Double = 1) throws -> Judgement {
        try judge(smallPlan(replications: 6)) { run in
            run.policy == 0 ? 100 : run.replication % 2 == 0 ? 100 + spread : 100 - spread
        }
    }

    @Test func `a step goes as far as the square of what is wanted, to at most twice as many`() throws {
        let judgement = try judgement()
        func next(_ halfWidth: Double?, maximum: Int = 1000) -> Int? {
            StoppingRule(minimum: 6, maximum: maximum, halfWidth: halfWidth).next(after: judgement)
        }
        #expect(next(0.0115) == nil)
        // 6 (1.1496 / 1.14)² = 6.10, and / 1.05, / 0.95, / 0.9, / 0.85: 7.19, 8.79, 9.79, 10.97.
        #expect([0.0114, 0.0105, 0.0095, 0.009, 0.0085].map { next($0) } == [7, 8, 9, 10, 11])
        #expect([0.008, 0.0011496, 1e-6, 1e-12].map { next($0) } == [12, 12, 12, 12])
        #expect(next(1e-6, maximum: 7) == 7)
        #expect(next(0.0114, maximum: 6) == nil)
        #expect(next(nil) == nil)
    }

    @Test func `differences that were not seen ask for more, and a goal that was not reached is said`() throws {
        let unseen = try judgement(spread: 0)
        let rule = StoppingRule(minimum: 6, maximum: 100, halfWidth: 0.01)
        #expect(rule.next(after: unseen) == 12)
        #expect(
            rule.missed(after: unseen)
                == "the goal was not reached: the widest half-width is unknown, as too few replications differ, after "
                + "6 replications, and the goal is 1 % of the baseline's mean")
        let seen = try judgement()
        #expect(rule.missed(after: seen)?.contains("the widest half-width is 1.15 % after 6 replications") == true)
        #expect(StoppingRule(minimum: 6, maximum: 100, halfWidth: 0.02).missed(after: seen) == nil)
        let fine = StoppingRule(minimum: 6, maximum: 100, halfWidth: 0.0004)
        #expect(fine.missed(after: seen)?.hasSuffix("and the goal is 0.04 % of the baseline's mean") == true)
    }

    @Test func `without a half-width the least number is the largest`() {
        #expect(StoppingRule(minimum: 5, maximum: 90, halfWidth: nil).maximum == 5)
        #expect(StoppingRule(minimum: 50, maximum: 9, halfWidth: 0.1).maximum == 50)
    }
}

/// The statistics of targets, worked out by hand.
@Suite struct TargetStatisticTests {
    @Test(arguments: [
        (TableFigure.Statistic.p05, 12.0), (.p25, 20), (.median, 30), (.p75, 40), (.p95, 88), (.minimum, 10),
        (.maximum, 100), (.mean, 40), (.sum, 200), (.perDay, 50),
    ])
    func `of five values`(statistic: TableFigure.Statistic, expected: Double) {
        // Positions of quantiles among five run from 0 to 4: p05 at 0.2, p25 at 1, p95 at 3.8.
        #expect(abs(statistic.value(of: [40, 10, 100, 30, 20], days: 4) - expected) < 1e-12)
    }

    @Test func `quantiles lie between neighbours, and one value is all of them`() {
        #expect(abs(TableFigure.Statistic.p25.value(of: [4, 2, 3, 1], days: 1) - 1.75) < 1e-12)
        #expect(abs(TableFigure.Statistic.p95.value(of: [4, 2, 3, 1], days: 1) - 3.85) < 1e-12)
        #expect(TableFigure.Statistic.p95.value(of: [7], days: 1) == 7)
        // Squares about the mean of 5 sum to 32; a seventh of that has the root 2.138.
        let variation = TableFigure.Statistic.variation.value(of: [2, 4, 4, 4, 5, 5, 7, 9], days: 1)
        #expect(abs(variation - 2.138_089_935_3 / 5) < 1e-9)
        #expect(TableFigure.Statistic.variation.value(of: [2], days: 1).isNaN)
        #expect(TableFigure.Statistic.median.value(of: [], days: 1).isNaN)
        #expect(TableFigure.Statistic.sum.value(of: [], days: 1) == 0)
    }
}
