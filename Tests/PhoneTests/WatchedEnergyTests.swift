// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import PhoneCore
import Power
import Quantities
import Testing
import Vocabulary

@testable import Phone

/// The books of one app by component add up to its books as a whole.
@Suite struct WatchedEnergyTests {
    private final class Days: RowSink {
        var foreground = 0.0, background = 0.0
        let app: AppID

        init(_ app: AppID) { self.app = app }

        func write<Row>(_ row: Row, to table: Table<Row>) {
            guard let row = row as? AppDayRow, row.app == app else { return }
            foreground += row.foregroundJoules
            background += row.backgroundJoules
        }
    }

    @Test func `the parts are the whole, and watching changes nothing else`() throws {
        var run = TestWorld.specification(apps: TestWorld.apps(6), days: 3)
        run.warmup = .zero
        let plain = simulate(run)
        #expect(plain.energy == nil)
        run.watchedApp = AppID(0)
        run.tables = [.appDays]
        let days = Days(AppID(0))
        let outcome = simulate(run, sink: days)
        #expect(outcome.fingerprint == plain.fingerprint)
        let energy = try #require(outcome.energy)
        let foreground = energy.foreground.reduce(0, +)
        #expect(days.foreground > 0 && abs(foreground / days.foreground - 1) < 1e-9)
        #expect(abs(energy.background.reduce(0, +) - days.background) < 1e-6 * max(1, days.background))
        #expect(energy.foreground[Int(Component.display.rawValue)] > 0)
        #expect(energy.background[Int(Component.display.rawValue)] == 0)
        #expect(energy.phone > foreground)
    }

    @Test func `what was used in the warm-up does not count`() throws {
        var run = TestWorld.specification(apps: TestWorld.apps(6), days: 3)
        run.watchedApp = AppID(0)
        run.warmup = .zero
        let whole = try #require(simulate(run).energy)
        run.warmup = .days(2)
        let last = try #require(simulate(run).energy)
        #expect(last.phone < 0.6 * whole.phone && last.phone > 0.1 * whole.phone)
        #expect(last.foreground.reduce(0, +) < whole.foreground.reduce(0, +))
    }
}
