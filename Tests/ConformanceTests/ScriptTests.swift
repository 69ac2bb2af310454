import ConfigText
import Diagnostics
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
        #expect(outcome.missed.first?.place.line == 6)
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
            for place in ["a.yaml:4:", "a.yaml:6:", "a.yaml:7:", "a.yaml:8:", "a.yaml:9:"] {
                #expect(text.contains(place), "nothing at \(place)")
            }
            #expect(text.contains("did you mean \"dirty\"?") && text.contains("did you mean \"band\"?"))
        }
    }

    @Test func `more memory than there is cannot be made available`() throws {
        let script = try load(
            "schema: 1\nname: x\nprocesses: []\nsteps:\n  - {at: 0 s, memory: {available: 99 %}}\n")
        #expect(run(script).missed.first?.subject == "memory that can be available")
    }
}
