// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Experiments
import Testing

@Suite struct RunConditionTests {
    /// Two policies, two points, four replications: run 4 r + 2 p + policy.
    private func numbers(_ text: String) throws -> [Int] {
        try RunSelection.meeting(RunCondition(text)).runs(of: smallPlan()).map(\.number)
    }

    @Test(arguments: [
        ("replication < 1", [0, 1, 2, 3]), ("policy == lru && replication >= 3", [12, 14]),
        ("policy == 'jetsam+immediate' && run <= 3", [1, 3]), ("eviction != lru && replication == 0", [1, 3]),
        ("device.memory.ram > 3 GiB && run < 4", [2, 3]), ("device.memory.ram == 4096 MiB && run < 8", [2, 3, 6, 7]),
        ("run == 1 || run == 9 && policy == lru || run == 14", [1, 14]),
        // The words of a sweep's `where`.
        ("run = 1 or run = 9 and policy = lru or run = 14", [1, 14]), ("4 > 2 * run", [0, 1]),
        ("3500 MiB < device.memory.ram and lru = policy and run < 4", [2]),
    ])
    func `runs are chosen by policy, number and swept value, and binds before or`(text: String, runs: [Int]) throws {
        #expect(try numbers(text) == runs)
    }

    @Test(arguments: [
        ("replication", "expected a condition"), ("replication < 1 &&", "expected a condition"),
        ("replicaton < 1", "runs have no \"replicaton\""), ("policy == lur", "lur"),
        ("policy < 3", "cannot be compared by <"), ("device.memory.ram < 3 s", "cannot be compared"),
        ("replication > 7", "no run of the plan meets"),
    ])
    func `what is no condition, or met by no run, is refused`(text: String, message: String) {
        let problem = #expect(throws: Diagnostics.self) { try numbers(text) }
        #expect(problem?.description.contains(message) == true, "\(problem?.description ?? "")")
    }
}
