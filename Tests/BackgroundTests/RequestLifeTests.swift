// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

@Suite struct RequestLifeTests {
    let start = SimTime.zero + .hours(10)

    @Test func `a request waits for its floor, starts once and is gone`() {
        var table = makeTable()
        let submitted = table.submitRefresh(0, earliest: start + .minutes(15), at: start)
        #expect(submitted.action == .wait)
        #expect(submitted.wakeAt == start + .minutes(15))
        let early = table.ask(0, at: start + .minutes(14))
        #expect(
            early.action == .wait && early.reason == .system(.earliestBegin) && early.wakeAt == start + .minutes(15))
        let now = start + .minutes(15)
        #expect(table.ask(0, at: now).action == .start)
        #expect(table.isRunning(AppID(0), .refresh))
        #expect(!table.isPending(AppID(0), .refresh))
        let record = table.finish(AppID(0), .refresh, .success, at: now + .seconds(3))
        #expect(record.submitted == start && record.started == now)
        let again = table.ask(0, at: now + .minutes(1))
        #expect(again.action == .nothing)
        #expect(table.outcomes[Int(RequestOutcome.success.rawValue)] == 1)
    }

    @Test func `a floor in the past is now`() {
        var table = makeTable()
        #expect(table.submitRefresh(0, earliest: .zero, at: start).wakeAt == start)
    }

    @Test func `the same identifier replaces, and one request is left`() {
        var table = makeTable()
        _ = table.submitRefresh(0, earliest: start + .minutes(15), at: start)
        let second = table.submitRefresh(0, earliest: start + .minutes(40), at: start + .minutes(5))
        #expect(second.wakeAt == start + .minutes(40))
        #expect(table.pendingCount(AppID(0), .refresh) == 1)
        #expect(table.outcomes[Int(RequestOutcome.replaced.rawValue)] == 1)
        #expect(table.ask(0, at: start + .minutes(20)).action == .wait)
    }

    @Test func `one refresh and ten processing requests may be pending`() {
        var table = makeTable()
        for identifier in 0..<10 {
            #expect(table.submitProcessing(0, identifier: UInt8(identifier)).action == .wait)
        }
        let eleventh = table.submitProcessing(0, identifier: 10)
        #expect(eleventh.action == .refused && eleventh.reason == .tooManyPending)
        #expect(table.submitProcessing(0, identifier: 3).action == .wait)
        #expect(table.pendingCount(AppID(0), .processing) == 10)
        #expect(table.submitRefresh(0).action == .wait)
        let other = table.submit(
            AppID(0), .refresh, identifier: 1, earliestBegin: .zero, requiresPower: false, requiresNetwork: false,
            at: .zero)
        #expect(other.reason == .tooManyPending)
        #expect(table.submitProcessing(1, identifier: 10).action == .wait)
    }

    @Test func `ten requests of one app are ten launches, one after the other`() {
        var table = makeTable()
        for identifier in 0..<10 { _ = table.submitProcessing(0, identifier: UInt8(identifier)) }
        var now = start
        for left in (0..<10).reversed() {
            #expect(table.ask(0, .processing, at: now).action == .start)
            #expect(table.pendingCount(AppID(0), .processing) == left)
            #expect(table.ask(0, .processing, at: now).action == (left == 0 ? .nothing : .wait))
            table.finish(AppID(0), .processing, .success, at: now + .minutes(3))
            now += .minutes(3)
        }
        #expect(table.ask(0, .processing, at: now).action == .nothing)
    }

    @Test func `of several requests the one that may run is not held up by the others`() {
        var table = makeTable()
        _ = table.submitProcessing(0, identifier: 0, power: true, at: start)
        _ = table.submitProcessing(0, identifier: 1, earliest: start + .hour, at: start)
        let answer = table.ask(0, .processing, at: start)
        #expect(answer.action == .wait && answer.wakeAt == start + .hour)
        #expect(table.waitsFor(AppID(0), .processing) == .pluggedIn)
        #expect(table.ask(0, .processing, at: start + .hour).action == .start)
        #expect(table.pendingCount(AppID(0), .processing) == 1)
    }

    @Test func `F57: what waits too long is given up at its deadline`() {
        var table = makeTable(policy: Scripted { _, _ in .wait(.custom) })
        _ = table.submitRefresh(0, earliest: start, at: start)
        let waits = table.ask(0, at: start)
        #expect(waits.action == .wait && waits.wakeAt == start + .day)
        #expect(table.ask(0, at: start + .day).action == .expired)
        #expect(!table.isPending(AppID(0), .refresh))
        #expect(table.outcomes[Int(RequestOutcome.never.rawValue)] == 1)
        #expect(table.ask(0, at: start + .day).action == .nothing)
    }

    @Test func `a policy that names the present instant is asked again later, not for ever`() {
        var table = makeTable(policy: Scripted { _, device in .wait(.custom, until: device.now) })
        _ = table.submitRefresh(0, earliest: start, at: start)
        #expect(table.ask(0, at: start).wakeAt > start)
    }

    @Test func `force quit drops what is pending and blocks until the app is opened`() {
        var table = makeTable()
        _ = table.submitRefresh(0, earliest: start, at: start)
        _ = table.submitProcessing(0, at: start)
        table.forceQuit(AppID(0), at: start)
        #expect(table.ask(0, at: start).action == .nothing)
        #expect(table.ask(0, .processing, at: start).action == .nothing)
        #expect(table.outcomes[Int(RequestOutcome.cancelled.rawValue)] == 2)
        #expect(table.submitRefresh(0, at: start).reason == .system(.forceQuit))
        #expect(table.isForceQuit(AppID(0)))
        #expect(table.submitRefresh(1, at: start).action == .wait)
        table.noteOpened(AppID(0), at: start + .hour)
        _ = table.submitRefresh(0, earliest: .zero, at: start + .hour)
        #expect(table.ask(0, at: start + .hour).action == .start)
    }

    @Test func `a switch that is off refuses, for the phone and for one app`() {
        var parameters = BackgroundParameters()
        parameters.refreshSwitch = false
        var table = makeTable(parameters: parameters)
        #expect(table.submitRefresh(0).reason == .system(.switchedOff))
        var one = makeTable { $0.refreshEnabled = false }
        #expect(one.submitRefresh(0).action == .refused)
    }
}
