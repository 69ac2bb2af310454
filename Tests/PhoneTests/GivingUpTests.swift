// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Measures
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Users who give an app up when it has lost their work, and what a force quit leaves.
@Suite struct GivingUpTests {
    /// Three visits, a force quit after the first; app 1 is in front when the third is due.
    private func run(
        _ share: Double, saves: Bool = false, restores: Bool = false
    ) throws -> (outcome: RunOutcome, rows: RowCollector) {
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "900,force_quit,app-0,", "2000,open,app-0,600",
            "4000,open,app-1,3600", "5000,open,app-0,600", "9000,lock,,",
        ]
        var day = ScriptedDay.plain(rows) { ($0.savesOnBackground, $0.savePeriod) = (saves, .zero) }
        day.persona.givesUpAfterLoss = share
        day.device.os.lifeCycle.restoresAfterForceQuit = restores
        return try day.run(tables: [.events])
    }

    @Test func `whoever finds their work lost opens the app no more`() throws {
        let (outcome, rows) = try run(1)
        let given = rows.events.filter { $0.event == .givenUp }
        #expect(given.map { $0.time.seconds } == [2000] && given.map(\.app) == [AppID(0)])
        #expect(outcome("given_up_per_day") == 1)
        let missed = rows.events.filter { $0.event == .missed }
        #expect(missed.map { $0.time.seconds } == [5000] && missed.map(\.app) == [AppID(0)])
        #expect(outcome("missed_visits_per_day") == 1)
        // The visit of the loss goes on; that of the other app ends when the user would have come back.
        let left = rows.events.filter { $0.event == .enterBackground }
        #expect(left.map { $0.time.seconds } == [700, 2600, 5000] && left.map(\.app.index) == [0, 0, 1])
    }

    @Test func `a patient user misses nothing`() throws {
        let (outcome, rows) = try run(0)
        #expect(outcome("given_up_per_day") == 0 && outcome("missed_visits_per_day") == 0)
        #expect(rows.events.count { $0.event == .launch && $0.to == .inactive && $0.app == AppID(0) } == 3)
    }

    @Test func `a force quit forgets what was saved, unless the system restores it`() throws {
        let (lost, kept) = (try run(1, saves: true), try run(1, saves: true, restores: true))
        #expect(lost.outcome("restored_share") == 0 && lost.outcome("given_up_per_day") == 1)
        #expect(kept.outcome("restored_share") == 1 && kept.outcome("given_up_per_day") == 0)
        // What was never saved is lost all the same.
        #expect(try run(1, restores: true).outcome("given_up_per_day") == 1)
    }

    @Test func `three losses in ten are the last`() {
        var persona = TestWorld.persona
        (persona.forceQuitsPerDay, persona.givesUpAfterLoss) = (60, 0.3)
        let rows = RowCollector()
        let outcome = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(40) { $0.savesOnBackground = false }, persona: persona, days: 8,
                tables: [.events]),
            sink: rows)
        var (found, last) = (0.0, 0.0)
        var lost: Set<AppID> = []
        var given: Set<AppID> = []
        for row in rows.events {
            if row.event == .exit, row.exit == .normal || row.lostSeconds > 0 { lost.insert(row.app) }
            if row.event == .givenUp {
                #expect(given.insert(row.app).inserted && lost.contains(row.app))
                last += 1
            }
            if row.event == .launch, row.to == .inactive, lost.remove(row.app) != nil { found += 1 }
            #expect(row.event != .missed || given.contains(row.app))
        }
        #expect(found > 60 && abs(last / found - 0.3) < 0.12, "\(last) of \(found)")
        #expect(outcome("given_up_per_day") == last / 8)
    }
}
