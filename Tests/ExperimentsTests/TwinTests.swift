// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Importers
import PhoneCore
import Power
import Quantities
import Scenario
import TestSupport
import Testing
import Vocabulary
import Workload

@testable import Experiments

/// A twin: what it takes from a recording, what it finds, and what it says of what it did not see.
@Suite struct TwinTests {
    /// Two days of a phone: six sessions a day of one app, on a charger from 22:00 to 6:00.
    private static func recording() -> WorkloadFile {
        var file = WorkloadFile()
        file.start = "2026-09-14"
        file.covered = .zero..<(.zero + .days(2))
        file.apps = ["com.example.chat"]
        func time(_ day: Int, _ hour: Double) -> SimTime { .zero + .days(Double(day)) + .hours(hour) }
        for day in 0..<2 {
            var event = WorkloadEvent(.unplug, at: time(day, 6))
            event.level = 1
            file.events.append(event)
            for hour in stride(from: 8.0, through: 18, by: 2) {
                file.events.append(WorkloadEvent(.unlock, at: time(day, hour)))
                file.events.append(WorkloadEvent(.open, at: time(day, hour) + .seconds(2), app: 0))
                file.events.append(WorkloadEvent(.lock, at: time(day, hour) + .minutes(20)))
            }
            file.events.append(WorkloadEvent(.plug, at: time(day, 22)))
        }
        file.finish()
        return file
    }

    private static func experiment(_ folder: TemporaryFolder) throws -> Experiment {
        try folder.write("trace.csv", String(decoding: recording().encoded(), as: UTF8.self))
        let text = """
            schema: 1
            name: twin
            seed: 1
            start: 2026-09-14 00:00
            duration: 2 d
            warmup: 0 s
            replications: 2
            device: {base: pixel-7, charging: {mode: plain}}
            apps: {catalog: everyday, count: 1, apps: {com.example.chat: {category: messaging}}}
            user: {trace: trace.csv, persona: average}
            policies: {eviction: system, scheduling: system}
            """
        try folder.write("twin.yaml", text)
        return try loadExperiment(path: folder.path + "/twin.yaml")
    }

    @Test func `a window begins in the state and at the level that were recorded`() throws {
        var file = Self.recording()
        file.response.levels = [
            RecordedResponse.Level(time: .zero + .hours(6), level: 1),
            RecordedResponse.Level(time: .zero + .hours(46), level: 0.5),
        ]
        let window = TwinWindow((.zero + .hours(32.1))..<(.zero + .hours(40)), of: file)
        #expect(window.shift == 1 && window.hours == 33..<40)
        // 26.1 of the 40 hours from one level to the other.
        #expect(abs(window.initialLevel - (1 - 0.5 * 26.1 / 40)) < 1e-9)
        // The session of 8:00 goes on, and its app is on screen.
        let first = window.file.events.filter { $0.kind == .unlock || $0.kind == .open }.prefix(2)
        #expect(first.map(\.kind) == [.unlock, .open])
        #expect(first.allSatisfy { $0.time == .zero + .hours(8.1) })
        #expect(window.file.start == "2026-09-15")
        #expect(window.file.events.last?.time == .zero + .hours(14) + .minutes(20))
    }

    /// The fit multiplies periods by up to 50, and the model file of the twin holds at most 104 days.
    @Test func `a stated period of ten years counts as 100 days`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "jobs.txt", "JOB #u0a231/1: 3f com.example.mail/.Sync\n  PERIODIC: interval=+3650d flex=+5m\n")
        let phone = try readPhone(paths: [folder.path + "/jobs.txt"], RecordingOptions())
        var model = try TwinModel(phone, library: .located())
        model.useJobs(in: model.covered)
        #expect(model.apps.map(\.name) == ["com.example.mail"] && model.apps.first?.period == .days(100))
    }

    @Test func `a window without charges and sessions says that there were none`() throws {
        var file = Self.recording()
        file.response.levels = [RecordedResponse.Level(time: .zero, level: 1)]
        let window = TwinWindow((.zero + .hours(7))..<(.zero + .hours(7.5)), of: file)
        #expect(window.file.events.map(\.kind) == [.unlock, .lock, .unplug])
        #expect(window.file.events.allSatisfy { $0.time <= .zero + .seconds(1) })
    }

    @Test func `hours on screen are those of each app, with the phone off the charger`() throws {
        let screen = ScreenTimes(Self.recording())
        let lit = screen.lit((.zero + .hours(8))..<(.zero + .hours(10.25)))
        // Two seconds of the lock screen before the app, twice.
        let chat = lit.filter { $0.0 == 0 }.reduce(0) { $0 + $1.1 }
        #expect(abs(chat - (1200 - 2 + 900 - 2) / 3600.0) < 1e-9)
        #expect(abs(lit.reduce(0) { $0 + $1.1 } - 2100 / 3600.0) < 1e-9)
        #expect(screen.isPlugged((.zero + .hours(23))..<(.zero + .hours(24))))
        #expect(!screen.isPlugged((.zero + .hours(7))..<(.zero + .hours(21))))
    }

    @Test func `powers are those by which the whole comes out`() {
        // A battery of 10 Wh: 0.1 W dark, 1.5 W with one app and 3 W with the other.
        func pair(dark: Double, _ one: Double, _ other: Double) -> TwinFit.Pair {
            TwinFit.Pair(lost: (0.1 * dark + 1.5 * one + 3 * other) / 10, off: dark, on: [(0, one), (1, other)])
        }
        let pairs = [
            pair(dark: 2, 0, 0), pair(dark: 1, 0, 0), pair(dark: 0.1, 0.5, 0), pair(dark: 0.1, 0, 0.5),
            pair(dark: 0.2, 0.3, 0.1), pair(dark: 0, 0.1, 0.6),
        ]
        let found = TwinFit.powers(pairs, energy: 10, before: TwinFit.Powers(on: 1, off: 0.1))
        #expect(abs(found.off - 0.1) < 0.001)
        let lit = pairs.reduce(0) { $0 + $1.lit }
        let energy = pairs.reduce(0) { $0 + $1.lost * 10 - $1.off * found.off }
        #expect(abs(found.on - energy / lit) < 1e-9)
        #expect((found.apps[0] ?? 0) < 1.9 && (found.apps[0] ?? 0) > 1.4)
        #expect((found.apps[1] ?? 0) > 2.6 && (found.apps[1] ?? 0) < 3.1)
    }

    /// A phone whose powers are known records itself; a twin that begins from others finds them.
    @Test func `a fit finds the powers of a simulated phone`() throws {
        let folder = try TemporaryFolder()
        let experiment = try Self.experiment(folder)
        var recording = Self.recording()
        let whole = TwinWindow(.zero..<(.zero + .days(2)), of: recording)
        var phone = TwinRunner(experiment: experiment, chargerWatts: 10)
        phone.adjust = { run in
            run.device.power.platform.suspendPower = .milliwatts(120)
            run.apps[0].followsActivityLoad = false
            run.apps[0].foregroundLoad = 1.2
        }
        recording.response = try phone.runs(of: whole, count: 1)[0].response
        let energy = 4.356 * 3.85
        let fit = TwinFit(
            window: TwinWindow((.zero + .hours(7))..<(.zero + .hours(47)), of: recording), recording: recording,
            energy: energy, runner: TwinRunner(experiment: experiment, chargerWatts: nil))
        let found = try #require(try fit.find())
        #expect(abs(found.suspendPower.watts - 0.120) < 0.025, "\(found)")
        let load = try #require(found.loads["com.example.chat"])
        #expect(load > 0.6 && load < 1.8, "\(found)")
        let watts = try #require(found.chargerWatts)
        #expect(abs(watts - 10) < 1.5, "\(found)")
        // What it is for: the phone loses what it lost.
        var twin = TwinRunner(experiment: experiment, chargerWatts: found.chargerWatts)
        twin.adjust = TwinFit.adjustment(found)
        let day = TwinWindow((.zero + .hours(7))..<(.zero + .hours(21)), of: recording)
        let runs = try twin.runs(of: day, count: 2)
        for hour in [12.0, 16, 20] {
            let time = SimTime.zero + .hours(hour)
            let (recorded, simulated) = (recording.response.level(at: time), runs[0].level(at: time))
            #expect(abs((recorded ?? 0) - (simulated ?? 1)) < 0.025, "\(hour): \(recorded ?? -1) \(simulated ?? -1)")
        }
        #expect(found.calm == 1 && found.brightness == experiment.points[0].device.habits.brightness)
    }

    @Test func `what was off where it was fitted widens what is said elsewhere`() throws {
        let folder = try TemporaryFolder()
        let experiment = try Self.experiment(folder)
        var recording = Self.recording()
        let span = (SimTime.zero + .hours(7))..<(.zero + .hours(21))
        let runner = TwinRunner(experiment: experiment, chargerWatts: 10)
        let runs = try runner.runs(of: TwinWindow(.zero..<(.zero + .days(2)), of: recording), count: 2)
        recording.response = runs[0].response
        let window = TwinWindow(span, of: recording)
        let right = TwinErrors(window, runs, recording)
        // The same phone, which loses half as much again from noon on.
        for index in recording.response.levels.indices where recording.response.levels[index].time > .zero + .hours(12)
        {
            recording.response.levels[index].level -= 0.1
        }
        let wrong = TwinErrors(window, runs, recording)
        #expect(right.down.variance(of: 0.1) < wrong.down.variance(of: 0.1))
        #expect(right.down.variance(of: 0.2) > 2 * right.down.variance(of: 0.1))
        #expect(right.reach > 1.96 && right.reach < 2.8)
    }

    @Test(arguments: [
        ("memory=8GiB", ["device.memory.ram=8GiB", "device.start_state=null"]),
        ("policy=lru", ["policies.eviction=lru"]), ("policy=immediate", ["policies.scheduling=immediate"]),
        ("battery=5000 mAh", ["device.battery.capacity=5000 mAh"]),
        ("device.habits.brightness=20 %", ["device.habits.brightness=20 %"]),
        ("without com.example.chat", []), ("app.com.example.chat.footprint=-30%", []),
    ]) func `a change is read`(text: String, overrides: [String]) throws {
        #expect(try change(text).overrides == overrides)
    }

    @Test(arguments: [
        ("memory=3GiB,4GiB, 8GiB", ["memory=3GiB", "memory=4GiB", "memory=8GiB"]),
        ("policy=lru,jetsam[a=1,b=2]", ["policy=lru", "policy=jetsam[a=1,b=2]"]),
        ("without com.example.chat", ["without com.example.chat"]),
        (
            "app.com.example.chat.footprint=-30%,+30%",
            [
                "app.com.example.chat.footprint=-30%", "app.com.example.chat.footprint=+30%",
            ]
        ),
        ("device.cells={a: 1, b: 2}", ["device.cells={a: 1, b: 2}"]),
    ]) func `levels of a change are changes of their own`(text: String, levels: [String]) throws {
        #expect(try changes(text).map(\.text) == levels)
    }

    @Test(arguments: [
        ("memory=3GiB,", "has an empty value"), ("memory=3GiB,3GiB", "has the value 3GiB twice"),
        ("policy=lru,fifo", "unknown policy \"fifo\""),
    ]) func `levels that cannot be are refused`(text: String, words: String) throws {
        #expect { try changes(text) } throws: { "\($0)".contains(words) }
    }

    private func changes(_ text: String) throws -> [TwinChange] {
        try TwinChange.levels(text, apps: ["com.example.chat"], evictions: ["jetsam", "lru"], schedulings: [])
    }

    @Test(arguments: [
        ("memory", "has no ="), ("policy=lruu", "unknown policy \"lruu\""),
        ("without com.example.chats", "unknown app"),
        ("app.com.example.chat.colour=3", "must end in one of footprint, load, refresh, launch"),
        ("app.com.example.chat.footprint=-100%", "must change by more than -100 %"),
        ("app.com.example.chat.load=17", "must be a load from 0 to 16"),
        ("app.com.example.chat.footprint=big", ""), ("speed=3", "is not a known change"),
        ("app.com.example.chat.footprint=1e30 GiB", "must be a size from 0 to 1000 GB"),
        ("app.com.example.chat.footprint=-1 GiB", "must be a size from 0 to 1000 GB"),
        ("app.com.example.chat.refresh=1e30 d", "must be a time from 0 to 365 d"),
        ("app.com.example.chat.launch=-1 s", "must be a time from 0 to 365 d"),
    ]) func `a change that cannot be read is refused`(text: String, words: String) throws {
        #expect { try change(text) } throws: { "\($0)".contains("--what-if \(text)") && "\($0)".contains(words) }
    }

    private func change(_ text: String) throws -> TwinChange {
        try TwinChange(text, apps: ["com.example.chat"], evictions: ["jetsam", "lru"], schedulings: ["immediate"])
    }

    @Test func `a changed app changes, one that is gone does nothing and is not opened`() throws {
        let folder = try TemporaryFolder()
        var run = try Self.experiment(folder).specification(point: 0, policy: 0, replication: 0)
        let before = run.apps[0]
        try change("app.com.example.chat.footprint=-30%").apply(to: &run)
        #expect(abs(run.apps[0].foregroundFootprint.mebibytes / before.foregroundFootprint.mebibytes - 0.7) < 1e-6)
        #expect(abs(run.apps[0].backgroundFootprint.mebibytes / before.backgroundFootprint.mebibytes - 0.7) < 1e-6)
        try change("app.com.example.chat.refresh=2 h").apply(to: &run)
        #expect(run.apps[0].refreshPeriod == .hours(2))
        try change("without com.example.chat").apply(to: &run)
        #expect(run.apps[0].refreshPeriod == .zero && run.apps[0].pushesPerDay == 0 && run.apps[0].name == before.name)
        var file = Self.recording()
        try change("without com.example.chat").apply(to: &file)
        #expect(!file.events.contains { $0.kind == .open })
        #expect(file.events.count { $0.kind == .home } == 12)
    }

    @Test(arguments: [
        ("com.whatsapp", "messaging"), ("com.google.android.gm", "mail"), ("com.example.camera2", "camera"),
        ("org.mozilla.firefox", "browser"), ("com.example.thing", "utility"),
    ]) func `an app is of the kind that its name says`(name: String, category: String) {
        #expect(TwinCategory.of(name) == category)
    }

    @Test func `bands of both systems mean the same`() {
        #expect(
            [0, 100, 200, 700, 905].map { TwinBand(adjustment: $0) } == [
                .onScreen, .perceived, .perceived, .background, .cached,
            ])
        #expect([100, 80, 40, 0].map { TwinBand(band: $0) } == [.onScreen, .perceived, .background, .cached])
        #expect(TwinBand.isForMemory("lmkd: low watermark") && TwinBand.isForMemory("empty #17"))
        #expect(!TwinBand.isForMemory("stop com.example.chat due to from pid 9123"))
    }
}
