// SPDX-License-Identifier: GPL-3.0-or-later
import Phone
import Testing

@testable import Experiments

@Suite struct RunIndexTests {
    @Test(arguments: [1, 3, 4, 1000])
    func `every run is found by its identity, and nothing else`(replications: Int) {
        let runs = smallPlan(replications: replications).runs
        let index = RunIndex(runs)
        #expect(runs.allSatisfy { index[$0.identity] == $0.number })
        let others = smallPlan(replications: replications, seed: 2).runs
        #expect(others.allSatisfy { index[$0.identity] == nil })
        #expect(index[0] == nil && index[.max] == nil)
    }

    @Test func `of a shorter plan no run beyond its end is found`() throws {
        let whole = smallPlan(replications: 10)
        let index = RunIndex(whole.with(replications: 3).runs)
        #expect(whole.runs.map { index[$0.identity] } == (0..<40).map { $0 < 12 ? $0 : nil })
    }
}
