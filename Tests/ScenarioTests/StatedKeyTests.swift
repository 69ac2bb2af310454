// SPDX-License-Identifier: GPL-3.0-or-later
import PhoneCore
import Power
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import Scenario

/// What an app states wins over what device and persona say of all.
@Suite struct StatedKeyTests {
    private static func apps(_ settings: [String]) throws -> [String: AppModel] {
        let experiment = try load(sample, overrides: settings)
        let specification = experiment.specification(point: 0, policy: 0, replication: 0)
        return Dictionary(uniqueKeysWithValues: specification.appsAsSet.map { ($0.name, $0) })
    }

    @Test func `a stated refresh switch wins over the persona's share`() throws {
        let none = "user.persona.background.refresh_enabled_share=0 %"
        let all = "user.persona.background.refresh_enabled_share=100 %"
        #expect(try Self.apps([none]).values.allSatisfy { !$0.refreshEnabled })
        let stated = try Self.apps([none, "apps.apps.pigeon.refresh.enabled=true"])
        #expect(stated.values.filter(\.refreshEnabled).map(\.name) == ["pigeon"])
        let off = try Self.apps([all, "apps.apps.pigeon.refresh.enabled=false"])
        #expect(off.values.filter { !$0.refreshEnabled }.map(\.name) == ["pigeon"])
    }

    @Test func `apps that state neither load nor rate have those of their activity on this phone`() throws {
        let device = ["device.activities.messaging.load=0.7", "device.activities.messaging.rate=3 Mbit/s"]
        let usual = try #require(try Self.apps([])["pigeon"])
        #expect(usual.activity == .messaging && usual.foregroundLoad == 0.28)
        let changed = try #require(try Self.apps(device)["pigeon"])
        #expect(changed.foregroundLoad == 0.7 && changed.foregroundRate == .megabitsPerSecond(3))
        let own = try #require(try Self.apps(device + ["apps.apps.pigeon.use.load=0.4"])["pigeon"])
        #expect(own.foregroundLoad == 0.4 && own.foregroundRate == .megabitsPerSecond(3))
    }
}
