// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Measures

@Suite struct MetricListTests {
    private static let declared: (launches: AppCount, catalogue: MetricCatalogue) = {
        var builder = MeasureBuilder()
        let launches = builder.perDayOfApp("launches_per_day", .lower, "launches")
        _ = builder.perDay("wakeups_per_day", .neutral, "times the phone woke")
        return (launches, MetricCatalogue(builder))
    }()

    private let catalogue = declared.catalogue

    @Test func `metrics of apps stand behind those of the phone, each once`() throws {
        let requests = ["launches_per_day(app=mail)", "launches_per_day(app=a, b)", "launches_per_day(app=mail)"]
        let list = MetricList(catalogue, ofApps: try requests.map { try catalogue.request($0) })
        #expect(
            list.names == [
                "launches_per_day", "wakeups_per_day", "launches_per_day(app=mail)", "launches_per_day(app=a, b)",
            ])
        #expect(list.index(of: "launches_per_day(app=mail)") == 2)
        #expect(list.index(of: "launches_per_day(app=nobody)") == nil)
        #expect(list.entries[2].unit == "1/d" && list.entries[2].better == .lower)
        #expect(list.entries[2].definition == "launches; only for the app mail")
        #expect(list.ofApps.map { $0.text(in: catalogue) } == Array(list.names.dropFirst(2)))
        #expect(list != MetricList(catalogue) && MetricList(catalogue) == MetricList(catalogue))
    }

    @Test func `a run's values stand in the order of the list`() {
        let requests = [
            AppMetric(metric: 0, app: AppID(5)), AppMetric(metric: 0, app: AppID(2)),
            AppMetric(metric: 0, app: AppID(5)),
        ]
        var measures = RunMeasures(catalogue, for: requests)
        #expect(measures.watched == [AppID(5), AppID(2)])
        for app in [2, 5, 5, 7, 9] { measures.add(Self.declared.launches, of: AppID(app)) }
        #expect(measures.values(at: .zero + .days(1), and: requests) == [5, 0, 2, 1, 2])
    }

    @Test func `a list of what an app cannot be asked traps`() async {
        await #expect(processExitsWith: .failure) {
            let catalogue = MetricListTests.declared.catalogue
            _ = MetricList(catalogue, ofApps: [MetricRequest(metric: 1, app: "mail")])
        }
    }
}
