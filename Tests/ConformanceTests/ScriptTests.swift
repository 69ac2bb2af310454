// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Processes
import Quantities
import Scripts
import Testing

/// A script that is wrong, and one that is right but not met.
@Suite struct ScriptTests {
    private func load(_ text: String) throws(Diagnostics) -> ScenarioScript {
        try loadScenarioScript(SourceText(name: "a.yaml", text: text))
    }

    @Test func `a missed expectation names step, expected and found`() throws {
        let script = try load(
            """
            schema: 1
            name: missed
            processes:
              - {name: d, kind: daemon, tracked: true, idle_exit: true, band: 30}
            steps:
              - {at: 1 s, expect: {process: d, band: 30}}
              - {at: 2 s, expect: {process: d, band: 0, alive: true}}
            """)
        let outcome = run(script)
        #expect(outcome.expectations == 3)
        #expect(outcome.missed.count == 1)
        #expect(outcome.missed.first?.location.line == 6)
        #expect(outcome.missed.first?.diagnostic.message == "at 1.0 s: band of d: expected 30, found 10")
    }

    @Test func `all mistakes of a script are told at once`() throws {
        do {
            _ = try load(
                """
                schema: 1
                name: wrong
                processes:
                  - {name: d, kind: demon, band: 300}
                steps:
                  - {at: 1 s, process: e, do: dirty}
                  - {at: 1 s, process: d, do: dirt}
                  - {at: 0 s, expect: {process: d, brand: 0}}
                  - {at: 2 s, memory: {available: 7 W}}
                """)
            Issue.record("the script was read")
        } catch {
            let text = error.description
            for location in ["a.yaml:4:", "a.yaml:6:", "a.yaml:7:", "a.yaml:8:", "a.yaml:9:"] {
                #expect(text.contains(location), "nothing at \(location)")
            }
            #expect(text.contains("did you mean \"dirty\"?") && text.contains("did you mean \"band\"?"))
        }
    }

    @Test func `more memory than there is cannot be made available`() throws {
        let script = try load(
            "schema: 1\nname: x\nprocesses: []\nsteps:\n  - {at: 0 s, memory: {available: 99 %}}\n")
        #expect(run(script).missed.first?.subject == "memory that can be available")
    }

    private func missed(_ processes: String, _ steps: String) throws -> [String] {
        let text =
            "schema: 1\nname: x\ndevice: {memory: {ram: 4 GiB, per_process_limit: 500 MiB}, os: ios-18}\n"
            + "processes:\n\(processes)\nsteps:\n\(steps)\n"
        return run(try load(text)).missed.map { "\($0.subject): expected \($0.expected), found \($0.found)" }
    }

    @Test func `limits of an app with windows count from its launch on`() throws {
        let found = try missed(
            "  - {name: a, windows: 1, footprint: 60 MiB, limits: {active: 100 MiB fatal, inactive: 80 MiB fatal}}",
            """
              - {at: 0 s, process: a, do: open}
              - {at: 0 s, expect: {process: a, limit: 100 MiB, inactive_limit: 80 MiB fatal}}
              - {at: 1 s, process: a, do: footprint 101 MiB}
              - {at: 1 s, expect: {process: a, exit: memory_limit}}
              - {at: 1 s, expect: {kills: [{process: a, reason: per-process-limit}]}}
              - {at: 2 s, process: a, do: launch-in-background}
              - {at: 2 s, expect: {process: a, limit: 100 MiB, alive: true}}
            """)
        #expect(found == [])
    }

    @Test(arguments: ["tracked: true", "band: 30", "relaunch: low", "state: running", "freezable: false"])
    func `what means nothing for an app with windows is told`(key: String) throws {
        do {
            _ = try load("schema: 1\nname: x\nprocesses:\n  - {name: a, windows: 1, \(key)}\nsteps: []\n")
            Issue.record("the script was read")
        } catch {
            #expect(error.description.contains("a.yaml:4:"))
            #expect(error.description.contains("has no effect for an app with windows"))
        }
    }

    @Test func `a first expectation of kills sees those of the start`() throws {
        let process = "  - {name: a, footprint: 120 MiB, limits: {active: 100 MiB fatal, inactive: 100 MiB fatal}}"
        let kill = "{process: a, reason: per-process-limit}"
        #expect(try missed(process, "  - {at: 0 s, expect: {kills: [\(kill)]}}") == [])
        let found = try missed(process, "  - {at: 0 s, expect: {kills: []}}")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("kills: expected [], found [a per-process-limit") == true)
    }

    @Test func `who dies in the last step counts`() throws {
        let script = try load(
            """
            schema: 1
            name: x
            processes: [{name: a, footprint: 50 MiB}, {name: b, footprint: 50 MiB}]
            steps:
              - {at: 1 s, process: a, do: kill}
              - {at: 2 s, process: b, do: kill}
            """)
        #expect(run(script).kills == 2)
    }

    @Test func `a share of memory is one of the memory that the script has`() throws {
        let memory = "memory: {ram: 2 GiB, wired: 10 %, foreground_decompressed_share: 30 %}"
        let script = try load("schema: 1\nname: x\ndevice: {\(memory)}\nprocesses: []\nsteps: []\n")
        #expect(script.memory.wired == .gibibytes(2) * 0.1)
        #expect(script.memory.foregroundDecompressedShare == 0.3)
    }

    @Test(arguments: [
        ("{at_least: 39 %}", true), ("{at_least: 41 %}", false), ("{at_most: 41 %}", true), ("{at_most: 39 %}", false),
        ("{at_least: 39 %, at_most: 41 %}", true), ("{at_least: 41 %, at_most: 42 %}", false), ("40 %", true),
        ("40.1 %", false),
    ])
    func `a range has both its ends`(range: String, holds: Bool) throws {
        let steps = "  - {at: 0 s, memory: {available: 40 %}}\n  - {at: 0 s, expect: {available: \(range)}}"
        #expect(try missed("  []", steps).isEmpty == holds)
    }

    @Test(arguments: ["[]", "[foreground-active]", "[foreground-active, unattached, unattached]"])
    func `all windows of an app must be named`(states: String) throws {
        let found = try missed(
            "  - {name: a, windows: 2, footprint: 60 MiB}",
            "  - {at: 0 s, process: a, do: open}\n  - {at: 0 s, expect: {process: a, scenes: \(states)}}")
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("found foreground-active unattached") == true)
    }
}
