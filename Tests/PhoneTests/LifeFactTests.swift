// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Further facts of `docs/reference/systems.md`, each by its number: launches, what an app leaves behind, what decides.
@Suite struct LifeFactTests {
    @Test func `F16: an app is launched cold, resumed, and launched warm soon after its end, each faster than cold`()
        throws
    {
        let rows = [
            "100,unlock,,", "100,open,app-0,60", "200,open,app-0,60", "300,force_quit,app-0,", "310,open,app-0,60",
            "400,lock,,",
        ]
        let launches = try ScriptedDay.plain(rows).run(tables: [.events]).rows.events.filter { $0.event == .launch }
        #expect(launches.map(\.launchKind) == [.cold, .resume, .warm])
        let delays = launches.map(\.delaySeconds)
        #expect(delays.count == 3 && delays[1] < delays[2] && delays[2] < delays[0])
        #expect(launches.map(\.from) == [.notRunning, .suspended, .notRunning])
    }

    @Test func `F48: an app that is left saves, gets smaller and stops`() throws {
        let rows = [
            "100,unlock,,", "100,open,app-0,600", "2000,force_quit,app-0,", "2100,open,app-0,60", "3000,lock,,",
        ]
        let day = ScriptedDay.plain(rows) {
            $0.foregroundFootprint = .mebibytes(300)
            $0.backgroundFootprint = .mebibytes(120)
        }
        let (outcome, found) = try day.run(tables: [.events])
        let mine = found.events.filter { $0.app == AppID(0) && $0.time < .seconds(2000) }
        let shown = try #require(mine.first { $0.event == .becomeActive })
        let stopped = try #require(mine.first { $0.event == .suspend })
        // Five seconds after it was left, at 700 s; the size of a visit is drawn, so that only the ratio is known.
        #expect(stopped.time == .seconds(705))
        #expect(stopped.footprintMiB < 0.6 * shown.footprintMiB && stopped.footprintMiB > 0)
        #expect(outcome("lost_work_s_per_day") == 0)
    }

    @Test func `F35: use, charging, network and battery decide how often an app is refreshed`() throws {
        /// Starts of apps 0 and 1, of which the user opens the first every hour and the second once.
        func starts(_ rows: [String], _ change: (inout DeviceModel) -> Void = { _ in }) throws -> [Int] {
            let visits = (8..<20).flatMap { hour in
                let second = 3600 * hour
                return ["\(second),unlock,,", "\(second),open,app-0,60", "\(second + 100),lock,,"]
            }
            let first = ["100,unlock,,", "100,open,app-1,60", "300,lock,,"]
            var day = ScriptedDay.plain(rows + first + visits)
            for index in 0...1 {
                day.apps[index].refreshPeriod = .minutes(30)
                day.apps[index].refreshProcessorTime = .milliseconds(100)
            }
            day.scheduling = "opportunistic"
            change(&day.device)
            let requests = try day.run(tables: [.requests]).rows.requests
            return (0...1).map { app in
                requests.count {
                    $0.work == .refresh && $0.app == AppID(app) && $0.started != .distantFuture
                        && $0.outcome == "success"
                }
            }
        }
        let usual = try starts(["0,network,,wifi"])
        #expect(usual[0] > usual[1] && usual[0] >= 5, "\(usual)")
        // Off the charger the budget of the day counts.
        let spent = try starts(["0,network,,wifi"]) { $0.background.energyBudget = 10 }
        let free = try starts(["0,network,,wifi", "0,plug,,10"]) { $0.background.energyBudget = 10 }
        #expect(spent[0] + spent[1] <= free[0] + free[1] - 5, "\(spent) \(free)")
        #expect(try starts(["0,network,,none"]) == [0, 0])
        #expect(try starts(["0,network,,wifi"]) { $0.habits.initialLevel = 0.1 } == [0, 0])
    }
}
