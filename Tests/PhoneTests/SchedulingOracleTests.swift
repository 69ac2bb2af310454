// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// The scheduling oracle in the phone, where networks, floors and kills get into its way as well.
@Suite struct SchedulingOracleTests {
    private func run(_ name: String, readsFuture: Bool = false) throws -> RunOutcome {
        let entry = try #require(SchedulingPolicies.named(name))
        var specification = TestWorld.specification(days: 5, readsFuture: readsFuture)
        specification.makeScheduling = { entry.make(entry.descriptor.defaultArguments(seed: $0)) }
        return simulate(specification)
    }

    @Test func `nobody shows fresher content than the oracle, and it fetches less than those who come near`() throws {
        let oracle = try run("clairvoyant", readsFuture: true)
        let blind = try run("immediate")
        #expect(oracle.workloadFingerprint == blind.workloadFingerprint)
        // Order is the claim: whoever knows the next open fetches for it, and for it alone.
        #expect(oracle("content_age_s_mean") < blind("content_age_s_mean"))
        #expect(oracle("refreshes_per_day") < blind("refreshes_per_day"))
        #expect(oracle("wasted_refresh_share") < blind("wasted_refresh_share"))
        for name in ["opportunistic", "jobscheduler", "tailender", "just-in-time", "hush", "never"] {
            #expect(try oracle("content_age_s_mean") < run(name)("content_age_s_mean"), "\(name)")
        }
    }

    @Test func `the knob at zero is starting at once, event for event`() throws {
        let entry = try #require(SchedulingPolicies.named("lyapunov"))
        var specification = TestWorld.specification(days: 3)
        specification.makeScheduling = { entry.make(PolicyArguments(values: [0, 3, 10.9, 0.1], seed: $0)) }
        let knob = simulate(specification)
        specification.makeScheduling = { _ in Immediate() }
        #expect(knob.fingerprint == simulate(specification).fingerprint)
    }
}
