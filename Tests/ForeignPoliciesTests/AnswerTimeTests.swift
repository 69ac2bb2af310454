// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import ForeignPolicies

/// What counts of the time that a program takes over an answer.
@Suite struct AnswerTimeTests {
    @Test(
        arguments: [
            (31.0, 0.0, -1.0), (31, 5, 4), (12, 0, 18), (100, 95, 25), (299, 290, 1), (300, 300, 0), (310, 310, -10),
        ])
    func `time in which a program waited for a processor does not count, up to ten times the limit`(
        passed: Double, waited: Double, left: Double
    ) { #expect(AnswerTime.left(30, passed: passed, waited: waited) == left) }

    @Test(arguments: [("326906 59299513 3\n", 0.059299513), ("1 2500000000 7", 2.5), ("", 0), ("1 2", 0), ("a b c", 0)])
    func `the second number of schedstat is read`(text: String, seconds: Double) {
        #expect(AnswerTime.waited(schedstat: text) == seconds)
    }

    @Test func `the first look is after a tenth of the limit, then whatever is left`() {
        var time = AnswerTime(1000, of: 0)
        let first = time.next()
        #expect(first > 90 && first <= 100)
        var none = AnswerTime(0, of: 0)
        #expect(none.next() <= 0 && none.next() <= 0)
    }
}
