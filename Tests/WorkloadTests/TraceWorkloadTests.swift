// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Testing
import Vocabulary
import Workload
import WorkloadFixtures

/// A recording of screen times only: every day a session at 08:00, 12:00 (locked) and 20:00, and one over midnight.
private func screenTimes(days: Int) -> WorkloadFile {
    var file = WorkloadFile()
    file.covered = .zero..<(.zero + .days(Double(days)))
    for day in 0..<days {
        let midnight = SimTime.zero + .days(Double(day))
        for (hour, minutes, locked) in [(8.0, 10.0, false), (12, 1, true), (20, 30, false), (23.9, 20, false)] {
            var unlock = WorkloadEvent(.unlock, at: midnight + .hours(hour))
            unlock.isLocked = locked
            file.events.append(unlock)
            file.events.append(WorkloadEvent(.lock, at: midnight + .hours(hour) + .minutes(minutes)))
        }
    }
    file.finish()
    return file
}

private func replay(
    _ file: WorkloadFile, apps: [AppModel] = someApps(60), filledBy persona: Persona? = nil, days: Int,
    repeats: Bool = false
) throws -> (days: [[Intent]], workload: TraceWorkload) {
    let recording = try TraceRecording(file: file, apps: apps, chargerWatts: 18)
    var workload = try TraceWorkload(
        recording: recording, apps: apps, filledBy: persona, seed: 1, replication: 0, startWeekday: 0, days: days,
        repeats: repeats)
    var result: [[Intent]] = []
    var intents: [Intent] = []
    while workload.nextDay(into: &intents) { result.append(intents) }
    return (result, workload)
}

@Suite struct TraceWorkloadTests {
    @Test func `the replay of a generated workload is that workload`() throws {
        let apps = someApps(60)
        let persona = PersonaWorkload(
            persona: averagePersona(), apps: apps, seed: 4, replication: 2, startWeekday: 0, days: 6)
        let file = WorkloadFile(of: .persona(persona), apps: apps, days: 6)
        let again = try WorkloadFile(bytes: file.encoded(), name: "w.csv")
        let original = allDays(averagePersona(), apps: apps, seed: 4, replication: 2, days: 6)
        let copy = try replay(again, apps: apps, days: 6)
        let isSame = copy.days == original.days
        #expect(isSame)
        #expect(copy.workload.fingerprint == original.fingerprint)
        #expect(copy.workload.filled.isEmpty)
        #expect(copy.workload.missing == ["pushes", "content"])
    }

    @Test func `recorded pushes and content are those that a run draws`() throws {
        var apps = someApps(5)
        for index in apps.indices { apps[index].traits.silentPushesPerDay = 10 }
        let persona = averagePersona()
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .days(3))
        file.addArrivals(to: apps, persona: persona, startWeekday: 0, seed: 4, replication: 1)
        let replayed = try replay(file, apps: apps, days: 3)
        let source = WorkloadSource.trace(replayed.workload)
        #expect(source.holdsPushes && source.arrivals(.alert) == nil)
        var recordedContent = try #require(source.arrivals(.content))
        var recordedSilent = try #require(source.arrivals(.silentPush))
        let profile = ArrivalProfile(persona: persona, startWeekday: 0)
        for (index, app) in apps.enumerated() {
            let intents = replayed.days.joined().filter { $0.app == AppID(index) }
            var content = ContentStream(app: app, profile: profile, seed: 4, replication: 1)
            var silent = PushStream(silentTo: app, profile: profile, seed: 4, replication: 1)
            for (count, next, drawn) in [
                (60, { recordedContent.next(index) }, { content.next() }),
                (10, { recordedSilent.next(index) }, { silent.next() }),
            ] {
                // 24 and 5 a day for three days, and none beyond the recording.
                for _ in 0..<count where drawn() != next() { Issue.record("\(count) of \(app.name)") }
            }
            var pushes = PushStream(app: app, persona: persona, profile: profile, seed: 4, replication: 1)
            for intent in intents where intent.kind == .push {
                let time = pushes.next()
                #expect(intent.time == time)
            }
            #expect(!intents.isEmpty)
        }
    }

    @Test func `arrivals begin again with the first whole day`() throws {
        let text = """
            # covered_s: 43200 to 259200
            t_s,event,app,value
            50000,content,app-0,
            100000,content,app-0,
            100000,silent_push,app-1,
            200000,content,app-0,
            260000,content,app-0,

            """
        let file = try WorkloadFile(bytes: Array(text.utf8), name: "w.csv")
        let replayed = try replay(file, apps: someApps(2), days: 5, repeats: true)
        let source = WorkloadSource.trace(replayed.workload)
        var content = try #require(source.arrivals(.content))
        let seconds = (0..<5).map { _ in content.next(0).seconds }
        #expect(seconds == [50000, 100000, 200000, 272_800, 372_800])
        #expect(content.next(1) == .distantFuture)
        var silent = try #require(source.arrivals(.silentPush))
        #expect((0..<2).map { _ in silent.next(1).seconds } == [100000, 272_800])
    }

    @Test func `a persona fills recorded sessions with apps and adds what else is missing`() throws {
        let filled = try replay(screenTimes(days: 4), filledBy: averagePersona(), days: 4)
        #expect(
            Set(filled.workload.filled)
                == ["apps", "interruptions", "force-quits", "charging", "network", "pushes", "content"])
        #expect(filled.workload.missing.isEmpty)
        let all = filled.days.flatMap { $0 }
        #expect(all.count { $0.kind == .unlock } == 16)
        #expect(all.count { $0.kind == .lock } == 15)
        #expect(all.contains { $0.kind == .network } && all.contains { $0.kind == .plug })
        for (session, lock) in zip(all.filter { $0.kind == .unlock }, all.filter { $0.kind == .lock }) {
            let opens = all.filter { $0.kind == .open && $0.time >= session.time && $0.time < lock.time }
            let isLocked = session.time.hourOfDay == 12
            #expect(opens.isEmpty == isLocked)
            if !isLocked {
                #expect(abs(opens.reduce(0) { $0 + $1.value } - (lock.time - session.time).seconds) < 0.01)
            }
        }
    }

    @Test func `filling does not touch what was recorded`() throws {
        let bare = try replay(screenTimes(days: 3), days: 3)
        let filled = try replay(screenTimes(days: 3), filledBy: averagePersona(), days: 3)
        for (left, right) in zip(bare.days, filled.days) {
            #expect(left == right.filter { $0.kind == .unlock || $0.kind == .lock })
        }
        #expect(bare.workload.missing.contains("apps"))
    }

    @Test func `a longer run is an error, or begins again`() throws {
        let file = screenTimes(days: 2)
        let error = #expect(throws: Diagnostics.self) { try replay(file, days: 3) }
        #expect(error?.list.first?.message == "the run lasts 3 days, but the recording only 2")
        let long = try replay(file, days: 6, repeats: true).days
        #expect(long.count == 6)
        for day in [2, 4] {
            // The session that was on at midnight ends there; the rest is the first day again.
            #expect(long[day].first == Intent(.lock, at: .zero + .days(Double(day))))
            #expect(long[day].dropFirst().map(\.time.hourOfDay) == long[0].map(\.time.hourOfDay))
        }
    }

    @Test func `a charger that was there at the seam is there`() throws {
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .days(2))
        file.events = [
            WorkloadEvent(.unplug, at: .zero + .hours(7)), WorkloadEvent(.plug, at: .zero + .hours(31)),
            WorkloadEvent(.unplug, at: .zero + .hours(32)),
        ]
        let days = try replay(file, days: 3, repeats: true).days
        #expect(days[0].map(\.kind) == [.plug, .unplug])
        #expect(days[0][0].time == .zero && days[0][0].value == 18)
        #expect(days[2].map(\.kind) == [.plug, .unplug])
    }

    /// The mode is on from 7:00 of the first day to 8:00 of the second day, and from 20:00 on.
    @Test func `Low Power Mode at the seam is that of the day that follows`() throws {
        func event(_ hours: Double, _ isOn: Bool) -> WorkloadEvent {
            var event = WorkloadEvent(.lowPowerMode, at: .zero + .hours(hours))
            event.isOn = isOn
            return event
        }
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .days(2))
        file.events = [event(7, true), event(32, false), event(44, true)]
        let seam = Intent(.lowPowerMode, at: .zero + .days(2), value: 0)
        let days = try replay(file, days: 4, repeats: true).days
        #expect(days[2].first == seam && days[2].dropFirst().map(\.value) == [1])
        // At the beginning of the second day the mode is on in the recording as well.
        #expect(days[3].map(\.value) == [0, 1])
        file.events = [event(7, true), event(8, false)]
        #expect(try replay(file, days: 3, repeats: true).days[2].map(\.value) == [1, 0])
    }

    @Test func `apps are matched by name, strangers by how often they are opened`() throws {
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .day)
        file.apps = ["rare", "app-1", "often"]
        for (second, app) in [0, 1, 2, 2, 2].enumerated() {
            var open = WorkloadEvent(.open, at: .zero + .hours(Double(second + 1)), app: app)
            open.seconds = 60
            file.events.append(open)
        }
        var apps = someApps(3)
        apps[2].popularity = 5
        let recording = try TraceRecording(file: file, apps: apps, chargerWatts: 18)
        #expect(recording.assignments.map(\.name) == ["often", "rare"])
        #expect(recording.assignments.map(\.app) == [AppID(2), AppID(0)])
        #expect(throws: Diagnostics.self) {
            try TraceRecording(file: file, apps: someApps(2), chargerWatts: 18)
        }
    }

    @Test func `apps without screen rows get sessions of their own`() throws {
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .day)
        file.apps = ["app-0", "app-1"]
        for (second, app, seconds) in [(100.0, 0, 10.0), (110, 1, 5), (200, 0, 7)] {
            var open = WorkloadEvent(.open, at: .seconds(second), app: app)
            open.seconds = seconds
            file.events.append(open)
        }
        let day = try replay(file, days: 1).days[0]
        #expect(day.map(\.kind) == [.unlock, .open, .open, .lock, .unlock, .open, .lock])
        #expect(day.map(\.time.seconds) == [100, 100, 110, 115, 200, 200, 207])
        #expect(day.map(\.value) == [15, 10, 5, 0, 7, 7, 0])
    }
}
