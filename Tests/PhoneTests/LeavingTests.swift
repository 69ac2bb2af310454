// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// What an app's code does when it is left and when it comes back.
@Suite struct LeavingTests {
    private static let switching = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "160,open,app-1,60", "400,lock,,",
    ]

    @Test func `F51: work in willResignActive delays the app that comes next by its length`() throws {
        let plain = try ScriptedDay.plain(Self.switching).run(tables: [.events, .deviceHours])
        let slow = try ScriptedDay.plain(Self.switching) { $0.resignTime = .seconds(2) }
            .run(tables: [.events, .deviceHours])
        func wait(_ rows: RowCollector) -> Double {
            rows.events.filter { $0.event == .launch && $0.app == AppID(1) }.reduce(0) { $0 + $1.delaySeconds }
        }
        #expect(abs(wait(slow.rows) - wait(plain.rows) - 2) < 1e-9)
        #expect(slow.outcome("leave_wait_s_per_day") == 2 && plain.outcome("leave_wait_s_per_day") == 0)
        let resigned = slow.rows.events.first { $0.event == .resignActive && $0.app == AppID(0) }
        #expect(resigned?.delaySeconds == 2)
        #expect(slow.outcome("energy_wh_per_day") > plain.outcome("energy_wh_per_day"))
    }

    @Test func `F51: on the way to the home screen only the user waits, and ten seconds end the app`() throws {
        let slow = try ScriptedDay.plain { $0.resignTime = .seconds(3) }.run(tables: [.events])
        #expect(slow.outcome("leave_wait_s_per_day") == 3)
        #expect(!slow.rows.events.contains { $0.event == .exit })
        let hung = try ScriptedDay.plain { $0.resignTime = .seconds(11) }.run(tables: [.events])
        #expect(hung.outcome("leave_wait_s_per_day") == 10)
        let ends = hung.rows.events.filter { $0.event == .exit }
        #expect(ends.map(\.exit) == [.watchdog] && ends.first?.from == .inactive)
        #expect(hung.outcome("exits_fg_watchdog_per_day") == 1)
    }

    /// A visit of ten minutes that nothing saves but its end, and a force quit after it.
    private func lost(_ save: SimDuration, at quit: Int, finishes: Bool = false) throws -> (RunOutcome, RowCollector) {
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "\(quit),force_quit,app-0,", "3000,lock,,",
        ]
        let day = ScriptedDay.plain(rows) { app in
            app.savePeriod = .hours(1)
            app.saveTime = save
            app.finishesTask = finishes
        }
        let (outcome, rows_) = try day.run(tables: [.events])
        return (outcome, rows_)
    }

    @Test func `a save that outlasts the grace is done in part, and the rest is lost with the process`() throws {
        // The app executes for five seconds of the twenty that its save of 600 s of work takes.
        let (outcome, rows) = try lost(.seconds(20), at: 2000)
        #expect(outcome("cut_saves_per_day") == 1)
        #expect(abs(outcome("lost_work_s_per_day") - 450) < 1e-6)
        #expect(abs(outcome("lost_work_order_s_per_day") - 450) < 1e-6)
        let cut = rows.events.first { $0.event == .saveCut }
        #expect(cut?.time == .zero + .seconds(705) && abs((cut?.lostSeconds ?? 0) - 450) < 1e-6)
        // One that fits loses nothing, and neither does one that ends at once.
        for fits in [SimDuration.seconds(4), .zero] {
            let (outcome, _) = try lost(fits, at: 2000)
            #expect(outcome("cut_saves_per_day") == 0 && outcome("lost_work_s_per_day") == 0)
        }
    }

    @Test func `a task assertion gives a save its thirty seconds, and an end within them cuts it`() throws {
        let (held, _) = try lost(.seconds(20), at: 2000, finishes: true)
        #expect(held("cut_saves_per_day") == 0 && held("lost_work_s_per_day") == 0)
        let (long, _) = try lost(.seconds(60), at: 2000, finishes: true)
        #expect(abs(long("lost_work_s_per_day") - 300) < 6)
        // Swiped away after 12 of 20 seconds: two fifths of the 600 s are gone.
        let (quit, _) = try lost(.seconds(20), at: 712, finishes: true)
        #expect(quit("cut_saves_per_day") == 1 && abs(quit("lost_work_s_per_day") - 240) < 1e-6)
    }

    @Test func `F49: an app makes all its requests at once whenever it comes back`() throws {
        let rows = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "300,open,app-0,60", "400,lock,,"]
        let plain = try ScriptedDay.plain(rows).run(tables: [.events])
        let burst = try ScriptedDay.plain(rows) { app in
            app.returnRequests = 4
            app.refreshBytes = .kibibytes(100)
        }.run(tables: [.events])
        let each = Double(ByteCount.kibibytes(100).bytes + PhoneCore.requestBytes.bytes)
        #expect(burst.outcome("wifi_bytes_per_day") - plain.outcome("wifi_bytes_per_day") == 8 * each)
        #expect(burst.outcome("return_bursts_per_day") == 2)
        let offline = try ScriptedDay.plain(Array(rows.dropFirst())) { $0.returnRequests = 4 }.run()
        #expect(offline.outcome("return_bursts_per_day") == 0)
    }
}
