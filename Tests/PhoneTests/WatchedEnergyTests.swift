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

    @Test func `energy of an app is a metric of it, and agrees with its days`() throws {
        var run = TestWorld.specification(apps: TestWorld.apps(6), days: 3, warmup: .days(1))
        let catalogue = MetricCatalog.catalogue
        let names = ["energy_wh_per_day", "app_background_energy_wh_per_day", "app_energy_share"]
        let metrics = try names.map { try #require(catalogue.index(of: $0)) }
        let plain = simulate(run)
        run.appMetrics = (0..<6).flatMap { app in metrics.map { AppMetric(metric: $0, app: AppID(app)) } }
        run.watchedApp = AppID(0)
        run.tables = [.appDays]
        let rows = RowCollector()
        let outcome = simulate(run, sink: rows)
        #expect(outcome.fingerprint == plain.fingerprint)
        #expect(outcome.metrics.prefix(plain.metrics.count).map(\.bitPattern) == plain.metrics.map(\.bitPattern))
        let found = Array(outcome.metrics.dropFirst(plain.metrics.count))
        func isClose(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1e-9 * max(1, abs(other)) }
        for app in 0..<6 {
            let days = rows.days.filter { Int($0.app.index) == app && $0.day >= 1 }
            let (foreground, background) = days.reduce((0, 0)) {
                ($0.0 + $1.foregroundJoules, $0.1 + $1.backgroundJoules)
            }
            #expect(foreground > 0 && background > 0)
            #expect(isClose(found[3 * app], (foreground + background) / 3600 / 2))
            #expect(isClose(found[3 * app + 1], background / 3600 / 2))
            #expect(isClose(found[3 * app + 2], found[3 * app] / outcome("energy_wh_per_day")))
        }
        // Of the phone they are sums over its apps, which are not all that it uses.
        let (energies, shares) = ((0..<6).map { found[3 * $0] }, (0..<6).map { found[3 * $0 + 2] })
        #expect(isClose(outcome("app_energy_share"), shares.reduce(0, +)) && outcome("app_energy_share") < 1)
        #expect(energies.reduce(0, +) < outcome("energy_wh_per_day"))
        // What `ask` tells of an app is the same.
        let watched = try #require(outcome.energy)
        #expect(isClose(found[1], watched.background.reduce(0, +) / 3600 / 2))
        #expect(isClose(found[0], (watched.foreground + watched.background).reduce(0, +) / 3600 / 2))
    }
}
