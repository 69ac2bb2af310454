// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Quantities
import Testing
import Vocabulary

@testable import Scenario

@Suite struct PolicyTextTests {
    /// A policy that takes a duration and a word.
    private struct Periodic: SchedulingPolicy {
        var every = SimDuration.minutes(15)
        var costsEnergy = false

        func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision { .proceed(.immediate) }
    }

    let reader = PolicyTextReader(
        kind: "scheduling policy",
        descriptors: [
            PolicyDescriptor(name: "plain", summary: "", source: ""),
            SchedulingPolicyEntry(
                PolicyDescriptor(name: "periodic", summary: "", source: ""), Periodic(),
                Parameter(\.every, "every", .duration, 1...604_800, "Shortest time between two starts"),
                Parameter(
                    \.costsEnergy, "cost", .choice(["launch-time": false, "launch-energy": true]),
                    "What a relaunch costs")
            ).descriptor,
        ], others: ("eviction policy", ["jetsam"]))

    func choice(_ text: String) throws -> PolicyChoice? {
        var found: PolicyChoice?
        #expect(
            try problems("p: \"\(text)\"") { found = reader.read($0.child($0.node["p"] ?? $0.node, key: "p")) }.isEmpty)
        return found
    }

    func message(_ text: String) throws -> String {
        try problems(text) { #expect(reader.read($0.child($0.node["p"] ?? $0.node, key: "p")) == nil) }.description
    }

    @Test func `parameters stand in brackets, in any order, with units`() throws {
        #expect(try choice("plain") == PolicyChoice(text: "plain", name: "plain", values: []))
        #expect(try choice("periodic")?.values == [900, 0])
        #expect(try choice("periodic[every=30min]")?.values == [1800, 0])
        let both = try choice("periodic[cost = launch-energy, every=1 h]")
        #expect(
            both == PolicyChoice(text: "periodic[cost=launch-energy,every=1h]", name: "periodic", values: [3600, 1]))
    }

    @Test func `a typo in a name is answered with the nearest name`() throws {
        #expect(
            try message("p: periodc") == """
                a.yaml:1:4: error: unknown scheduling policy "periodc" (at p)
                  1 | p: periodc
                    |    ^~~~~~~
                  hint: did you mean "periodic"?

                """)
        #expect(try message("p: jetsam").contains("hint: \"jetsam\" is an eviction policy"))
        #expect(try message("p: fastest").contains("hint: one of: plain, periodic"))
    }

    @Test func `a wrong parameter is underlined within its text`() throws {
        #expect(
            try message("p: periodic[evry=30min]") == """
                a.yaml:1:13: error: the policy "periodic" has no parameter "evry" (at p)
                  1 | p: periodic[evry=30min]
                    |             ^~~~
                  hint: did you mean "every"?

                """)
        #expect(try message("p: plain[x=1]").contains("the policy \"plain\" takes no parameters"))
    }

    @Test func `a wrong value says what was expected`() throws {
        #expect(
            try message("p: periodic[every=30]") == """
                a.yaml:1:19: error: expected a time such as "15 min", found "30" without a unit (at p)
                  1 | p: periodic[every=30]
                    |                   ^~
                  hint: write the unit, for instance "30 min"; units: s, ns, us, µs, ms, min, h, d

                """)
        #expect(try message("p: periodic[every=0 s]").contains("expected a value from 1 s to 1 d, found") == false)
        #expect(try message("p: periodic[every=0 s]").contains("expected a value from 1 s to 7 d, found \"0 s\""))
        #expect(try message("p: \"periodic[cost=launch-tme]\"").contains("did you mean \"launch-time\"?"))
        #expect(try message("p: \"periodic[every=1 h,every=2 h]\"").contains("appears twice"))
        #expect(try message("p: periodic[every=1h").contains("expected a closing bracket"))
        #expect(try message("p: periodic[every]").contains("for instance periodic[every=15min]"))
    }

    @Test func `brackets in a bracketed list are explained`() throws {
        guard case .failure(let error) = YAML.parse(SourceText(name: "a.yaml", text: "p: [jetsam, gdsf[cost=x]]"))
        else {
            Issue.record("libyaml took it")
            return
        }
        #expect(error.description.contains("hint: inside [ ] or { } a text with brackets of its own needs quotes"))
    }

    @Test func `every built-in policy can be named by its bare name`() {
        let catalog = PolicyCatalog.builtIn
        #expect(catalog.eviction.first?.descriptor.name == "jetsam")
        #expect(catalog.scheduling.first?.descriptor.name == "opportunistic")
    }
}
