// SPDX-License-Identifier: GPL-3.0-or-later
import Scenario
import Statistics
import Testing

@testable import Experiments

@Suite struct WarmupAdviceTests {
    private func advice(_ series: [[Double]], warmup: Double) -> WarmupAdvice {
        let rows = series.enumerated().map {
            WarmupAdvice.Row(policy: $0, days: $1, steady: SteadyState($1, batch: 1))
        }
        return WarmupAdvice(rows: rows, days: series[0].count, replications: 5, warmup: warmup)
    }

    private static let rising = [1.0, 6, 10, 11, 10, 9, 10, 11, 10, 10]
    private static let even = [3.0, 4, 3, 4, 3, 4, 3, 4, 3, 4]

    @Test func `the longest cut of all series is advised, and a shorter warm-up is said to be too short`() {
        let told = advice([Self.even, Self.rising], warmup: 1).sentences(names: ["jetsam", "lru"])
        #expect(
            told == [
                "In the first 2 days of lru, values still rise (mean 3.5, then 10.12); MSER advises a warm-up of 2 d.",
                "The experiment's warm-up of 1 d is too short.",
            ])
        let falling = advice([Self.rising.map { -$0 }, Self.even], warmup: 2.5).sentences(names: ["jetsam", "lru"])
        #expect(falling[0].hasPrefix("In the first 2 days of jetsam, values still fall"))
        #expect(falling[1] == "The experiment's warm-up of 2.5 d is enough by this measure.")
    }

    @Test func `a series that is even, never ends to rise, or is too short says so`() {
        let even = advice([Self.even], warmup: 0).sentences(names: ["jetsam"])
        #expect(even.count == 2 && even[0].hasPrefix("No day at the beginning differs"))
        let endless = advice([(0..<10).map(Double.init)], warmup: 1)
        #expect(endless.advised == 5 && endless.isTooShort)
        #expect(endless.sentences(names: ["jetsam"])[1].contains("A longer pilot may advise a longer warm-up"))
        #expect(advice([[1, 2, 3]], warmup: 0).sentences(names: ["jetsam"])[0].hasPrefix("Too few days"))
    }
}
