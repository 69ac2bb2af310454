// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Each end of a process has exactly one category, and each category has its cause.
@Suite struct ExitTests {
    /// A day in which the first app ends like this while the user does not see it.
    private func background(_ category: ExitCategory) -> ScriptedDay {
        var day = ScriptedDay()
        switch category {
        case .normal: day.rows.insert("2000,force_quit,app-0,", at: 3)
        case .abnormal, .badAccess, .illegalInstruction:
            day.rows = ["0,network,,wifi"]
            day.scheduling = "immediate"
            day.apps[0].refreshPeriod = .hour
            day.apps[0].faults.workCrashes = 1
            day.apps[0].faults.badAccessShare = category == .badAccess ? 1 : 0
            day.apps[0].faults.illegalInstructionShare = category == .illegalInstruction ? 1 : 0
        case .watchdog:
            day.rows[2] = "100,open,app-0,5"
            day.apps[0].faults.hangsPerHour = 3600
        case .cpuLimit:
            day.apps[0].finishesTask = true
            day.apps[0].finishTime = .minutes(2)
            day.device.background.assertionLimit = .seconds(180)
        case .memoryLimit:
            day.rows = ["0,network,,wifi"]
            day.scheduling = "immediate"
            day.apps[0].refreshPeriod = .hour
            day.apps[0].backgroundFootprint = .mebibytes(300)
            day.device.memory.perProcessLimit = .mebibytes(200)
        case .memoryPressure:
            day.rows.insert("1000,open,app-1,600", at: 3)
            for index in day.apps.indices { day.apps[index].foregroundFootprint = .mebibytes(1500) }
            day.apps[0].backgroundFootprint = .mebibytes(1500)
        case .lockedFile: day.apps[0].faults.holdsLock = 1
        case .taskTimeout:
            day.apps[0].finishesTask = true
            day.apps[0].faults.leaksTask = 1
            day.apps[0].faults.handlesExpiration = false
        }
        return day
    }

    /// The same while the user looks at it.
    private func foreground(_ category: ExitCategory) -> ScriptedDay {
        var day = ScriptedDay()
        switch category {
        case .normal:
            day.device.habits.initialLevel = 0.005
            day.rows[2] = "100,open,app-0,80000"
            day.rows[3] = "86000,lock,,"
        case .abnormal, .badAccess, .illegalInstruction:
            day.apps[0].faults.crashesPerHour = 360
            day.apps[0].faults.badAccessShare = category == .badAccess ? 1 : 0
            day.apps[0].faults.illegalInstructionShare = category == .illegalInstruction ? 1 : 0
        case .watchdog: day.apps[0].coldLaunchTime = .seconds(25)
        default:
            day.apps[0].foregroundFootprint = .gibibytes(3)
            day.device.habits.limitShare = 2
        }
        return day
    }

    @Test(arguments: ExitCategory.allCases)
    func `F47: every category of the background has its cause`(category: ExitCategory) throws {
        let exit = try #require(try background(category).first(.exit))
        #expect(exit.exit == category)
        #expect(!exit.from.isForeground)
    }

    @Test(arguments: ExitCategory.allCases.filter(\.existsInForeground))
    func `F47: every category of the foreground has its cause`(category: ExitCategory) throws {
        let exit = try #require(try foreground(category).first(.exit))
        #expect(exit.exit == category)
        #expect(exit.from.isForeground)
    }

    /// Apps in which everything goes wrong now and then.
    private static var faultyApps: [AppModel] {
        TestWorld.apps(40) { app in
            app.faults.crashesPerHour = 2
            app.faults.hangsPerHour = 1
            app.faults.workCrashes = 0.05
            app.faults.holdsLock = 0.05
            app.faults.leaksTask = 0.2
            app.faults.handlesExpiration = app.popularity > 0.1
            app.finishesTask = true
            app.finishTime = .seconds(8)
            app.processingPerDay = 2
            app.processingLoad = 1
            app.savesOnBackground = app.popularity > 0.05
        }
    }

    @Test(arguments: [1, 2, 3])
    func `the exits of a run are the ends of its processes, each counted once`(seed: UInt64) {
        let rows = RowCollector()
        let specification = TestWorld.specification(
            apps: Self.faultyApps, device: TestWorld.device(ram: .gibibytes(3)), days: 3, seed: seed,
            tables: [.events], scheduling: "immediate")
        let outcome = simulate(specification, sink: rows)
        let ends = rows.events.filter { $0.event == .exit }
        #expect(ends.allSatisfy { $0.exit != nil && $0.to == .notRunning && $0.from != .notRunning })
        var counted = 0.0
        for category in ExitCategory.allCases {
            let background = ends.filter { $0.exit == category && !$0.from.isForeground }.count
            let metric = 3 * outcome("exits_bg_\(category.name)_per_day")
            counted += metric
            #expect(Double(background) == metric.rounded(), "\(category) in the background")
            guard category.existsInForeground else { continue }
            let foreground = 3 * outcome("exits_fg_\(category.name)_per_day")
            counted += foreground
            #expect(ends.count { $0.exit == category && $0.from.isForeground } == Int(foreground.rounded()))
        }
        #expect(Int(counted.rounded()) == ends.count)
        #expect(Set(ends.compactMap(\.exit)).count >= 8)
        // Whoever was launched has ended once, or is alive at the end.
        var alive: Set<AppID> = []
        for row in rows.events where row.event == .exit || (row.event == .launch && row.from == .notRunning) {
            if row.event == .exit {
                #expect(alive.remove(row.app) != nil, "\(row.app) ended at \(row.time) and did not run")
            } else {
                #expect(alive.insert(row.app).inserted, "\(row.app) was launched twice")
            }
        }
    }

    @Test func `faults change nothing that a run draws besides`() {
        let plain = simulate(TestWorld.specification(days: 1))
        let rows = RowCollector()
        let faulty = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(40) { $0.faults.crashesPerHour = 5 }, days: 1, tables: [.events]), sink: rows)
        #expect(plain.workloadFingerprint == faulty.workloadFingerprint)
        #expect(plain("exits_fg_abnormal_per_day") == 0)
        let crashes = rows.events.count { $0.exit == .abnormal && $0.from.isForeground }
        #expect(crashes > 0 && faulty("exits_fg_abnormal_per_day") == Double(crashes))
    }
}
