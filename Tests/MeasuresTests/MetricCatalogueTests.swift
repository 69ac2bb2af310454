// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Measures

@Suite struct MetricCatalogueTests {
    private let catalogue: MetricCatalogue

    init() {
        var builder = MeasureBuilder()
        _ = builder.perDayOfApp("relaunches_per_day", .lower, "warm and cold opens by the user")
        _ = builder.perDay("wakeups_per_day", .neutral, "times the phone woke")
        catalogue = MetricCatalogue(builder)
    }

    @Test func `metrics stand in the order of their declarations, with what was said of them`() {
        #expect(catalogue.names == ["relaunches_per_day", "wakeups_per_day"])
        #expect(catalogue.index(of: "wakeups_per_day") == 1)
        #expect(catalogue.index(of: "wakeups") == nil)
        let first = catalogue.metrics[0]
        #expect(first.unit == "1/d")
        #expect(first.better == .lower)
        #expect(first.definition == "warm and cold opens by the user")
        #expect(catalogue.metrics.map(\.isOfApps) == [true, false])
    }

    @Test func `a metric has the range of its unit unless it declares another`() throws {
        var builder = MeasureBuilder()
        for (name, unit) in [("share", "1"), ("level", "%"), ("hours", "h/d"), ("warm", "degC"), ("energy", "Wh/d")] {
            builder.metric(name, unit, .lower, "") { _ in 0 }
        }
        builder.metric("skill", "1", .higher, "", range: -.infinity...1) { _ in 0 }
        let metrics = MetricCatalogue(builder).metrics
        #expect(
            metrics.map(\.range) == [
                0...1, 0...100, 0...24, -273.15 ... .infinity, 0 ... .infinity, -.infinity...1,
            ])
        let share = metrics[0]
        #expect([0, 1, 0.5, -1e-10, 1 + 1e-10, .nan].allSatisfy(share.allows))
        #expect(![-1e-8, 1 + 1e-8, .infinity, -.infinity].contains(where: share.allows))
        #expect(!metrics[4].allows(.infinity) && !metrics[5].allows(-.infinity) && metrics[5].allows(-30))
    }

    @Test(arguments: ["relaunches_per_day", "relaunches_per_day(app=mail)", "relaunches_per_day(app=my app=2)"])
    func `a request is read as it is written`(text: String) throws {
        let request = try catalogue.request(text)
        #expect(request.metric == 0)
        #expect(request.app == (text.contains("(") ? String(text.dropFirst(23).dropLast()) : nil))
        #expect(request.text(in: catalogue) == text)
    }

    @Test func `a request that cannot be met is refused with the reason`() {
        let refused: [(String, MetricRequestError)] = [
            (
                "relaunch_per_day",
                .init(message: "unknown metric \"relaunch_per_day\"", hint: "did you mean \"relaunches_per_day\"?")
            ),
            (
                "zzz(app=mail)",
                .init(message: "unknown metric \"zzz\"", hint: "one of: relaunches_per_day, wakeups_per_day")
            ),
            (
                "wakeups_per_day(app=mail)",
                .init(
                    message: "the metric wakeups_per_day applies to the phone, not to a single app",
                    hint: "write wakeups_per_day, or choose a metric of apps: flotsam list metrics")
            ),
        ]
        for (text, error) in refused {
            #expect(throws: error) { try catalogue.request(text) }
        }
        for text in ["(app=a", "()", "(app=)", "(day=3)", "(app=a))x", "(mail)"] {
            #expect(
                throws: MetricRequestError(
                    message: "expected relaunches_per_day or relaunches_per_day(app=NAME), "
                        + "found \"relaunches_per_day\(text)\"", hint: nil)
            ) { try catalogue.request("relaunches_per_day" + text) }
        }
    }

    @Test func `a name that occurs twice or could not be written traps at its declaration`() async {
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.perDay("kills_per_day", .lower, "kills")
            builder.appMetric("kills_per_day", "1/d", .lower, "kills") { _ in 0 }
        }
        await #expect(processExitsWith: .failure) {
            var builder = MeasureBuilder()
            _ = builder.perDay("Kills (all)", .lower, "kills")
        }
    }
}
