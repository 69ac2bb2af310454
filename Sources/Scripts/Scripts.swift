// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts reads and runs scenario scripts: apps and processes driven by hand, with expectations.
// In: files of scenarios. Out: what was expected and what was found. It has no phone, no workload and no randomness.
// It has no rules of its own. Every answer comes from a `ProcessTable`, from `LifeCycleClock` and from the tables of
// `Background`, which a phone uses too. Events that are due by the clock happen before the steps of their instant.
// Expectations are checked after all of these.
// Read first: this file, then `ScenarioScript.swift` (contents of a file) and `ScriptRun.swift` (how a script is run).

import ConfigText
import Diagnostics
import Quantities

/// An expectation that was not met.
public struct MissedExpectation: Sendable {
    /// Step in the file.
    public var location: Node.Location
    /// Time of the check.
    public var time: SimTime
    /// Subject of the expectation, for instance `band of d`.
    public var subject: String
    /// Expected value.
    public var expected: String
    /// Value on the phone.
    public var found: String

    /// The problem with its line.
    public var diagnostic: Diagnostic {
        location.problem(
            "at \(time.seconds) s: \(subject): expected \(expected), found \(found)", hint: nil)
    }
}

/// Result of a script.
public struct ScriptOutcome: Sendable {
    /// Failed expectations, in order.
    public var missed: [MissedExpectation] = []
    /// Number of checked expectations.
    public var expectations = 0
    /// Number of killed processes.
    public var kills = 0

    /// Whether all expectations were met.
    public var passed: Bool { missed.isEmpty }
}

/// Runs a script from its beginning to its last step.
public func run(_ script: ScenarioScript) -> ScriptOutcome {
    var run = ScriptRun(script)
    run.play()
    return run.outcome
}
