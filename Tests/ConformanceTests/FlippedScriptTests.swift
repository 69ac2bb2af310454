// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Quantities
import Testing

@testable import Scripts

/// An expectation that cannot fail says nothing: every one of every shipped script is turned around and must fail.
@Suite struct FlippedScriptTests {
    /// A script in which one thing is turned around, and what that was.
    private struct Variant {
        var script: ScenarioScript
        var step: Int
        var text: String
    }

    private static func checks(_ script: ScenarioScript) -> [Variant] {
        var all: [Variant] = []
        for (index, step) in script.steps.enumerated() {
            guard case .expect(let process, let checks) = step.content else { continue }
            for (number, check) in checks.enumerated() {
                for flipped in check.flipped(processes: script.processes.count) {
                    var copy = script
                    var changed = checks
                    changed[number] = flipped
                    copy.steps[index].content = .expect(process: process, changed)
                    all.append(Variant(script: copy, step: index, text: "\(check) as \(flipped)"))
                }
            }
        }
        return all
    }

    /// What every action answers, turned around: an error where it succeeds, success where it is turned down.
    private static func answers(_ script: ScenarioScript) -> [Variant] {
        script.steps.indices.compactMap { index in
            var copy = script
            func other(_ error: ScriptError?) -> ScriptError? { error == nil ? .invalid : nil }
            switch script.steps[index].content {
            case .act(let process, let action, let error):
                copy.steps[index].content = .act(process: process, action, error: other(error))
            case .ask(let process, let action, let error):
                copy.steps[index].content = .ask(process: process, action, error: other(error))
            case .make(let process, let block, let error):
                copy.steps[index].content = .make(process: process, block, error: other(error))
            case .block(let number, let action, let error):
                copy.steps[index].content = .block(number, action, error: other(error))
            case .machine, .device, .expect: return nil
            }
            return Variant(script: copy, step: index, text: "the answer")
        }
    }

    @Test(arguments: scripts) func `every expectation of a script fails when it is turned around`(path: String) throws {
        let script = try loadScenarioScript(path: path)
        for step in script.steps {
            guard case .expect(_, let checks) = step.content else { continue }
            for check in checks {
                let all = check.flipped(processes: script.processes.count)
                #expect(!all.isEmpty, "nothing is the opposite of \(check)")
            }
        }
        for variant in Self.checks(script) + Self.answers(script) {
            let line = script.steps[variant.step].location.line
            let missed = run(variant.script).missed.filter { $0.location.line == line }
            #expect(!missed.isEmpty, "line \(line): \(variant.text) does not fail")
        }
    }
}
