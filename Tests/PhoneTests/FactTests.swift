// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Processes
import Quantities
import Testing
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// Facts of `docs/reference/systems.md` that take a whole phone to show, each by its number.
@Suite struct FactTests {
    @Test func `F19: SDKs of 100, 50, 200 and 150 ms add half a second to cold and warm launches, none to a resume`()
        throws
    {
        func delays(_ sdk: SimDuration) throws -> [LaunchKind: Double] {
            let rows = [
                "100,unlock,,", "100,open,app-0,60", "200,open,app-0,60", "300,force_quit,app-0,",
                "310,open,app-0,60", "400,lock,,",
            ]
            let events = try ScriptedDay.plain(rows) { $0.sdkLaunchTime = sdk }.run(tables: [.events]).rows.events
            let launches = events.filter { $0.event == .launch }
            #expect(launches.map(\.launchKind) == [.cold, .resume, .warm])
            return Dictionary(uniqueKeysWithValues: launches.map { ($0.launchKind ?? .cold, $0.delaySeconds) })
        }
        let parts = [0.1, 0.05, 0.2, 0.15].map { SimDuration.seconds($0) }
        let (bare, with) = (try delays(.zero), try delays(parts.reduce(.zero, +)))
        for (kind, added) in [LaunchKind.cold: 0.5, .warm: 0.5, .resume: 0] {
            #expect(abs((with[kind] ?? 0) - (bare[kind] ?? 0) - added) < 1e-9, "\(kind)")
        }
    }

    @Test func `F20: work in didFinishLaunching delays the app, and ends it after twenty seconds`() throws {
        func run(_ work: SimDuration) throws -> (exits: [EventRow], launches: [EventRow]) {
            let rows = try ScriptedDay.plain { $0.sdkLaunchTime = work }.run(tables: [.events]).rows.events
            return (rows.filter { $0.event == .exit }, rows.filter { $0.event == .launch })
        }
        let (none, slow, hung) = (try run(.zero), try run(.seconds(15)), try run(.seconds(25)))
        #expect(none.exits.isEmpty && slow.exits.isEmpty)
        #expect(abs(slow.launches[0].delaySeconds - none.launches[0].delaySeconds - 15) < 1e-9)
        // The user opens it three times more, because it has died before their eyes.
        #expect(hung.exits.map(\.exit) == Array(repeating: .watchdog, count: 4))
        #expect(hung.exits.map(\.time) == [120, 140, 160, 180].map { .zero + .seconds($0) })
        #expect(hung.launches.map(\.openedBy) == [.icon, .restart, .restart, .restart])
    }

    /// Refreshes of an app that asks for one every so often.
    private func refreshes(
        every period: SimDuration, _ scheduling: String, _ rows: [String]
    ) throws -> [RequestRow] {
        var day = ScriptedDay.plain(rows) {
            $0.refreshPeriod = period
            $0.refreshProcessorTime = .milliseconds(100)
        }
        day.scheduling = scheduling
        return try day.run(tables: [.requests]).rows.requests.filter {
            $0.work == .refresh && $0.started != .distantFuture
        }
    }

    @Test func `F30: an app that requests a refresh every minute gets one if nothing holds it back`() throws {
        let rows = ["0,network,,wifi", "0,plug,,10", "100,unlock,,", "100,open,app-0,60", "170,lock,,"]
        for minutes in [1.0, 15, 60] {
            let found = try refreshes(every: .minutes(minutes), "immediate", rows)
            // Each asks for the next at its start, and the app once more when it is left.
            let gaps = zip(found.dropFirst(2), found.dropFirst()).map { ($0.started - $1.started).seconds }
            #expect(found.count >= 20)
            #expect(gaps.allSatisfy { abs($0 - 60 * minutes) < 5 }, "\(gaps.prefix(5))")
        }
    }

    @Test func `F33: a refresh starts beside a user and over the mobile network, but not with six checks`() throws {
        let inUse = ["100,unlock,,", "100,open,app-0,60", "200,open,app-1,80000", "80300,lock,,"]
        let away = ["100,unlock,,", "100,open,app-0,60", "200,lock,,"]
        func count(_ scheduling: String, _ network: String, _ rows: [String]) throws -> Int {
            try refreshes(every: .hours(1), scheduling, ["0,network,,\(network)", "0,plug,,10"] + rows)
                .count { $0.started < .zero + .seconds(80000) && $0.outcome == "success" }
        }
        #expect(try count("immediate", "cellular", inUse) >= 20)
        #expect(try count("six-checks", "wifi", away) >= 5)
        for (network, rows) in [("cellular", away), ("wifi", inUse), ("cellular", inUse)] {
            #expect(try count("six-checks", network, rows) == 0, "\(network)")
        }
    }

    @Test func `F36: only what is declared and registered in time is asked for, and runs`() throws {
        let rows = ["0,network,,wifi", "0,plug,,10", "100,unlock,,", "100,open,app-0,60", "200,lock,,"]
        func run(_ change: (inout AppDeclarations) -> Void) throws -> (ran: Int, errors: Set<String>, crashes: Int) {
            var day = ScriptedDay.plain(rows) {
                $0.refreshPeriod = .hours(1)
                change(&$0.declares)
            }
            day.scheduling = "immediate"
            let found = try day.run(tables: [.requests, .events]).rows
            let refreshes = found.requests.filter { $0.work == .refresh }
            return (
                refreshes.count { $0.started != .distantFuture },
                Set(refreshes.map { $0.error }.filter { !$0.isEmpty }),
                found.events.count { $0.event == .exit && $0.exit == .abnormal }
            )
        }
        let declared = try run { _ in }
        #expect(declared.ran >= 20 && declared.errors.isEmpty && declared.crashes == 0)
        let unnamed = try run { $0.refreshIdentifier = false }
        #expect(unnamed.ran == 0 && unnamed.errors == ["notPermitted"] && unnamed.crashes == 0)
        let late = try run { $0.registersLate = true }
        #expect(late.ran == 0 && late.crashes >= 1)
    }

    @Test func `F49: an app that comes back fetches what appeared while it was away`() throws {
        let rows = [
            "0,network,,wifi", "100,unlock,,", "100,open,app-0,60", "200,open,app-1,60", "250,content,app-0,",
            "300,open,app-0,60", "400,open,app-1,60", "500,open,app-0,60", "700,lock,,",
        ]
        func ages(_ rows: [String]) throws -> [Double] {
            try ScriptedDay.plain(rows) { $0.contentPerDay = 1e-9 }.run(tables: [.events]).rows.events
                .filter { $0.event == .launch && $0.app == AppID(0) }.map(\.contentAgeSeconds)
        }
        #expect(try ages(rows) == [0, 50, 0])
        // Without a network nothing is fetched, and the user finds the same old content again.
        #expect(try ages(Array(rows.dropFirst())) == [0, 50, 250])
    }

    @Test func `F55: Android calls nothing before any kill, neither onDestroy nor a warning`() throws {
        var device = TestWorld.device(ram: .gibibytes(3))
        device.os = try #require(OSProfile.named("android-14", ram: device.memory.ram))
        device.background = BackgroundParameters(device.os.family)
        device.background.assertionLimit = device.os.assertionLength
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(
                apps: TestWorld.apps(40) { $0.foregroundFootprint = .mebibytes(400) }, device: device,
                tables: [.events, .callbacks], eviction: "lmkd"), sink: rows)
        let kills = rows.events.filter { $0.event == .exit && $0.reason != nil && $0.from == .suspended }
        #expect(kills.count > 20)
        let ends: Set<AppCallback> = [.willTerminate, .didDisconnect, .didReceiveMemoryWarning, .taskExpiration]
        for kill in kills {
            let calls = rows.callbacks.filter { $0.app == kill.app && $0.time == kill.time }
            #expect(calls.allSatisfy { !ends.contains($0.callback) }, "\(calls)")
        }
        // Whom the user swipes away is told, and nobody else.
        let told = rows.callbacks.filter { $0.callback == .willTerminate }
        #expect(
            told.allSatisfy { call in
                rows.events.contains {
                    $0.event == .exit && $0.app == call.app && $0.time == call.time && $0.reason == nil
                }
            })
    }
}
