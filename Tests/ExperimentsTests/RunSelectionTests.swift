// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Files
import TestSupport
import Testing

@Suite struct RunSelectionTests {
    private let plan = smallPlan(replications: 5)

    @Test(arguments: [1, 2, 3, 7, 20, 50])
    func `the shards of a plan are its runs, each once and in order, of nearly equal size`(count: Int) throws {
        let parts = try (1...count).map { index in
            try #require(RunSelection(shard: "\(index)/\(count)")).runs(of: plan).map(\.number)
        }
        #expect(parts.flatMap { $0 } == Array(0..<20))
        #expect(parts.map(\.count).max().map { $0 - (parts.map(\.count).min() ?? 0) } ?? 9 <= 1)
    }

    @Test(arguments: [
        "", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/2", "1/ 2", "99999999999999999999/1", "10000000/10000001",
        "9000000000000000000/9000000000000000000",
    ])
    func `what is no shard is none`(text: String) { #expect(RunSelection(shard: text) == nil) }

    @Test func `runs are named by numbers and ranges, in a word or a file, in any order, once each`() throws {
        #expect(try RunSelection(runs: "7-9,3,8") == .ranges([3...3, 7...9]))
        #expect(try RunSelection(runs: "19").runs(of: plan).map(\.number) == [19])
        let folder = try TemporaryFolder()
        try replaceFile(folder.path + "/list", with: "3\n7-8, 1\n\n")
        #expect(try RunSelection(runs: folder.path + "/list") == .ranges([1...1, 3...3, 7...8]))
        try replaceFile(folder.path + "/list", with: "3\n7-x\n")
        let problem = try #require(throws: Diagnostics.self) { try RunSelection(runs: folder.path + "/list") }
        #expect(problem.description.contains("/list:2: expected numbers of runs, found \"7-x\""))
    }

    @Test(arguments: ["x", "3-", "-3", "9-7", "1-2-3", "99999999999999999999"])
    func `what is no list of runs is refused`(text: String) {
        #expect(throws: Diagnostics.self) { try RunSelection(runs: text) }
    }

    @Test func `a run beyond the plan is refused`() throws {
        let selection = try RunSelection(runs: "19-20")
        let problem = try #require(throws: Diagnostics.self) { try selection.runs(of: plan) }
        #expect(problem.description.contains("the plan has no run 20"))
    }

    @Test func `a range of more runs than any memory holds is kept as its two ends`() throws {
        let selection = try RunSelection(runs: "5,0-\(Int.max),7-9,\(Int.max)")
        #expect(selection == .ranges([0...Int.max]))
        let problem = try #require(throws: Diagnostics.self) { try selection.runs(of: plan) }
        #expect(problem.description.contains("the plan has no run \(Int.max)"))
    }

    @Test func `ranges that overlap or touch are one, and each run is meant once`() throws {
        let selection = try RunSelection(runs: "6-8,1-3,2,4-5,10")
        #expect(selection == .ranges([1...8, 10...10]))
        #expect(try selection.runs(of: plan).map(\.number) == [1, 2, 3, 4, 5, 6, 7, 8, 10])
    }

    @Test func `numbers are written as they are read`() throws {
        #expect(RunSelection.text([3, 7, 8, 9, 11]) == "3,7-9,11")
        #expect(RunSelection.text([]) == "")
        #expect(try RunSelection(runs: "3,7-9,11") == .ranges([3...3, 7...9, 11...11]))
    }
}
