// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

@Suite struct GateTests {
    let now = SimTime.zero + .hours(10)

    @Test func `no policy overrides Low Power Mode`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        var device = DeviceConditions()
        device.lowPowerMode = true
        #expect(table.ask(0, .refresh, device, at: now).reason == .system(.lowPowerMode))
        #expect(table.waitsFor(AppID(0), .refresh) == .lowPowerModeEnded)
        #expect(table.ask(0, at: now).action == .start)
    }

    @Test func `no policy starts work on a critically hot phone`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        var device = DeviceConditions()
        device.thermalLevel = 3
        #expect(table.ask(0, .refresh, device, at: now).reason == .system(.heat))
        #expect(table.waitsFor(AppID(0), .refresh) == .cooled)
        device.thermalLevel = 2
        #expect(table.ask(0, .refresh, device, at: now).action == .start)
    }

    @Test func `nothing runs between a boot and the first unlock, and everything pending wakes then`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        _ = table.submitProcessing(2, at: now)
        for app in 0..<4 {
            for kind in RequestKind.allCases { _ = table.answerAfterBoot(AppID(app), kind, at: now) }
        }
        #expect(table.ask(0, at: now).reason == .system(.firstUnlock))
        _ = table.submitRefresh(1, at: now)
        #expect(table.ask(1, at: now).reason == .system(.firstUnlock))
        #expect(table.popAll(.unlocked) == [5, 0, 2])
        #expect(table.ask(0, at: now).action == .start)
    }

    @Test func `an unlock opens the gate even when nobody waits for it`() {
        var table = makeTable()
        _ = table.answerAfterBoot(AppID(0), .refresh, at: now)
        #expect(table.popAll(.unlocked) == [])
        _ = table.submitRefresh(0, at: now)
        #expect(table.ask(0, at: now).action == .start)
    }

    @Test func `stated needs come before the policy`() {
        var table = makeTable()
        _ = table.submitRefresh(0, network: true, at: now)
        #expect(table.ask(0, at: now).reason == .system(.requiresNetwork))
        _ = table.submitProcessing(1, power: true, at: now)
        #expect(table.ask(1, .processing, at: now).reason == .system(.requiresPower))
        #expect(table.popAll([.pluggedIn, .networkAppeared]) == [3, 0])
        var device = DeviceConditions()
        device.pluggedIn = true
        device.network = .cellular
        #expect(table.ask(0, .refresh, device, at: now).action == .start)
        #expect(table.ask(1, .processing, device, at: now).action == .start)
    }

    @Test func `processing never starts on a phone in use, a refresh may`() {
        var table = makeTable()
        _ = table.submitProcessing(0, at: now)
        _ = table.submitRefresh(1, at: now)
        var device = DeviceConditions()
        device.screenOn = true
        device.locked = false
        #expect(table.ask(0, .processing, device, at: now).reason == .system(.deviceInUse))
        #expect(table.waitsFor(AppID(0), .processing) == .locked)
        #expect(table.ask(1, .refresh, device, at: now).action == .start)
    }

    @Test func `the app on screen is not launched in the background`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        let answer = table.ask(0, foreground: true, at: now)
        #expect(answer.reason == .system(.foreground) && answer.wakeAt == now + .minutes(5))
    }

    @Test func `an app does one thing at a time, and the other is looked at when the first ends`() {
        var table = makeTable()
        _ = table.submitRefresh(0, at: now)
        _ = table.submitProcessing(0, at: now)
        #expect(table.ask(0, at: now).action == .start)
        #expect(table.ask(0, .processing, at: now).reason == .system(.busy))
        table.finish(AppID(0), .refresh, .success, at: now + .seconds(2))
        #expect(table.popAll(.launchEnded) == [1])
        #expect(table.ask(0, .processing, at: now + .seconds(2)).action == .start)
    }

    @Test func `work off the charger uses the day's budget up, and the day gives it back evenly`() {
        var parameters = BackgroundParameters()
        parameters.energyBudget = 10
        var table = makeTable(parameters: parameters)
        var time = now
        for step in 1...5 {
            _ = table.submitRefresh(0, at: time)
            #expect(table.ask(0, at: time).action == .start)
            table.finish(AppID(0), .refresh, .success, at: time)
            #expect(abs(table.budgetsLeft(at: time).energy - (1 - Double(step) / 10)) < 1e-9)
        }
        _ = table.submitProcessing(0, at: time)
        #expect(table.ask(0, .processing, at: time).action == .start)
        table.finish(
            AppID(0), .processing, .success, cellularBytes: .mebibytes(25), pluggedIn: true, at: time + .minutes(3))
        time += .minutes(3)
        #expect(abs(table.budgetsLeft(at: time).energy - (0.5 + 3.0 / 1440)) < 1e-9)
        #expect(abs(table.budgetsLeft(at: time).cellular - 0.75) < 1e-9)
        #expect(abs(table.budgetsLeft(at: time + .hours(6)).energy - (0.75 + 3.0 / 1440)) < 1e-9)
        #expect(table.budgetsLeft(at: time + .days(3)).energy == 1)
    }

    @Test func `every decision is counted under its reason`() {
        var table = makeTable()
        _ = table.submitRefresh(0, earliest: now + .hour, at: now)
        _ = table.ask(0, at: now)
        _ = table.ask(0, at: now + .hour)
        _ = table.ask(0, at: now + .hour)
        #expect(table.counts[RequestReason.system(.earliestBegin).index] == 1)
        #expect(table.counts[RequestReason.policy(.immediate).index] == 1)
        #expect(table.counts[RequestReason.nothingPending.index] == 1)
        #expect(RequestReason.all.map(\.index) == Array(0..<RequestReason.count))
    }
}

/// Silent pushes and the day's budgets (Apple, WWDC20 session 10063).
@Suite struct PushBudgetTests {
    let now = SimTime.zero + .hours(10)

    private struct Thrifty: SchedulingPolicy {
        var keepsBudgets: Bool { true }
        func decide(_ request: RequestView, _ device: DeviceConditions) -> SchedulingDecision { .proceed(.immediate) }
    }

    private func table(units: Double, policy: any SchedulingPolicy = Thrifty()) -> RequestTable {
        var parameters = BackgroundParameters()
        parameters.energyBudget = 10
        parameters.pushes.energyUnits = units
        parameters.cellularBudget = .mebibytes(10)
        return makeTable(policy: policy, parameters: parameters) { $0.refreshBytes = .mebibytes(4) }
    }

    private func device(_ network: Network, pluggedIn: Bool = false) -> DeviceConditions {
        var device = DeviceConditions(now: now)
        device.network = network
        device.pluggedIn = pluggedIn
        return device
    }

    /// How many pushes of one instant are let through, of twenty.
    private func passes(_ table: RequestTable, _ device: DeviceConditions) -> Int {
        var table = table
        return (0..<20).count { _ in
            table.admitPush(to: AppID(0), opens: now, device: device, at: now) == .launch
        }
    }

    @Test func `bytes over cellular count, over Wi-Fi they do not`() {
        #expect(passes(table(units: 0), device(.cellular)) == 2)
        #expect(passes(table(units: 0), device(.wifi)) == 20)
        var day = table(units: 0)
        #expect(day.admitPush(to: AppID(0), opens: now, device: device(.cellular), at: now) == .launch)
        #expect(abs(day.budgetsLeft(at: now).cellular - 0.6) < 1e-9 && day.budgetsLeft(at: now).energy == 1)
    }

    @Test func `energy counts where it is asked for, and not on the charger`() {
        #expect(passes(table(units: 2), device(.wifi)) == 5)
        #expect(passes(table(units: 2), device(.wifi, pluggedIn: true)) == 20)
    }

    @Test func `a policy that knows no budgets holds no push for them`() {
        #expect(passes(table(units: 2, policy: Scripted.always), device(.cellular)) == 20)
    }

    @Test func `work on the charger holds nothing of the day's budget while it runs`() {
        var parameters = BackgroundParameters()
        parameters.energyBudget = 10
        func left(pluggedIn: Bool) -> Double {
            var table = makeTable(parameters: parameters)
            _ = table.submitRefresh(0, at: now)
            var conditions = device(.wifi)
            conditions.pluggedIn = pluggedIn
            #expect(table.ask(0, .refresh, conditions, at: now).action == .start)
            return table.budgetsLeft(at: now).energy
        }
        #expect(abs(left(pluggedIn: false) - 0.9) < 1e-9)
        #expect(left(pluggedIn: true) == 1)
    }
}
