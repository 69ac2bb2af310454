// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Extensions and services that come when they are needed, and go again.
@Suite struct HelperTests {
    /// The process that follows the three apps.
    private static let helper = AppID(3)

    private func day(_ change: (inout HelperSet) -> Void) -> ScriptedDay {
        var day = ScriptedDay.plain()
        change(&day.device.helpers)
        return day
    }

    /// Sharing in every visit, with so much memory in MiB.
    private static func sharing(_ memory: Double) -> HelperParameters {
        var share = HelperSet.usualShare
        (share.openShare, share.memory, share.sigma) = (1, .mebibytes(memory), 0)
        return share
    }

    @Test(arguments: [(119.0, false), (121, true)])
    func `an extension dies of its own limit, and the app beside it goes on`(memory: Double, dies: Bool) throws {
        let (outcome, rows) = try day { $0.share = Self.sharing(memory) }.run(tables: [.events])
        #expect(outcome("helper_uses_per_day") == 1 && outcome("helper_failures_per_day") == (dies ? 1 : 0))
        let used = rows.events.filter { $0.event == .helperUsed }
        #expect(used.map(\.app) == [Self.helper])
        let active = try #require(rows.events.first { $0.event == .becomeActive })
        #expect(used.first?.time == active.time)
        let kills = rows.events.filter { $0.reason != nil }
        #expect(kills.map(\.app) == (dies ? [Self.helper] : []))
        #expect(kills.allSatisfy { $0.reason == .perProcessLimit && $0.band == 100 && $0.time == active.time })
        #expect(rows.events.count { $0.event == .helperFailed } == kills.count)
        #expect(!rows.events.contains { $0.event == .exit && $0.app == AppID(0) })
    }

    @Test func `a model stays for its time after its work, and is gone then`() throws {
        var model = HelperSet.usualModel
        (model.openShare, model.perDay, model.memory) = (1, 0, .mebibytes(300))
        let day = day { $0.model = model }
        let active = try #require(try day.run().rows.events.first { $0.event == .becomeActive }).time
        func state(at seconds: Double) throws -> (isAlive: Bool, band: Int, footprint: ByteCount) {
            var phone = Phone(try day.specification(tables: []), sink: nil)
            phone.start()
            phone.run(until: active + .seconds(seconds))
            let table = phone.core.processes
            return (table.isAlive(Self.helper), Int(table.band(of: Self.helper)), table.footprint(of: Self.helper))
        }
        let working = try state(at: 9.9)
        #expect(working.isAlive && working.band == 40 && working.footprint == .mebibytes(300))
        let waiting = try state(at: 309.9)
        #expect(waiting.isAlive && waiting.band == 0 && waiting.footprint == .mebibytes(300))
        #expect(try !state(at: 310.1).isAlive)
        #expect(try !state(at: -0.1).isAlive)
    }

    @Test func `a model that comes and goes takes the memory of suspended apps`() {
        func run(_ perDay: Double) -> RunOutcome {
            var device = TestWorld.device()
            device.helpers.model = HelperSet.usualModel
            device.helpers.model?.perDay = perDay
            return simulate(TestWorld.specification(device: device, days: 3))
        }
        let (none, some) = (run(0), run(20))
        #expect(none("helper_uses_per_day") == 0)
        // Sixty in three days: four deviations are ten a day.
        #expect(abs(some("helper_uses_per_day") - 20) < 11)
        #expect(some("kills_per_day") > 1.3 * none("kills_per_day"))
        #expect(some("relaunches_per_day") > none("relaunches_per_day"))
    }

    @Test func `a phone without helpers has no process for them`() throws {
        #expect(TestWorld.device().processes(beside: []).isEmpty)
        let outcome = try ScriptedDay.plain().run().outcome
        #expect(outcome("helper_uses_per_day") == 0 && outcome("helper_failures_per_day") == 0)
    }
}
