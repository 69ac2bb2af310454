// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// Exit codes of every verb, outcome by outcome.
///
/// Elsewhere: the examples of all verbs (`HelpTests`), targets (`ValidateTests`), failed runs and interrupts
/// (`RunTests`), contradictions (`ManyMachinesTests`).
@Suite(.serialized) struct ExitCodeTests {
    /// Verbs that hand their words to Python, which has codes of its own.
    private static let ofPython: Set<String> = ["tune", "cluster submit"]

    /// A verb with an input that does not exist, and with one that is something else.
    private static let inputs = [
        "check": ["none", "wrong.yaml"], "check --plan": ["none", "wrong.yaml"], "run": ["none", "wrong.yaml"],
        "run --status": ["none", "small.yaml"], "compare": ["none", "small.yaml"],
        "why": ["none", "none#0", "results#99", "small.yaml#0", "results --app none"],
        "why --sensitivity": ["none", "wrong.yaml"], "ask": ["none", "wrong.yaml"], "twin": ["none", "small.yaml"],
        "report": ["none", "small.yaml"], "report --trace": ["none#0", "results#99"], "list": ["none", "--whole none"],
        "validate": ["none", "wrong.yaml"], "repeat": ["none", "results#99", "none.html", "small.yaml"],
        "repeat DIR": [], "repeat report.html": [], "cluster": ["none"], "lab": ["none"], "data": ["none"],
        "shell": ["none"], "cluster init": ["none", "wrong.yaml"], "cluster exec": ["none", "results"],
        "cluster merge": ["none", "results"], "lab battery": ["none", "--cell none --load 1 W"],
        "lab scenario": ["none", "small.yaml"],
        "lab would-kill": ["none", "--policy jetsam none", "--policy jetsam small.yaml"],
        "lab coverage": ["none", "small.yaml"], "lab environment": ["none", "wrong.yaml"],
        "data import": ["none", "csv none -o new.csv", "none small.yaml -o new.csv"],
        "data workload": ["none", "stats none", "stats small.yaml", "card none", "fit none -o new.yaml"],
        "gate": [
            "none", "none 'relaunches_per_day(lru) <= 1'", "results 'none(lru) <= 1'", "results 'wait(none) <= 1'",
        ],
        "cite": ["none", "small.yaml"], "shell completion": ["none"], "shell man": ["none"],
        "new": ["small.yaml", "--policy none own.py", "--like none own.yaml"],
    ]

    /// Verbs that write, with words that name what cannot be written.
    private static let outputs = [
        "new /proc/none/own.yaml", "new --policy python /proc/none/own.py", "run small.yaml -q -o /proc/none",
        "report results -o /proc/none/page.html", "report --trace results#0 -o /proc/none/run.pftrace",
        "cluster init small.yaml -o /proc/none", "data workload generate --days 1 -o /proc/none/days.csv",
        "shell man -o /proc/none", "lab battery --cell lco-reference --load load.csv -o /proc/none/rows.csv",
    ]

    private static let others: [(line: String, code: Int32)] = [
        ("compare results", 0), ("why results#0", 0), ("repeat results", 0), ("run --status results", 0),
        ("run small.yaml -o results -q", 0), ("gate results 'relaunches_per_day(jetsam) <= 1e9'", 0),
        ("gate results 'relaunches_per_day(jetsam) <= 0'", 2),
        // Each condition counts, whichever stands last.
        ("gate results 'relaunches_per_day(jetsam) <= 0' 'relaunches_per_day(jetsam) <= 1e9'", 2),
        ("gate results 'relaunches_per_day(jetsam) <= 1e9' 'relaunches_per_day(jetsam) <= 0'", 2),
        ("lab scenario met.yaml", 0), ("lab scenario missed.yaml", 2), ("lab scenario missed.yaml met.yaml", 2),
        ("compare results results", 1),
    ]

    private func laboratory() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(replications: 6, duration: "1 d", tables: "[runs]")
        let made = try laboratory.shell(
            "sed s/seed:/sede:/ small.yaml >wrong.yaml; printf 't_s,power_w\\n0,1\\n60,1\\n' >load.csv; "
                + "flotsam run small.yaml -o results -q")
        #expect(made.code == 0, "\(made.errors)")
        return laboratory
    }

    @Test func `an unknown option is a usage error of every verb, and is named`() throws {
        let laboratory = try Laboratory()
        var asked = 0
        for verb in try HelpTests.verbs() where !Self.ofPython.contains(verb) {
            let ending = try laboratory.shell("flotsam \(verb) --no-such-option")
            #expect(ending.code == 1, "\(verb): \(ending.code)")
            #expect(ending.errors.contains("unknown option --no-such-option"), "\(verb): \(ending.errors)")
            asked += 1
        }
        #expect(asked == 35)
    }

    @Test func `what is missing or something else ends every verb with 1, and writes nothing`() throws {
        let laboratory = try laboratory()
        let verbs = try HelpTests.verbs().filter { !Self.ofPython.contains($0) }
        #expect(Set(verbs) == Set(Self.inputs.keys))
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: laboratory.folder.path).filter { !$0.hasPrefix(".") }
                .sorted()
        }
        let before = try names()
        for (verb, inputs) in Self.inputs.sorted(by: { $0.key < $1.key }) {
            for words in inputs {
                let ending = try laboratory.shell("flotsam \(verb) \(words)")
                #expect(ending.code == 1, "\(verb) \(words): \(ending.code) \(ending.errors)")
                #expect(!ending.errors.isEmpty, "\(verb) \(words)")
            }
        }
        #expect(try names() == before)
    }

    @Test func `what cannot be written ends with 3`() throws {
        let laboratory = try laboratory()
        for line in Self.outputs {
            let ending = try laboratory.shell("flotsam \(line)")
            #expect(ending.code == 3, "\(line): \(ending.code) \(ending.errors)")
            #expect(ending.errors.contains("/proc/none"), "\(line): \(ending.errors)")
        }
    }

    @Test func `what was done ends with 0, and what was missed with 2`() throws {
        let laboratory = try laboratory()
        let met = try String(
            contentsOf: Laboratory.package.appending(path: "Tests/ConformanceTests/scenarios/freezer-budget.yaml"),
            encoding: .utf8)
        let missed = met.replacing("freezer_budget: 4886352 KiB", with: "freezer_budget: 4886 KiB")
        for (name, text) in [("met.yaml", met), ("missed.yaml", missed)] {
            try text.write(to: laboratory.folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        for (line, code) in Self.others {
            let ending = try laboratory.shell("flotsam \(line)")
            #expect(ending.code == code, "\(line): \(ending.code) \(ending.errors) \(ending.out)")
        }
    }
}
