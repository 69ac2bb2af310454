// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import RandomStreams
import Testing
import Vocabulary

@Suite struct WaiterTests {
    let now = SimTime.zero + .hours(10)

    /// App 0 waits for the charger, 1 for Wi-Fi, 2 for both, 3 for nothing but time.
    func table() -> RequestTable {
        let changes: [ConditionChanges] = [.pluggedIn, .wifiJoined, [.pluggedIn, .wifiJoined], []]
        var table = makeTable(
            policy: Scripted { request, device in
                .wait(.custom, until: device.now + .hour, or: changes[Int(request.app.index)])
            })
        for app in 0..<4 {
            _ = table.submitRefresh(app, at: now)
            _ = table.ask(app, at: now)
        }
        return table
    }

    @Test func `a change wakes those that wait for it and nobody else`() {
        var plug = table()
        #expect(plug.popAll(.pluggedIn) == [0, 4])
        #expect(plug.popAll(.wifiJoined) == [2])
        var cool = table()
        #expect(cool.popAll([.cooled, .locked]) == [])
        var both = table()
        #expect(both.popAll([.wifiJoined, .pluggedIn]) == [0, 4, 2])
    }

    @Test func `who waits for the same change again is not woken twice by one change`() {
        var table = table()
        var seen: [Int] = []
        while let (app, kind) = table.popWaiter(.pluggedIn) {
            seen.append(Int(app.index))
            _ = table.ask(Int(app.index), kind, at: now)
        }
        #expect(seen == [0, 2])
        #expect(table.popAll(.pluggedIn) == [0, 4])
    }

    @Test func `being asked, replaced, withdrawn or started takes a request out of the waiting lists`() {
        var table = table()
        _ = table.submitRefresh(0, at: now)
        table.forceQuit(AppID(2), at: now)
        #expect(table.popAll([.wifiJoined, .pluggedIn]) == [2])
    }

    @Test func `freed places go to as many as they hold, first come first served`() {
        var table = makeTable(apps: 6, policy: Scripted.two)
        var device = DeviceConditions()
        func fill(_ table: inout RequestTable, _ device: inout DeviceConditions) -> [Int] {
            var started: [Int] = []
            while let (app, kind) = table.popWaiter(.launchEnded) {
                if table.ask(Int(app.index), kind, device, at: now).action == .start {
                    started.append(Int(app.index))
                    device.runningLaunches += 1
                }
            }
            return started
        }
        for app in 0..<6 {
            _ = table.submitRefresh(app, at: now)
            if table.ask(app, .refresh, device, at: now).action == .start { device.runningLaunches += 1 }
        }
        var order: [[Int]] = []
        for app in 0..<4 {
            table.finish(AppID(app), .refresh, .success, at: now)
            device.runningLaunches -= 1
            order.append(fill(&table, &device))
        }
        #expect(order == [[2], [3], [4], [5]])
        // Each of the four rounds asked the one that started and the one behind it, not everybody.
        #expect(table.counts[RequestReason.policy(.groupLimit).index] == 4 + 3)
    }
}
