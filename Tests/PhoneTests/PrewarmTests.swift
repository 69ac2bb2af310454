// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import LifeCycle
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

@Suite struct PrewarmTests {
    /// One visit late in the day, on a phone that looks every quarter of an hour for something to prewarm.
    private static func day(_ change: (inout ScriptedDay) -> Void = { _ in }) -> ScriptedDay {
        var day = ScriptedDay.plain(["50000,unlock,,", "50000,open,app-0,60", "50100,lock,,"]) {
            $0.warmLaunchTime = .seconds(2)
            $0.coldLaunchTime = .seconds(6)
        }
        day.device.prewarm.choice = .worth
        day.device.prewarm.perDay = 96
        change(&day)
        return day
    }

    @Test func `an open goes on with a process built before and waits for the rest of a warm launch`() throws {
        let (outcome, rows) = try Self.day().run()
        let built = try #require(rows.events.first)
        #expect(built.event == .prewarm && built.app == AppID(0) && built.to == .prewarmed && built.band == 0)
        #expect(abs(built.footprintMiB - 0.3 * 110) < 1e-3)
        let open = try #require(rows.events.first { $0.event == .launch })
        #expect(open.from == .prewarmed && open.launchKind == .warm)
        let cold = try #require(try Self.day { $0.device.prewarm.choice = .never }.first(.launch))
        #expect(cold.from == .notRunning && cold.launchKind == .cold)
        #expect(abs(open.delaySeconds / cold.delaySeconds - 2 * 0.75 / 6) < 1e-9)
        #expect(outcome("prewarms_per_day") == 3 && outcome("prewarmed_open_share") == 1)
        #expect(outcome("warm_launches_per_day") == 1 && outcome("cold_launches_per_day") == 0)
    }

    @Test(arguments: [true, false])
    func `a system before iOS 15 prewarms nothing, nor does one without the memory`(isOld: Bool) throws {
        let day = Self.day {
            if isOld { $0.device.os.lifeCycle.prewarms = false } else { $0.device.prewarm.leastAvailable = 1 }
        }
        #expect(try day.run().outcome("prewarms_per_day") == 0)
    }

    @Test func `nothing is prewarmed that is not likely enough to be opened`() throws {
        let day = Self.day { $0.device.prewarm.choice = .likely }
        #expect(try day.run().outcome("prewarms_per_day") == 0)
        let lenient = Self.day {
            $0.device.prewarm.choice = .likely
            $0.device.prewarm.leastLikelihood = 0
        }
        #expect(try lenient.run().outcome("prewarms_per_day") == 3)
    }

    @Test func `systems prewarm from iOS 15 on`() {
        let prewarming = OSProfile.generations.filter { $0.profile(.gibibytes(4)).lifeCycle.prewarms }.map(\.name)
        #expect(prewarming == ["ios-15", "ios-16", "ios-17", "ios-18", "ios-18.4", "ios-18.5", "ios-26"])
    }
}
