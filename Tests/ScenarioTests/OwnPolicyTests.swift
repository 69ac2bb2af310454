// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EvictionPolicies
import LifeCycle
import PhoneCore
import Processes
import Quantities
import SchedulingPolicies
import TestSupport
import Testing

@testable import Scenario

/// The word `system` among policies, and what the name of a system changes besides.
@Suite struct OwnPolicyTests {
    private static let text = """
        schema: 1
        name: own
        seed: 7
        start: 2026-03-02 00:00
        duration: 2 d
        warmup: 0 s
        replications: 1
        device: iphone-13
        apps: {catalog: everyday, count: 20}
        user: {persona: average}
        policies: {eviction: system, scheduling: system}
        sweep: {axes: {device.os: [ios-18.5, android-15, android-16]}}
        """

    @Test func `each system brings its own policies`() throws {
        let experiment = try load(Self.text)
        #expect(experiment.policies.map(\.name) == ["system+system"])
        let runs = (0..<3).map { experiment.specification(point: $0, policy: 0, replication: 0) }
        let evictions = runs.map { String(describing: type(of: $0.makeEviction(1))) }
        #expect(evictions == ["Jetsam", "LowMemoryKiller", "LowMemoryKiller"])
        let schedulings = runs.map { String(describing: type(of: $0.makeScheduling(1))) }
        #expect(schedulings == ["Opportunistic", "JobScheduler", "JobScheduler"])
    }

    @Test func `the name of a system gives the figures that no file states`() throws {
        let experiment = try load(Self.text)
        let (ios, android) = (experiment.points[0].device, experiment.points[1].device)
        #expect(ios.background.refreshLimit == .seconds(30) && android.background.refreshLimit == .minutes(10))
        #expect(ios.background.criticalLevel == 0.2 && android.background.criticalLevel == 0)
        #expect(ios.background.assertionLimit == .seconds(30) && android.background.assertionLimit == .seconds(60))
        #expect(ios.os.lifeCycle.backgroundGrace == .seconds(5))
        #expect(android.os.lifeCycle.backgroundGrace == .seconds(10))
        #expect(ios.memory.compressorLimit == .gibibytes(4) && android.memory.compressorLimit == .gibibytes(2))
        #expect(ios.memory.perProcessLimit == .mebibytes(2068) && android.memory.perProcessLimit == .gibibytes(4))
        // How many there are on an iPhone: SystemPopulationTests.
        #expect(!ios.processes(beside: []).isEmpty && android.processes(beside: []).isEmpty)
    }
}
