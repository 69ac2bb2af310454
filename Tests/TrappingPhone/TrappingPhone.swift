// SPDX-License-Identifier: GPL-3.0-or-later
import FlotsamCommand
import Quantities
import Scenario
import Vocabulary

/// A user's own program with a policy that traps as soon as somebody asks it.
@main
struct TrappingPhone {
    static func main() { FlotsamCommand.run(policies: .builtIn.adding(Trap.entry)) }
}

private struct Trap: EvictionPolicy {
    static let entry = EvictionPolicyEntry(
        PolicyDescriptor(name: "trap", summary: "Traps when asked.", source: "made up for tests")
    ) { _ in Trap() }

    mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double {
        fatalError("asked about a candidate")
    }
}
