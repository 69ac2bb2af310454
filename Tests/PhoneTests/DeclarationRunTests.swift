// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// What an app does without having declared it.
@Suite struct DeclarationRunTests {
    private static let app = AppID(0)

    private func day(_ change: (inout AppModel) -> Void) -> ScriptedDay {
        let rows = ["0,network,,wifi", "1,plug,,10", "100,unlock,,", "100,open,app-0,60", "400,lock,,"]
        var day = ScriptedDay.plain(rows) {
            $0.refreshPeriod = .hours(1)
            $0.processingPerDay = 40
            $0.processingTime = .seconds(5)
            change(&$0)
        }
        day.scheduling = "immediate"
        return day
    }

    @Test(arguments: [("fetch", BackgroundWork.refresh), ("identifier", .refresh), ("processing", .processing)])
    func `F36: requests without their declaration are not permitted`(missing: String, work: BackgroundWork) throws {
        let free = try day { _ in }.run(tables: [.requests]).rows.requests.filter { $0.work == work }
        #expect(free.contains { $0.outcome == "success" } && !free.contains { $0.error == "notPermitted" })
        let refused = try day { app in
            switch missing {
            case "fetch": app.declares.fetch = false
            case "identifier": app.declares.refreshIdentifier = false
            default: app.declares.processing = false
            }
        }.run(tables: [.requests]).rows.requests.filter { $0.work == work }
        #expect(!refused.isEmpty && refused.allSatisfy { $0.error == "notPermitted" })
    }

    @Test func `identifiers in turn stand beside one another, up to ten`() throws {
        func errors(_ identifiers: Int) throws -> (replaced: Int, tooMany: Int) {
            var day = day {
                $0.processingPerDay = 400
                $0.refreshPeriod = .minutes(10)
                $0.declares.processingIdentifiers = identifiers
            }
            // Nothing starts: what is asked for in refreshes stays pending.
            day.scheduling = "immediate"
            day.apps[0].processingNeedsPower = true
            day.rows.removeAll { $0.contains("plug") }
            let rows = try day.run(tables: [.requests]).rows.requests.filter { $0.work == .processing }
            return (rows.count { $0.outcome == "replaced" }, rows.count { $0.error == "tooManyPendingTaskRequests" })
        }
        let one = try errors(1)
        #expect(one.replaced > 30 && one.tooMany == 0)
        let twelve = try errors(12)
        #expect(twelve.tooMany > 3 && twelve.replaced > 3)
    }

    @Test func `a push, a call, a movement or an accessory without its mode launches nobody`() throws {
        func launches(_ change: @escaping (inout AppModel) -> Void) throws -> Double {
            let day = day {
                ($0.refreshPeriod, $0.processingPerDay) = (.zero, 0)
                $0.traits.silentPushesPerDay = 10
                $0.traits.callsPerDay = 10
                $0.traits.bluetoothEventsPerDay = 10
                change(&$0)
            }
            return try day.run(tables: []).outcome("event_launches_per_day")
        }
        #expect(try launches { _ in } > 15)
        let none = try launches {
            ($0.declares.remoteNotification, $0.declares.voip, $0.declares.bluetooth) = (false, false, false)
        }
        #expect(none == 0)
    }

    @Test func `F36: an app that registers late ends at each launch`() throws {
        let (outcome, rows) = try day { $0.declares.registersLate = true }.run(tables: [.events])
        let ends = rows.events.filter { $0.event == .exit }
        #expect(ends.count == 4 && ends.allSatisfy { $0.exit == .abnormal && $0.app == Self.app })
        #expect(outcome("exits_fg_abnormal_per_day") == 4)
    }
}
