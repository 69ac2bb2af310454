// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import EventKernel
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Behaviours
@testable import Phone
@testable import PhoneCore

/// Processes that an app has beside its main one: their limits, their deaths, and what the user misses.
@Suite struct AppProcessTests {
    /// The process that follows the three apps.
    private static let beside = AppID(3)
    private static let app = AppID(0)
    private static let failures = ["helper_failures_per_day", "process_failures_per_day"]

    /// A day of a system on which the first app has one process more.
    private func day(
        _ kind: AppProcess.Kind, system: String = "ios-17", _ rows: [String] = ScriptedDay.visit,
        _ change: (inout HelperParameters) -> Void
    ) throws -> ScriptedDay {
        var process = AppProcess(kind)
        process.figures.sigma = 0
        change(&process.figures)
        var day = ScriptedDay.plain(rows) { $0.traits.processes = [process] }
        day.device.os = try #require(OSProfile.named(system, ram: day.device.memory.ram))
        day.device.background = BackgroundParameters(day.device.os.family)
        return day
    }

    private static let alerts = ["0,network,,wifi", "100,push,app-0,", "200,push,app-0,", "300,push,app-1,"]

    @Test(arguments: [
        ("ios-12", 11.0, 0.0), ("ios-12", 13, 2), ("ios-13", 23, 0), ("ios-17", 23, 0), ("ios-17", 25, 2),
    ])
    func `a notification service dies of the limit of its system, and the alert is shown all the same`(
        system: String, memory: Double, deaths: Double
    ) throws {
        let (outcome, rows) = try day(.notificationService, system: system, Self.alerts) {
            $0.memory = .mebibytes(memory)
        }.run(tables: [.events])
        // The third alert is of another app.
        #expect(outcome("helper_uses_per_day") == 2)
        for name in Self.failures { #expect(outcome(name) == deaths, "\(name)") }
        #expect(rows.events.count { $0.event == .alert } == 3)
        let kills = rows.events.filter { $0.reason != nil }
        #expect(kills.count == Int(deaths) && kills.allSatisfy { $0.app == Self.beside && $0.band == 40 })
        #expect(kills.allSatisfy { $0.reason == .perProcessLimit })
        #expect(rows.events.filter { $0.event == .helperUsed }.map(\.time) == [100, 200].map { .zero + .seconds($0) })
    }

    @Test func `the limits of kinds are those of their systems`() {
        func limits(_ version: Int) -> [Double] {
            AppProcess.Kind.allCases.filter { !$0.isOfAndroid }.map { $0.limit(onIOS: version).mebibytes }
        }
        #expect(limits(12) == [12, 32, 120, 66, 15, 0])
        #expect(limits(14) == [24, 30, 120, 66, 15, 0])
        #expect(limits(26) == [24, 30, 120, 66, 50, 0])
        #expect(AppProcess.Kind.allCases.filter(\.isOfAndroid).allSatisfy { $0.limit(onIOS: 26) == .zero })
    }

    @Test func `a stated limit replaces the system's`() throws {
        let outcome = try day(.notificationService, Self.alerts) {
            ($0.memory, $0.limit) = (.mebibytes(26), .mebibytes(30))
        }.run().outcome
        #expect(outcome("helper_uses_per_day") == 2 && outcome("process_failures_per_day") == 0)
    }

    @Test func `processes of the other family of systems do not exist`() throws {
        #expect(try day(.tunnel, system: "android-15") { _ in }.run().outcome("helper_uses_per_day") == 0)
        #expect(try day(.sticky) { _ in }.run().outcome("helper_uses_per_day") == 0)
    }

    @Test(arguments: [(29.0, false), (31, true)])
    func `a widget is drawn by a process with a limit of 30 MB`(memory: Double, dies: Bool) throws {
        var day = try day(.widget) { $0.memory = .mebibytes(memory) }
        day.apps[0].traits.hasWidget = true
        let outcome = try day.run().outcome
        let reloads = outcome("widget_reloads_per_day")
        #expect(reloads > 0 && outcome("helper_uses_per_day") == reloads)
        #expect(outcome("process_failures_per_day") == (dies ? reloads : 0))
    }

    @Test func `a keyboard comes up in a share of the opens of all apps, on screen`() throws {
        let rows = ["100,unlock,,", "100,open,app-1,60", "200,open,app-2,60", "3000,lock,,"]
        let (outcome, found) = try day(.keyboard, rows) { ($0.openShare, $0.memory) = (1, .mebibytes(67)) }
            .run(tables: [.events])
        #expect(outcome("helper_uses_per_day") == 2 && outcome("process_failures_per_day") == 2)
        #expect(found.events.filter { $0.reason != nil }.allSatisfy { $0.band == 100 })
        let none = try day(.keyboard, rows) { $0.openShare = 0 }.run().outcome
        #expect(none("helper_uses_per_day") == 0)
    }

    @Test func `a tunnel runs all day, and comes back after 1, 4, 16 s and so on when it dies of its limit`() throws {
        let lives = try day(.tunnel) { $0.memory = .mebibytes(49) }.run().outcome
        #expect(lives("helper_uses_per_day") == 1 && lives("process_down_s_per_day") == 0)
        let (dies, rows) = try day(.tunnel) { $0.memory = .mebibytes(51) }.run(tables: [.events])
        let starts = rows.events.filter { $0.event == .helperUsed }.map { ($0.time - SimTime.zero).seconds }
        #expect(Array(starts.prefix(8)) == [0, 1, 5, 21, 85, 341, 1365, 4965])
        #expect(dies("process_failures_per_day") == Double(starts.count))
        #expect(abs(dies("process_down_s_per_day") - starts[starts.count - 1]) < 1e-6)
    }

    /// The tunnel dies of its limit whenever it starts: it is down all day but from 2,000 s to 2,600 s, and at the end.
    @Test func `the time for which the phone is off is no down time of a tunnel`() throws {
        let day = try day(.tunnel, ["0,network,,wifi", "2000,restart,,600"]) { $0.memory = .mebibytes(51) }
        let (outcome, rows) = try day.run(tables: [.events])
        let starts = rows.events.filter { $0.event == .helperUsed }.map(\.time.seconds)
        #expect(Array(starts.prefix(9)) == [0, 1, 5, 21, 85, 341, 1365, 2600, 6200])
        // The last of the starts, which are an hour apart, is at 2,600 s + 23 h.
        #expect(starts.last == 85_400)
        #expect(abs(outcome("process_down_s_per_day") - 84_800) < 1e-6)
    }

    /// The limit of a tunnel is 50 MB.
    ///
    /// The app is removed at 50 s and visited again at 100 s.
    @Test(arguments: [49.0, 51])
    func `a tunnel ends with the removal of its app, and starts with the next visit`(memory: Double) throws {
        let day = try day(.tunnel) { $0.memory = .mebibytes(memory) }
        let timer = Slots.app(Self.beside, .helper)
        var phone = Phone(try day.specification(tables: []), sink: nil)
        phone.start()
        phone.run(until: .seconds(50))
        // The one that dies of its limit would start again at 85 s.
        let (wasAlive, due) = (phone.core.processes.isAlive(Self.beside), phone.core.engine.time(of: timer))
        #expect(wasAlive == (memory < 50) && due == (memory < 50 ? nil : SimTime.seconds(85)))
        phone.behaviours.helpers.removed(Self.app, &phone.core)
        let (isAlive, later) = (phone.core.processes.isAlive(Self.beside), phone.core.engine.time(of: timer))
        #expect(!isAlive && later == nil)
        phone.run(until: .seconds(102))
        let (lives, next) = (phone.core.processes.isAlive(Self.beside), phone.core.engine.time(of: timer))
        #expect(lives == (memory < 50) && (next == nil) == (memory < 50))
    }

    @Test func `a service that is bound lives with the visit and for its time afterwards`() throws {
        var day = try day(.service, system: "android-15") {
            ($0.memory, $0.stays) = (.mebibytes(300), .minutes(5))
        }
        day.apps[0].finishesTask = false
        let active = try #require(try day.run().rows.events.first { $0.event == .becomeActive }).time
        func band(at seconds: Double) throws -> Int? {
            var phone = Phone(try day.specification(tables: []), sink: nil)
            phone.start()
            phone.run(until: active + .seconds(seconds))
            let table = phone.core.processes
            return table.isAlive(Self.beside) ? Int(table.band(of: Self.beside)) : nil
        }
        let onScreen = Int(day.device.os.foregroundBand)
        #expect(try band(at: -0.1) == nil && band(at: 1) == onScreen && band(at: 599) == onScreen)
        #expect(try band(at: 660) == Int(day.device.os.idleBand) && band(at: 890) == Int(day.device.os.idleBand))
        #expect(try band(at: 960) == nil)
    }

    @Test(arguments: [false, true])
    func `an app ends with the process that it reads from`(endsApp: Bool) throws {
        let (outcome, rows) = try day(.service, system: "android-15") {
            ($0.memory, $0.limit, $0.endsApp) = (.mebibytes(50), .mebibytes(40), endsApp)
        }.run(tables: [.events])
        let exits = rows.events.filter { $0.event == .exit && $0.app == AppID(0) && $0.exit == .abnormal }
        #expect(exits.isEmpty == !endsApp)
        #expect(outcome("process_failures_per_day") >= 1)
    }

    private static let two = ["100,unlock,,", "100,open,app-0,60", "200,open,app-1,600", "3000,lock,,"]

    @Test(arguments: [(16, 16, 0), (16, 17, 1), (40, 0, 8), (20, 20, 8)])
    func `all apps together have 32 children, and the oldest of the app behind die first`(
        first: Int, second: Int, deaths: Int
    ) throws {
        var day = try day(.children, system: "android-15", Self.two) {
            ($0.memory, $0.count) = (.mebibytes(1), first)
        }
        day.apps[0].finishesTask = false
        if second > 0 {
            day.apps[1].traits.processes = day.apps[0].traits.processes
            day.apps[1].traits.processes[0].figures.count = second
        }
        let (outcome, rows) = try day.run(tables: [.events])
        let kills = rows.events.filter { $0.reason != nil }
        #expect(kills.count == deaths && outcome("process_failures_per_day") == Double(deaths))
        // All of them are of the first app: those with the lowest numbers, which were started first.
        #expect(kills.map(\.app.index) == (0..<deaths).map { Int32(3 + $0) })
        #expect(kills.allSatisfy { $0.reason == .jettisoned })
        day.device.helpers.childLimit = 0
        #expect(try day.run().outcome("process_failures_per_day") == 0)
    }

    @Test func `children end with the process of their app`() throws {
        var day = try day(
            .children, system: "android-15", ["100,unlock,,", "100,open,app-0,60", "300,force_quit,app-0,"]
        ) {
            ($0.memory, $0.count) = (.mebibytes(1), 3)
        }
        day.apps[0].finishesTask = false
        func alive(at seconds: Double) throws -> Int {
            var phone = Phone(try day.specification(tables: []), sink: nil)
            phone.start()
            phone.run(until: .zero + .seconds(seconds))
            return (3..<6).count { phone.core.processes.isAlive(AppID($0)) }
        }
        #expect(try alive(at: 150) == 3 && alive(at: 290) == 3 && alive(at: 310) == 0)
    }

    @Test func `names of processes begin with their app, and an app with none adds nothing`() throws {
        let one = try day(.children, system: "android-15") { $0.count = 2 }
        #expect(
            one.device.processes(beside: one.apps).suffix(2).map(\.name) == ["app-0:children-1", "app-0:children-2"])
        let tunnel = try day(.tunnel) { _ in }
        #expect(tunnel.device.processes(beside: tunnel.apps).suffix(1).map(\.name) == ["app-0:tunnel"])
        let plain = ScriptedDay.plain()
        #expect(plain.device.processes(beside: plain.apps).isEmpty)
    }
}
