// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Calls and alarms that interrupt the app on screen.
@Suite struct InterruptionTests {
    private static let app = AppID(0)

    /// One long visit to an app on a phone that rings often; calls are of one length.
    private func day(_ change: (inout InterruptionParameters) -> Void) -> ScriptedDay {
        var day = ScriptedDay.plain(["0,network,,wifi", "32400,unlock,,", "32400,open,app-0,36000", "72000,lock,,"])
        var calls = InterruptionParameters()
        (calls.callsPerDay, calls.alertsPerDay, calls.callSigma) = (40, 0, 0)
        (calls.answeredShare, calls.fullScreenShare) = (1, 1)
        change(&calls)
        day.device.interruptions = calls
        return day
    }

    @Test func `a call on the whole screen sends the app to the background until it is over`() throws {
        let (outcome, rows) = try day { _ in }.run(tables: [.events])
        let events = rows.events.filter { $0.app == Self.app }
        let displaced = events.filter { $0.event == .displaced }
        #expect(displaced.count > 8)
        #expect(outcome("displaced_by_calls_per_day") == Double(displaced.count))
        #expect(outcome("interruptions_per_day") == Double(displaced.count))
        for call in displaced {
            // It rang for eight seconds, in which the app was inactive.
            let rang: SimTime = call.time - SimDuration.seconds(8)
            #expect(events.contains { $0.event == .interrupted && $0.time == rang })
            #expect(events.contains { $0.event == .resignActive && $0.time == rang })
            #expect(events.contains { $0.event == .enterBackground && $0.time == call.time })
            #expect(events.contains { $0.event == .suspend && $0.time == call.time + .seconds(5) })
            // A minute later the user is back.
            let back = events.first { $0.event == .launch && $0.time > call.time }
            #expect(back?.launchKind == .resume && back?.time == call.time + .minutes(1))
        }
        #expect(outcome("resumes_per_day") == Double(displaced.count))
    }

    @Test func `a banner takes the focus while it rings, and nothing else`() throws {
        let (outcome, rows) = try day { $0.fullScreenShare = 0 }.run(tables: [.events])
        let resigned = rows.events.filter { $0.event == .resignActive }.dropLast()
        #expect(resigned.count > 8 && outcome("displaced_by_calls_per_day") == 0)
        #expect(outcome("interruptions_per_day") == Double(resigned.count))
        for row in resigned {
            let back = rows.events.first { $0.event == .becomeActive && $0.time > row.time }
            #expect(back?.time == row.time + .seconds(8))
        }
        #expect(rows.events.count { $0.event == .enterBackground } == 1)
    }

    @Test func `a call that nobody answers rings until the caller gives up`() throws {
        let rows = try day { $0.answeredShare = 0 }.run(tables: [.events]).rows.events
        let resigned = try #require(rows.first { $0.event == .resignActive })
        let back = rows.first { $0.event == .becomeActive && $0.time > resigned.time }
        #expect(back?.time == resigned.time + .seconds(25))
        #expect(!rows.contains { $0.event == .displaced })
    }

    @Test func `calls come by day at their rate, alarms at any hour`() throws {
        var counts: [(calls: Double, alerts: Double)] = []
        for replication in 0..<20 {
            var day = day { $0.callsPerDay = 10 }
            (day.rows, day.replication) = (["0,unlock,,", "0,open,app-0,86400", "1,plug,,20"], replication)
            let calls = try day.run(tables: [.events])
            #expect(calls.rows.events.allSatisfy { $0.event != .interrupted || (8..<21).contains($0.time.hour) })
            day.device.interruptions?.callsPerDay = 0
            day.device.interruptions?.alertsPerDay = 10
            counts.append((calls.outcome("interruptions_per_day"), try day.run().outcome("interruptions_per_day")))
        }
        // 200 of each; five standard deviations are 71. Two calls at once are one.
        #expect(abs(counts.reduce(0) { $0 + $1.calls } - 200) < 71)
        #expect(abs(counts.reduce(0) { $0 + $1.alerts } - 200) < 71)
    }

    @Test func `a call over the network displaces the app on screen, and never its own`() throws {
        var day = day { $0.callsPerDay = 0 }
        day.apps[1].traits.callsPerDay = 40
        day.device.background.pushes.answeredShare = 1
        let displaced = try day.run(tables: [.events]).rows.events.filter { $0.event == .displaced }
        #expect(displaced.count > 5 && Set(displaced.map(\.app)) == [Self.app])
        var own = self.day { $0.callsPerDay = 0 }
        own.apps[0].traits.callsPerDay = 40
        own.device.background.pushes.answeredShare = 1
        let outcome = try own.run(tables: [.events]).outcome
        #expect(outcome("interruptions_per_day") == 0 && outcome("displaced_by_calls_per_day") == 0)
    }

    /// Calls of ten minutes; the user ends the first one with its app five to six seconds after it took the screen.
    @Test func `a call whose app ends is over, and its user returns`() throws {
        var day = day { $0.callsPerDay = 0 }
        day.apps[1].traits.callsPerDay = 40
        day.device.background.pushes.answeredShare = 1
        day.persona.interruption = LogNormal(median: .minutes(10), sigma: 0)
        func events(of app: AppID) throws -> [EventRow] {
            try day.run(tables: [.events]).rows.events.filter { $0.app == app }
        }
        let displaced = try #require(try events(of: Self.app).first { $0.event == .displaced }).time
        let whole = try events(of: Self.app).first { $0.event == .launch && $0.time > displaced }
        #expect(whole?.time == displaced + .minutes(10))
        let cut = displaced.seconds.rounded(.up) + 5
        day.rows.insert("\(Int(cut)),force_quit,app-1,", at: day.rows.count - 1)
        let back = try events(of: Self.app).first { $0.event == .launch && $0.time > displaced }
        #expect(back?.time == .seconds(cut))
    }

    /// A call of ten minutes takes the screen; its end would be within the planned visit.
    @Test(arguments: [false, true])
    func `a call does not return to an app whose visit a lock or a swipe has ended`(isSwipe: Bool) throws {
        var day = day { $0.callLength = .minutes(10) }
        func events() throws -> [EventRow] {
            try day.run(tables: [.events]).rows.events.filter { $0.app == Self.app }
        }
        let displaced = try #require(try events().first { $0.event == .displaced }).time
        let back = try events().first { $0.launchKind != nil && $0.time > displaced }
        #expect(back?.time == displaced + .minutes(10))
        let cut = Int(displaced.seconds.rounded(.up)) + 5
        let rows = isSwipe ? ["\(cut),force_quit,app-0,"] : ["\(cut),lock,,", "\(cut + 10),unlock,,"]
        day.rows.insert(contentsOf: rows, at: day.rows.count - 1)
        let after = try events().filter { $0.time >= displaced }
        #expect(after.first?.time == displaced && !after.contains { $0.launchKind != nil })
    }

    @Test func `a telephone call costs its processor and the parts of a call`() throws {
        let energies = try [0.0, 40].map { rate in
            var day = day { $0.callsPerDay = rate }
            day.rows = ["0,network,,wifi"]
            return try day.run(tables: [.deviceHours]).outcome("energy_wh_per_day")
        }
        #expect(energies[1] > energies[0] * 1.01)
    }

    /// Music that goes on for hours in the background of a phone that rings.
    private func listening(_ change: (inout InterruptionParameters) -> Void) -> ScriptedDay {
        var day = day { calls in
            // None before the music begins.
            calls.firstHour = 12
            change(&calls)
        }
        day.rows = ["0,network,,wifi", "100,unlock,,", "40000,open,app-0,60", "40100,lock,,"]
        day.apps[0].activity = .music
        day.device.modes.musicStreamedShare = 1
        day.persona.background.audioPerDay = .hours(23.9)
        return day
    }

    @Test func `a call silences music in the background, which goes on where it stopped`() throws {
        let calls = listening { $0.callLength = .minutes(10) }
        let (outcome, rows) = try calls.run(tables: [.events, .deviceHours])
        let pauses = rows.events.filter { $0.event == .playbackPaused && $0.app == Self.app }
        #expect(pauses.count > 3 && outcome("playback_paused_per_day") == Double(pauses.count))
        // Four hours of music and 10 min 8 s for each call: it is suspended when both are over.
        let suspended = try #require(rows.events.last { $0.event == .suspend && $0.app == Self.app })
        let length = 14_400 + 608 * Double(pauses.count)
        #expect(abs(suspended.time.seconds - 40_060 - length) < 1)
        // The same music comes over the network, in a few more pieces.
        let quiet = try listening { $0.callsPerDay = 0 }.run(tables: [.deviceHours])
        let extra = outcome("wifi_bytes_per_day") - quiet.outcome("wifi_bytes_per_day")
        #expect(extra >= 0 && extra <= Double(pauses.count) * 1_920_000)
        let kept = try listening { $0.pausesPlayback = false }.run(tables: [.events])
        #expect(kept.outcome("playback_paused_per_day") == 0)
    }

    @Test func `an alarm and a call that nobody answers silence music for as long as they ring`() throws {
        for (calls, alerts, length) in [(40.0, 0.0, 25.0), (0, 40, 10)] {
            let day = listening { calling in
                (calling.callsPerDay, calling.alertsPerDay, calling.answeredShare) = (calls, alerts, 0)
            }
            let rows = try day.run(tables: [.events]).rows.events.filter { $0.app == Self.app }
            let pauses = rows.filter { $0.event == .playbackPaused }.count
            let suspended = try #require(rows.last { $0.event == .suspend })
            let music = suspended.time.seconds - 40_060
            #expect(pauses > 2 && abs(music - 14_400 - length * Double(pauses)) < 1)
        }
    }

    @Test func `navigation goes on during a call`() throws {
        var day = listening { $0.callLength = .minutes(10) }
        day.apps[0].activity = .navigation
        day.persona.background.navigationPerDay = .hours(23.9)
        let (outcome, rows) = try day.run(tables: [.events])
        #expect(outcome("playback_paused_per_day") == 0)
        let suspended = try #require(rows.events.last { $0.event == .suspend })
        #expect(abs(suspended.time.seconds - 40_060 - 14_400) < 1)
    }
}
