// SPDX-License-Identifier: GPL-3.0-or-later
import CPolicies
import Testing
import Vocabulary

@testable import ForeignPolicies

@Suite struct ViewLayoutTests {
    @Test func `every field of a view lies where the header says`() {
        let views = [ViewLayout.candidate, ViewLayout.memory, ViewLayout.request, ViewLayout.device, ViewLayout.sizes]
        for field in views.flatMap({ $0 }) { #expect(field.isSame, "\(field.text)") }
        #expect(ViewLayout.difference == nil)
        // A field that is left out above would go unnoticed: as many as the views have.
        #expect(ViewLayout.candidate.count == Mirror(reflecting: candidate).children.count)
        #expect(ViewLayout.memory.count == Mirror(reflecting: memory).children.count)
        #expect(ViewLayout.device.count == Mirror(reflecting: DeviceConditions()).children.count)
        #expect(ViewLayout.request.count == Mirror(reflecting: request).children.count)
    }

    @Test func `a field at another offset is named`() {
        let field = ViewLayout.Field("band", \EvictionCandidate.band, \flotsam_candidate.state)
        #expect(!field.isSame && field.text == "band is at byte 4 instead of 6")
    }

    @Test func `words of the header have the numbers of the program`() {
        #expect(FLOTSAM_SUSPENDED == Int(ProcessState.suspended.rawValue))
        #expect(FLOTSAM_PREWARMED == Int(ProcessState.prewarmed.rawValue))
        #expect(FLOTSAM_PROCESSING == Int(RequestKind.processing.rawValue))
        #expect(FLOTSAM_NETWORK_CELLULAR == Int(Network.cellular.rawValue))
        #expect(FLOTSAM_NETWORK_WIFI == Int(Network.wifi.rawValue))
        #expect(FLOTSAM_PRESSURE_CRITICAL == Int(PressureLevel.critical.rawValue))
        #expect(WorkloadNeeds(rawValue: UInt8(FLOTSAM_NEEDS_RADIO_TAIL)) == .radioTail)
        #expect(WorkloadNeeds(rawValue: UInt8(FLOTSAM_NEEDS_CHARGING)) == .charging)
    }

    @Test func `rules and changes stand in the header in the order of the program`() throws {
        let header = try #require(PolicyKit.c.files("x.c").last).text
        let rules = header.matches(of: /FLOTSAM_RULE_([A-Z_]+)/).map { Self.kebab($0.output.1) }
        #expect(rules == SchedulingRule.allCases.map(\.name))
        let changes = header.matches(of: /FLOTSAM_ON_([A-Z_]+) = 1 << ([0-9]+)/).map {
            (Self.kebab($0.output.1), String($0.output.2))
        }
        #expect(
            changes.map(\.0)
                == ConditionChange.allCases.map { change in
                    ConditionChange.named.first { $0.value == change }?.key
                })
        #expect(changes.map(\.1) == ConditionChange.allCases.map { String($0.rawValue) })
    }

    private static func kebab(_ text: Substring) -> String { text.lowercased().replacing("_", with: "-") }
}
