// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import LifeCycle
import Power
import Processes
import Quantities
import Testing
import Vocabulary
import Workload

@testable import EvictionPolicies
@testable import Phone
@testable import PhoneCore

/// What a phone does otherwise under Android, by the constants of AOSP.
@Suite struct AndroidRunTests {
    private func day(
        _ system: String, _ rows: [String], _ change: (inout AppModel) -> Void = { _ in }
    ) throws -> ScriptedDay {
        var day = ScriptedDay.plain(rows, change)
        day.device.os = try #require(OSProfile.named(system, ram: day.device.memory.ram))
        day.device.background = BackgroundParameters(day.device.os.family)
        day.device.background.assertionLimit = day.device.os.assertionLength
        return day
    }

    /// Seconds from leaving the screen to suspension, by app, after visits of five seconds.
    private func waits(_ day: ScriptedDay) throws -> [Double] {
        let rows = try day.run().rows.events
        return (0..<day.apps.count).compactMap { index in
            let mine = rows.filter { $0.app == AppID(index) }
            guard let left = mine.first(where: { $0.event == .enterBackground }),
                let end = mine.first(where: { $0.event == .suspend })
            else { return nil }
            return (end.time - left.time).seconds
        }
    }

    private static let two = [
        "0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "115,open,app-1,5", "3000,lock,,",
    ]

    @Test func `work that begins as its app is left keeps none alive that stopped answering`() throws {
        // It is due after a quarter of an hour and waits for the network, which comes four seconds after it was left.
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,4", "800,network,,none", "902,open,app-0,4",
            "910,network,,wifi", "3000,lock,,",
        ]
        var day = try day("android-13", rows) { app in
            app.faults.hangsPerHour = 36_000
            app.refreshPeriod = .minutes(15)
            app.refreshKeepsPending = true
        }
        day.scheduling = "simty"
        let (_, found) = try day.run(tables: [.events, .requests])
        let exits = found.events.filter { $0.event == .exit }
        #expect(exits.map(\.exit) == [.watchdog, .watchdog] && exits.allSatisfy { $0.from == .background })
        #expect(exits.map(\.time) == [109, 911].map { .zero + .seconds($0) })
        let refresh = try #require(found.requests.first { $0.started != .distantFuture })
        #expect(refresh.started == .zero + .seconds(910) && refresh.ended <= exits[1].time, "\(refresh)")
    }

    @Test(arguments: [
        ("android-14", [25.0, 70]), ("android-16", [25, 70]), ("android-13", [615, 660]), ("ios-18", [5, 5]),
    ])
    func `F55: an app is frozen so long after it is cached, which it is when another is left`(
        system: String, seconds: [Double]
    ) throws {
        // The second is left 15 s after the first, at 120 s.
        let found = try waits(try day(system, Self.two) { $0.finishesTask = false })
        #expect(found.count == 2)
        for (found, wanted) in zip(found, seconds) { #expect(abs(found - wanted) < 1e-6, "\(found)") }
    }

    @Test func `a cached app holds no wake lock`() throws {
        var day = try day("android-15", ["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,"])
        day.apps[0].finishesTask = false
        let asleep = try day.run().outcome("energy_wh_per_day")
        day.device.os.lifeCycle.graceKeepsAwake = true
        let awake = try day.run().outcome("energy_wh_per_day")
        // Locked at 106 s, frozen at 175 s.
        let wanted = day.device.power.platform.awakePower.watts * 69 / 3600
        #expect(abs((awake - asleep) / wanted - 1) < 0.02, "\(awake - asleep) Wh, \(wanted) Wh")
    }

    @Test func `of a counted stall one process dies at an instant, and the app on screen never four times in one`() {
        var device = TestWorld.device(ram: .gibibytes(4))
        device.os = OSProfile.named("android-15", ram: .gibibytes(4)) ?? device.os
        device.background = BackgroundParameters(device.os.family)
        let apps = TestWorld.apps(60) { $0.backgroundFootprint = .mebibytes(200) }
        var specification = TestWorld.specification(apps: apps, device: device, tables: [.events])
        specification.makeEviction = { _ in
            var parameters = LowMemoryKiller.Parameters()
            parameters.followsStalls = true
            // Every launch that compresses anything stalls everybody.
            parameters.stalls.rates.compressRate = .mebibytes(20)
            return LowMemoryKiller(parameters)
        }
        let rows = RowCollector()
        var phone = Phone(specification, sink: rows)
        phone.start()
        phone.run(until: phone.core.end)
        let kills = rows.events.filter { $0.reason != nil }
        #expect(kills.count > 20)
        // With more than a tenth of the memory available one dies at an instant, and nobody whom the user sees.
        let roomy = Dictionary(grouping: kills.filter { $0.availableBeforeMiB > 400 }, by: \.time)
        #expect(!roomy.isEmpty && roomy.values.allSatisfy { $0.count == 1 && !$0[0].from.isForeground })
        let seen = Dictionary(grouping: kills.filter(\.from.isForeground), by: \.time)
        #expect(seen.values.allSatisfy { $0.count == 1 })
    }

    private func refreshes(_ day: ScriptedDay) throws -> [RequestRow] {
        var day = day
        day.scheduling = "immediate"
        return try day.run(tables: [.requests]).rows.requests.filter {
            $0.work == .refresh && $0.started != .distantFuture
        }
    }

    @Test func `periodic work comes every quarter of an hour at the most, and outlives a swipe`() throws {
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "110,lock,,", "7200,unlock,,",
            "7200,force_quit,app-0,", "7210,lock,,",
        ]
        let android = try refreshes(try day("android-15", rows) { $0.refreshPeriod = .minutes(5) })
        let gaps = zip(android.dropFirst(), android).map { ($0.submitted - $1.submitted).seconds }
        #expect(android.count > 90 && android.count < 97)
        #expect((gaps.min() ?? 0) >= 900)
        #expect(android.contains { $0.started > .seconds(80_000) })
        let ios = try refreshes(try day("ios-18", rows) { $0.refreshPeriod = .minutes(5) })
        #expect(ios.count > 12 && !ios.contains { $0.started > .seconds(7200) })
    }

    @Test func `messages of normal priority wait for the windows of Doze`() throws {
        var day = try day("android-15", ["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "3000,lock,,"]) {
            $0.traits.silentPushesPerDay = 400
        }
        day.scheduling = "jobscheduler"
        let pushes = try day.run(tables: [.requests]).rows.requests.filter {
            $0.work == .silentPush && $0.started > .seconds(3000)
        }
        let started = pushes.map(\.started).filter { $0 != .distantFuture }
        let late = started.map { ($0 - SimTime.seconds(3000)).seconds / 60 }
        // Minutes after the lock, as DozeSchedule has them where no job runs: light windows of 5 s, deep ones of 30 s.
        let light = [360, 965, 1870, 2775, 3680].map { ($0 / 60.0, ($0 + 5) / 60) }
        let deep = [124.5, 245, 485.5, 846, 1206.5].map { ($0, $0 + 0.5) }
        let windows = [(0.0, 1.0)] + light + deep
        for minute in late {
            #expect(windows.contains { $0.0 - 1e-6 <= minute && minute <= $0.1 }, "a push after \(minute) min")
        }
        #expect(late.contains { abs($0 - 124.5) < 1e-6 } && late.contains { abs($0 - 485.5) < 1e-6 })
        day.device.background.pushes.waitForWindows = false
        let free = try day.run(tables: [.requests]).rows.requests.filter { $0.work == .silentPush }
        #expect(free.count > 300 && free.allSatisfy { $0.started == $0.submitted })
    }

    @Test func `a service that moves data runs out of its time for the day`() throws {
        var day = try day("android-15", ["0,network,,wifi", "100,unlock,,", "100,open,app-0,5", "106,lock,,"]) {
            $0.traits.continuedShare = 1
            $0.traits.continuedTime = .minutes(1)
        }
        let whole = try #require(try day.run(tables: [.requests]).rows.requests.first { $0.work == .continued })
        #expect(whole.outcome == "success")
        day.device.os.serviceTime = .seconds(30)
        let cut = try #require(try day.run(tables: [.requests]).rows.requests.first { $0.work == .continued })
        #expect(cut.outcome == "expired")
        // Time on screen does not count: 4.3 s of it, in steps of a twentieth of the whole.
        let length = (whole.ended - whole.started).seconds
        #expect(abs((cut.ended - cut.started).seconds - 34.3) <= length / 20 + 1e-6)
    }

    /// The type of a service, the system, and for how many seconds it ran of about 700, or how it was refused.
    @Test(arguments: [
        (ServiceType.shortService, "android-14", 180 as Double?), (.shortService, "android-13", nil),
        (.dataSync, "android-15", nil), (.mediaProcessing, "android-15", nil), (.location, "android-15", nil),
        (.userJob, "android-14", nil), (.shortService, "ios-26", nil), (.userJob, "ios-26", nil),
    ])
    func `a short service has three minutes from its start, others have hours`(
        type: ServiceType, system: String, cut: Double?
    ) throws {
        let task = try continued(type, system, .minutes(12))
        #expect(task.outcome == (cut == nil ? "success" : "expired"))
        if let cut {
            #expect(abs((task.ended - task.started).seconds - cut) < 1e-6)
        } else {
            #expect((task.ended - task.started).seconds > 600)
        }
    }

    @Test func `Android 13 knows no jobs that the user started`() throws {
        let task = try continued(.userJob, "android-13", .minutes(1))
        #expect(task.outcome == "refused" && task.error == "unavailable")
    }

    /// Only the two types whose hours of a day are limited run out of these; a user's job has its own time.
    @Test(arguments: ServiceType.allCases) func `the hours of a day are those of two types`(type: ServiceType) throws {
        let task = try continued(type, "android-15", .minutes(2)) { os in
            os.serviceTime = .seconds(40)
            os.userJobTime = .seconds(60)
        }
        let length = (task.ended - task.started).seconds
        switch type {
        case .dataSync, .mediaProcessing:
            // Time on screen does not count, and it is looked at in steps of a twentieth of about two minutes.
            #expect(task.outcome == "expired" && length >= 40 && length < 75)
        case .userJob: #expect(task.outcome == "expired" && abs(length - 60) < 1e-6)
        default: #expect(task.outcome == "success" && length > 90)
        }
    }

    @Test func `time on screen is none of the hours of a day`() throws {
        let visit = ["100,unlock,,", "100,open,app-0,900", "1000,lock,,"]
        let task = try continued(.dataSync, "android-15", .minutes(2), visit: visit) { $0.serviceTime = .seconds(40) }
        #expect(task.outcome == "success" && (task.ended - task.started).seconds > 90)
    }

    /// The user leaves the app an hour before midnight, and the service may run for two hours.
    @Test func `the day of a service's hours begins with the visit to its app, not at midnight`() throws {
        let rows = ["0,network,,wifi", "82800,unlock,,", "82800,open,app-0,10", "82900,lock,,"]
        var day = try day("android-15", rows) {
            $0.traits.continuedShare = 1
            $0.traits.continuedTime = .hours(6)
            $0.traits.continuedType = .dataSync
        }
        day.device.os.serviceTime = .hours(2)
        let text = "# covered_s: 0 to 172800\nt_s,event,app,value\n" + rows.joined(separator: "\n") + "\n"
        let file = try WorkloadFile(bytes: Array(text.utf8), name: "rows")
        var specification = try day.specification(tables: [.requests])
        specification.duration = .days(2)
        specification.recording = try TraceRecording(file: file, apps: day.apps, chargerWatts: 10)
        let found = RowCollector()
        _ = simulate(specification, sink: found)
        let task = try #require(found.requests.first { $0.work == .continued })
        let length = (task.ended - task.started).seconds
        // Ten seconds on screen do not count, and it is looked at every ten seconds at the most.
        #expect(task.outcome == "expired" && length >= 7200 && length < 7230, "\(length)")
    }

    /// The row of work that the user begins in a visit of ten seconds.
    private func continued(
        _ type: ServiceType, _ system: String, _ time: SimDuration,
        visit: [String] = ["100,unlock,,", "100,open,app-0,10", "200,lock,,"],
        _ change: (inout OSProfile) -> Void = { _ in }
    ) throws -> RequestRow {
        var day = try day(system, visit) {
            $0.traits.continuedShare = 1
            $0.traits.continuedTime = time
            $0.traits.continuedType = type
        }
        change(&day.device.os)
        return try #require(try day.run(tables: [.requests]).rows.requests.first { $0.work == .continued })
    }

    @Test func `nobody kills the processes of the system`() throws {
        var day = try day("android-15", Self.two)
        day.device.daemons.isPopulated = true
        #expect(day.device.processes(beside: []).isEmpty)
        day.device.os = .ios18(ram: .gibibytes(4))
        #expect(day.device.processes(beside: []).count > 300)
    }
}
