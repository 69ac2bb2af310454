// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Measures
import Power
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Connections that are kept alive while nobody looks: the system's own, and those of apps.
@Suite struct ConnectionTests {
    /// Apps that do nothing by themselves, off Wi-Fi unless told otherwise.
    private func quiet(
        _ count: Int = 3, wifi: Bool = false, scheduling: String = "never", tables: TableSet = [],
        change: (inout DeviceModel, inout [AppModel]) -> Void = { _, _ in }
    ) -> RunSpecification {
        var persona = TestWorld.persona
        persona.pickups.perDay = 2
        persona.forceQuitsPerDay = 0
        persona.wifi.home = wifi ? 1 : 0
        persona.wifi.work = persona.wifi.home
        persona.wifi.transit = persona.wifi.home
        persona.wifi.other = persona.wifi.home
        var device = TestWorld.device()
        var apps = TestWorld.apps(count) {
            $0.pushesPerDay = 0
            $0.contentPerDay = 0
        }
        change(&device, &apps)
        return TestWorld.specification(
            apps: apps, persona: persona, device: device, days: 3, tables: tables, scheduling: scheduling)
    }

    @Test func `the push connection speaks after 28 silent minutes, on Wi-Fi after 15`() {
        let mobile = simulate(quiet())("heartbeats_per_day")
        // 4,320 minutes hold 154 times 28.
        #expect(abs(mobile - 154.0 / 3) < 1e-9)
        let wifi = simulate(quiet(wifi: true))("heartbeats_per_day")
        // They hold 288 times 15, the last of them at their very end.
        #expect(abs(wifi - 288.0 / 3) < 1e-9)
        let off = simulate(
            quiet { device, _ in
                device.background.connections.heartbeat = .zero
                device.background.connections.heartbeatOnWiFi = .zero
            })
        #expect(off("heartbeats_per_day") == 0)
    }

    /// The heartbeats of the first hours of a day on which nothing else happens: after 28 minutes of silence on the
    /// mobile network and 15 on Wi-Fi, counted from the last heartbeat or the last change of network.
    @Test(
        arguments: [
            (["0,network,,wifi"], [4, 4, 4]),
            (["0,network,,cellular"], [2, 2, 2]),
            // 10 minutes of silence on the mobile network; then 25, 40, 55, 70 and so on.
            (["0,network,,cellular", "600,network,,wifi"], [3, 4, 4]),
            // At 15 and 30 minutes; then 68, 96, 124, 152 and 180, which is the last instant of its hour.
            (["0,network,,wifi", "2400,network,,cellular"], [2, 2, 3]),
            // Without a network there is nothing; it comes at 90 minutes.
            (["0,network,,none", "5400,network,,wifi"], [0, 2, 4]),
        ])
    func `silence counts from the change of the network, the first time too`(rows: [String], beats: [Int]) throws {
        let hours = try ScriptedDay(rows).run(tables: [.deviceHours]).rows.hours
        #expect(hours.prefix(3).map(\.heartbeats) == beats)
    }

    @Test func `a push is traffic enough`() throws {
        let pushes = (1...86).map { (number: Int) -> String in "\(number * 1000),push,app-0," }
        var day = ScriptedDay.plain(["0,network,,cellular"] + pushes)
        day.device.background.connections.heartbeat = .minutes(28)
        #expect(try day.run().outcome("heartbeats_per_day") == 0)
        // Without those from 10,000 to 19,000 s it is silent for 11,000 s from 9,000 s on: six times 28 minutes.
        day.rows.removeAll { (10_000...19_000).contains(Int($0.prefix { $0.isNumber }) ?? 0) }
        #expect(try day.run().outcome("heartbeats_per_day") == 6)
    }

    /// 270 s make 320 heartbeats a day.
    @Test func `an app's own connection outlives its process where services do`() {
        let android = simulate(
            quiet { device, apps in
                device.background.connections.outliveApps = true
                apps[0].traits.heartbeat = .seconds(270)
            })
        let own = android("heartbeats_per_day") - simulate(quiet())("heartbeats_per_day")
        #expect(abs(own - 320) < 2)
    }

    @Test func `its heartbeats are background energy of the app, and nearly all of it tails`() throws {
        let rows = RowCollector()
        let outcome = simulate(
            quiet(tables: [.deviceHours, .appDays]) { device, apps in
                device.background.connections.outliveApps = true
                apps[0].traits.heartbeat = .seconds(270)
            }, sink: rows)
        let own = rows.days.filter { $0.app == AppID(0) }.reduce(0) { $0 + $1.backgroundJoules }
        let others = rows.days.filter { $0.app != AppID(0) }.reduce(0) { $0 + $1.backgroundJoules }
        // Order is the claim: the rest is what is shared with heartbeats, a wakeup and the tail.
        #expect(own > 10 * others)
        let index = try #require(Cause.allCases.firstIndex(of: .connection))
        let booked = rows.hours.reduce(0) { $0 + $1.causeJoules[index] }
        #expect(booked > 0 && booked < own)
        #expect(outcome("background_network_share") > 0.8)
        let components = rows.hours.reduce(0) { $0 + $1.causeJoules.reduce(0, +) }
        #expect(abs(components / 10_800 / outcome("energy_wh_per_day") - 1) < 1e-9)
    }

    @Test func `a force quit at noon ends an app's heartbeats there, and not the system's`() throws {
        var day = ScriptedDay.plain([
            "0,network,,cellular", "100,unlock,,", "100,open,app-0,60", "200,lock,,", "43200,force_quit,app-0,",
        ]) { $0.traits.heartbeat = .seconds(270) }
        day.device.background.connections.outliveApps = true
        day.device.background.connections.heartbeat = .minutes(28)
        // 160 of 270 s until noon, the first at some instant of the first 270 s; the day holds 51 times 28 minutes.
        #expect(try day.run().outcome("heartbeats_per_day") == 160 + 51)
    }

    @Test func `a suspended app speaks to its server no more: in 1,080 s it executes it does so four times`() throws {
        // From the open at 100 s to the suspension five seconds after 1,175 s; any 1,080 s hold four times 270.
        var day = ScriptedDay.plain(["0,network,,cellular", "100,unlock,,", "100,open,app-0,1075", "2000,lock,,"]) {
            $0.traits.heartbeat = .seconds(270)
        }
        day.device.background.connections.heartbeat = .minutes(28)
        #expect(try day.run().outcome("heartbeats_per_day") == 4 + 51)
    }

    @Test func `work that rides on heartbeats leaves with them`() {
        let rows = RowCollector()
        _ = simulate(
            quiet(scheduling: "etrain", tables: [.decisions]) { device, apps in
                device.background.connections.outliveApps = true
                apps[0].traits.heartbeat = .seconds(270)
            }, sink: rows)
        let boarded = rows.decisions.filter { $0.proceed && $0.rule == "heartbeat" }
        // Order is the claim: 270 s pass between two heartbeats, and work that may wait that long does.
        #expect(boarded.count > 100)
        #expect(boarded.count > rows.decisions.count { $0.proceed } / 2)
    }
}
