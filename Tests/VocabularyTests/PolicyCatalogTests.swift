// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@Suite struct PolicyCatalogTests {
    struct Nobody: EvictionPolicy {
        mutating func rank(_ candidate: EvictionCandidate, at now: SimTime) -> Double { 0 }
    }

    struct Always: SchedulingPolicy {
        mutating func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision {
            .proceed(.immediate)
        }
    }

    static func eviction(_ name: String) -> EvictionPolicyEntry {
        EvictionPolicyEntry(PolicyDescriptor(name: name, summary: "A test.", source: "this test")) { _ in Nobody() }
    }

    static func scheduling(_ name: String) -> SchedulingPolicyEntry {
        SchedulingPolicyEntry(PolicyDescriptor(name: name, summary: "A test.", source: "this test")) { _ in Always() }
    }

    @Test func `policies are found by name, in the order in which they were added`() {
        let catalog = PolicyCatalog(
            eviction: [Self.eviction("jetsam"), Self.eviction("lru")], scheduling: [Self.scheduling("immediate")]
        ).adding(Self.eviction("mine")).adding(Self.scheduling("mine"))
        #expect(catalog.eviction.map(\.descriptor.name) == ["jetsam", "lru", "mine"])
        #expect(catalog.scheduling.map(\.descriptor.name) == ["immediate", "mine"])
        #expect(catalog.eviction(named: "lru")?.descriptor.name == "lru")
        #expect(catalog.eviction(named: "immediate") == nil)
        #expect(catalog.scheduling(named: "mine") != nil)
    }

    @Test func `a taken name traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = PolicyCatalog(eviction: [Self.eviction("mine")]).adding(Self.eviction("mine"))
        }
    }

    @Test(arguments: ["", "Mine", "my policy", "-mine", "mine-", "my--own", "9lives", "mine[x]"])
    func `a name that an experiment file cannot hold traps`(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in
            _ = PolicyCatalog(scheduling: [Self.scheduling(name)])
        }
    }

    @Test func `a default outside its own range traps`() async {
        await #expect(processExitsWith: .failure) {
            let entry = EvictionPolicyEntry(
                PolicyDescriptor(name: "mine", summary: "A test.", source: "this test"), Settings(),
                [Parameter(\.grace, "grace", .duration, 0...60, "a test")]
            ) { _, _ in Nobody() }
            _ = PolicyCatalog(eviction: [entry])
        }
    }

    struct Settings: Sendable {
        var grace = SimDuration.seconds(90)
    }
}
