// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

/// What an app and a debugger do to pending requests.
@Suite struct DebuggerTests {
    private let start = SimTime.zero + .hours(10)

    @Test func `a cancelled request is gone, others stay`() {
        var table = makeTable()
        for identifier in 0..<3 { _ = table.submitProcessing(0, identifier: UInt8(identifier)) }
        table.cancel(AppID(0), .processing, identifier: 1, at: start)
        #expect(table.pendingCount(AppID(0), .processing) == 2)
        #expect(table.unrun.map(\.outcome) == [.cancelled])
        #expect(table.unrun.first?.record.identifier == 1)
        table.cancel(AppID(0), .processing, identifier: 1, at: start)
        #expect(table.pendingCount(AppID(0), .processing) == 2)
        table.cancel(AppID(0), .processing, at: start)
        #expect(!table.isPending(AppID(0), .processing))
        #expect(table.outcomes[Int(RequestOutcome.cancelled.rawValue)] == 3)
    }

    @Test func `a simulated launch starts a request before its floor, whatever the device is like, and only once`() {
        var table = makeTable()
        var device = DeviceConditions(now: start)
        device.lowPowerMode = true
        let early = table.simulateLaunch(AppID(0), .refresh, device: device)
        #expect(!early)
        _ = table.submitRefresh(0, earliest: start + .hours(5), at: start)
        let starts = table.simulateLaunch(AppID(0), .refresh, device: device)
        #expect(starts && table.isRunning(AppID(0), .refresh) && !table.isPending(AppID(0), .refresh))
        #expect(table.running(AppID(0), .refresh)?.earliestBegin == start + .hours(5))
        #expect(table.running(AppID(0), .processing) == nil)
        _ = table.submitRefresh(0, earliest: start, at: start)
        let again = table.simulateLaunch(AppID(0), .refresh, device: device)
        #expect(!again)
        table.finish(AppID(0), .refresh, .expired, at: start + .second)
        #expect(table.running(AppID(0), .refresh) == nil)
    }
}
