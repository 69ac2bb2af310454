// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// One day of a phone that follows a few lines of a script.
struct ScriptedDay {
    var rows: [String]
    var apps = TestWorld.apps(3) { app in
        app.refreshPeriod = .zero
        app.contentPerDay = 0
        app.pushesPerDay = 0
        app.footprintSigma = 0
        app.launchSigma = 0
    }
    var device = TestWorld.device()
    var scheduling = "never"
    var replication = 0
    var warmup = SimDuration.zero
    var persona = TestWorld.persona
    /// Opens the first app, and goes to the home screen after ten minutes.
    static let visit = ["0,network,,wifi", "100,unlock,,", "100,open,app-0,600", "3000,lock,,"]

    init(_ rows: [String] = visit, _ change: (inout AppModel) -> Void = { _ in }) {
        self.rows = rows
        change(&apps[0])
    }

    /// A day on which nothing is drawn: sizes, rates and lengths are the medians, and nothing keeps a connection alive.
    static func plain(_ rows: [String] = visit, _ change: (inout AppModel) -> Void = { _ in }) -> ScriptedDay {
        var day = ScriptedDay(rows, change)
        (day.device.habits.workSigma, day.device.habits.rateSigma) = (0, 0)
        day.device.background.notice = .zero
        day.device.background.shortGrantShare = 0
        day.device.background.connections.heartbeat = .zero
        day.device.background.connections.heartbeatOnWiFi = .zero
        day.device.power.radios[.wifi] = .wifi
        return day
    }

    func run(tables: TableSet = [.events, .callbacks]) throws -> (outcome: RunOutcome, rows: RowCollector) {
        let collector = RowCollector()
        return (simulate(try specification(tables: tables), sink: collector), collector)
    }

    func specification(tables: TableSet) throws -> RunSpecification {
        let text = "# covered_s: 0 to 86400\nt_s,event,app,value\n" + rows.joined(separator: "\n") + "\n"
        let file = try WorkloadFile(bytes: Array(text.utf8), name: "rows")
        var specification = TestWorld.specification(
            apps: apps, persona: persona, device: device, days: 1, warmup: warmup, replication: replication,
            tables: tables, scheduling: scheduling)
        specification.recording = try TraceRecording(file: file, apps: apps, chargerWatts: 10)
        specification.fillsRecording = false
        return specification
    }

    /// When the first app did something for the first time.
    func first(_ event: EventName) throws -> EventRow? {
        try run().rows.events.first { $0.event == event && $0.app == AppID(0) }
    }
}

@Suite struct LifeCycleRunTests {
    /// Seconds from the way to the background to the next event of this kind, one per visit.
    private func waits(_ day: ScriptedDay, for event: EventName) throws -> [Double] {
        let rows = try day.run().rows.events
        var left: [AppID: SimTime] = [:]
        var waits: [Double] = []
        for row in rows {
            if row.event == .enterBackground { left[row.app] = row.time }
            if row.event == event, let time = left.removeValue(forKey: row.app) {
                waits.append((row.time - time).seconds)
            }
        }
        return waits
    }

    @Test func `an app without an assertion is suspended five seconds after it left the screen`() throws {
        let day = ScriptedDay([
            "100,unlock,,", "100,open,app-0,60", "200,open,app-1,60", "300,open,app-2,60", "400,lock,,",
        ])
        #expect(try waits(day, for: .suspend) == [5, 5, 5])
    }

    @Test(arguments: [("ios-18", 30.0), ("ios-12", 180), ("ios-6", 600)])
    func `an assertion that nobody ends is the end of its app`(name: String, allowance: Double) throws {
        var day = ScriptedDay {
            $0.finishesTask = true
            $0.finishTime = .seconds(2)
            $0.faults.leaksTask = 1
            $0.faults.handlesExpiration = false
        }
        let os = try #require(OSProfile.named(name, ram: .gibibytes(4)))
        day.device.os = os
        day.device.background.assertionLimit = os.assertionLength
        let exit = try #require(try day.first(.exit))
        #expect(exit.exit == .taskTimeout)
        // An expiration handler has a second.
        #expect(try waits(day, for: .exit)[0] == allowance + 1)
        // A handler ends the assertion in time: nobody dies.
        day.apps[0].faults.handlesExpiration = true
        let (_, rows) = try day.run()
        #expect(rows.events.allSatisfy { $0.event != .exit })
        #expect(rows.callbacks.filter { $0.callback == .taskExpiration }.map(\.time) == [.seconds(700 + allowance)])
        #expect(try waits(day, for: .suspend)[0] == allowance)
    }

    @Test func `the limit on a launch that the user left does not end the app's return`() throws {
        let day = ScriptedDay(["100,unlock,,", "100,open,app-0,5", "108,open,app-0,600", "3000,lock,,"]) {
            $0.coldLaunchTime = .seconds(25)
        }
        let rows = try day.run().rows.events
        #expect(rows.allSatisfy { $0.event != .exit })
        // The launch was left in the background, so that coming back is a resume of 0.15 s.
        #expect(rows.first { $0.event == .becomeActive }?.time == .seconds(108.15))
    }

    @Test func `work that ends its assertion is suspended when it is done`() throws {
        let day = ScriptedDay {
            $0.finishesTask = true
            $0.finishTime = .seconds(12)
        }
        #expect(try waits(day, for: .suspend) == [12])
    }

    @Test func `48 seconds of processor time within 60 end a process, unless the monitor is off`() throws {
        func processing(load: Double, needsPower: Bool) throws -> (start: EventRow, exit: EventRow?) {
            let rows = ["0,network,,wifi", "10,plug,,10", "100,unlock,,", "100,open,app-0,60", "3000,lock,,"]
            var day = ScriptedDay(rows) {
                $0.processingPerDay = 100
                $0.processingTime = .minutes(5)
                $0.processingLoad = load
                $0.processingNeedsPower = needsPower
            }
            day.device.habits.workSigma = 0
            day.scheduling = "immediate"
            let events = try day.run().rows.events
            let start = try #require(events.first { $0.event == .launch && $0.to == .background })
            return (start, events.first { $0.event == .exit && $0.time > start.time })
        }
        let killed = try processing(load: 1, needsPower: false)
        let exit = try #require(killed.exit)
        #expect(exit.exit == .cpuLimit && exit.from == .background)
        #expect(abs((exit.time - killed.start.time).seconds - 48) < 1e-6)
        let slow = try processing(load: 0.79, needsPower: false).exit
        #expect(slow == nil, "\(slow as Any)")
        #expect(try processing(load: 1, needsPower: true).exit == nil)
    }

    @Test func `a launch of more than twenty seconds and ten seconds without an answer are too much`() throws {
        let slow = ScriptedDay { $0.coldLaunchTime = .seconds(30) }
        let launch = try #require(try slow.first(.exit))
        #expect(launch.exit == .watchdog && launch.from == .inactive && launch.time == .zero + .seconds(120))
        let hanging = ScriptedDay { $0.faults.hangsPerHour = 60 }
        let hang = try #require(try hanging.first(.exit))
        #expect(hang.exit == .watchdog && hang.from == .active)
        #expect(try ScriptedDay { $0.coldLaunchTime = .seconds(19) }.first(.exit) == nil)
    }

    @Test func `F50, F52: a relaunch finds what was saved, and work that was not saved is lost`() throws {
        let rows = [
            "100,unlock,,", "100,open,app-0,630", "1000,force_quit,app-0,", "2000,open,app-0,600", "3000,lock,,",
        ]
        let careless = try ScriptedDay(rows) {
            $0.savesOnBackground = false
            $0.savePeriod = .minutes(4)
        }.run().outcome
        // Nine minutes and a half are two saves and two and a half minutes.
        #expect(abs(careless("lost_work_s_per_day") - 150) < 1)
        let careful = try ScriptedDay(rows).run().outcome
        #expect(careful("lost_work_s_per_day") == 0)
        // A force quit takes the state of the windows along.
        #expect(careful("restored_share") == 0)
        // A crash takes what was done since the launch, or since the last of the saves, one a minute.
        let (crashed, found) = try ScriptedDay { $0.faults.crashesPerHour = 30 }.run()
        let ends = found.events.filter { $0.event == .exit }
        let seconds = zip(found.events.filter { $0.launchKind == .cold }, ends).reduce(0) { sum, life in
            sum + (life.1.time - life.0.time).seconds.truncatingRemainder(dividingBy: 60)
        }
        #expect(!ends.isEmpty && abs(crashed("lost_work_s_per_day") - seconds) < 1e-6, "\(seconds)")
        #expect(crashed("restored_share") < 1)
    }

    @Test func `a run writes the calls into an app in their order`() throws {
        let rows = [
            "100,unlock,,", "100,open,app-0,60", "120,interrupt,app-0,5", "300,open,app-0,60", "500,force_quit,app-0,",
            "600,lock,,",
        ]
        let calls = try ScriptedDay(rows).run().rows.callbacks.filter { $0.app == AppID(0) }
        #expect(
            calls.map(\.callback) == [
                .willFinishLaunching, .didFinishLaunching, .configurationForConnecting, .willConnect,
                .willEnterForeground, .didBecomeActive, .willResignActive, .didBecomeActive, .willResignActive,
                .didEnterBackground, .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
            ])
        // The force quit came after the suspension: nothing is called.
        #expect(zip(calls, calls.dropFirst()).allSatisfy { $0.time <= $1.time })
    }
}
