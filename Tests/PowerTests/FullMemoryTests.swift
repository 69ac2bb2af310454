// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Testing
import Vocabulary

/// More users and transfers than a radio has memory for at first, and holds that a restart drops.
@Suite struct FullMemoryTests {
    private func send(_ apps: Range<Int>, _ bytes: Int64, at now: SimTime, on system: inout PowerSystem) {
        for app in apps {
            _ = system.beginTransfer(
                .cellular, down: ByteCount(bytes), up: .zero, app: AppID(app), cause: .transfer, at: now)
        }
    }

    /// A promotion of 0.3146 J and a tail of 12.27056 J, as in `RadioCornerTests`.
    @Test func `of forty users of a burst the first 32 share its tail`() {
        var system = RadioTests.system(.lte2012, tails: .equalSplit, apps: 40)
        system.setNetwork(.cellular, at: .zero)
        send(0..<40, 0, at: .seconds(1), on: &system)
        run(&system, from: .seconds(1), to: .seconds(30))
        // 12.27056 / 32 = 0.383455
        for app in 0..<40 {
            let joules = (app == 0 ? 0.3146 : 0) + (app < 32 ? 0.383455 : 0)
            #expect(abs(system.energy(of: AppID(app)).joules - joules) < 1e-9, "app \(app)")
        }
        // The next burst has users of its own.
        send(39..<40, 0, at: .seconds(30), on: &system)
        run(&system, from: .seconds(30), to: .seconds(60))
        #expect(abs(system.energy(of: AppID(39)).joules - (0.3146 + 12.27056)) < 1e-9)
    }

    /// The queue has room for 16 transfers at first.
    ///
    /// It doubles, and its end passes the end of its memory.
    @Test func `forty transfers in two batches are served in their order, and each pays for itself`() {
        var system = RadioTests.system(.lte2020, apps: 40)
        system.setNetwork(.cellular, at: .zero)
        send(0..<20, 1_000_000, at: .zero, on: &system)
        // After a promotion of 0.32 s each takes 8 / 35 = 0.2286 s: at 2.7 s ten have passed and nine wait.
        run(&system, from: .zero, to: .seconds(2.7))
        send(20..<40, 1_000_000, at: .seconds(2.7), on: &system)
        run(&system, from: .seconds(2.7), to: .seconds(60))
        // 0.5 W and 11.54 mW per Mbit/s at 35 Mbit/s; a promotion at 0.9 W, and a tail of 10.2 s at 0.18 W.
        let own = (0.5 + 0.01154 * 35) * 8 / 35
        for app in 0..<40 {
            let joules = own + (app == 0 ? 0.288 : 0) + (app == 39 ? 1.836 : 0)
            #expect(abs(system.energy(of: AppID(app)).joules - joules) < 1e-6, "app \(app)")
        }
    }

    @Test func `a restart drops all holds on being awake, and the next hold is the first again`() {
        var system = PowerSystem(.iPhone13, apps: 1, initialLevel: 0.5)
        let asleep = system.totalPower
        for _ in 0..<3 { system.holdAwake(app: AppID(0), cause: .transfer, at: .zero) }
        system.restart(after: .zero, at: .seconds(10))
        // A holder that learns of it late releases nothing.
        system.releaseAwake(at: .seconds(20))
        run(&system, from: .seconds(20), to: .seconds(100))
        #expect(!system.isDead && system.totalPower == asleep)
        system.holdAwake(app: AppID(0), cause: .transfer, at: .seconds(100))
        #expect(system.wakeups == 2)
        system.releaseAwake(at: .seconds(101))
        #expect(system.totalPower == asleep)
    }
}
