// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import PhoneCore
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary

@testable import Phone

/// Rules that a scheduling policy declares itself, in the table of decisions.
@Suite struct OwnRuleTests {
    @Test func `a decision by a policy's own rule carries its name and the changes that it waits for`() throws {
        let entry = try #require(SchedulingPolicies.named("piggyback"))
        var specification = TestWorld.specification(
            apps: TestWorld.apps(10), days: 2, tables: [.decisions], scheduling: "piggyback")
        specification.schedulingRules = entry.descriptor.rules
        let rows = RowCollector()
        _ = simulate(specification, sink: rows)
        let waits = rows.decisions.filter { $0.rule == "radio-down" }
        #expect(!waits.isEmpty)
        #expect(waits.allSatisfy { $0.wakeOn == [.radioUp, .wifiJoined, .pluggedIn] && !$0.proceed })
        #expect(!rows.decisions.contains { $0.rule == "custom" })
    }

    @Test func `the explanation of a decision names the rule of the system that held`() throws {
        var device = TestWorld.device()
        device.background.notice = .zero
        let rows = RowCollector()
        let specification = TestWorld.specification(
            apps: TestWorld.apps(20), device: device, days: 3, tables: [.decisions], scheduling: "immediate")
        _ = simulate(specification, sink: rows)
        let waits = rows.decisions.filter { ["requires-network", "busy", "foreground"].contains($0.rule) }
        #expect(!waits.isEmpty)
        #expect(waits.allSatisfy { $0.responses.contains { !$0.sentence.isEmpty } })
    }
}
