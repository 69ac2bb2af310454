// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import SchedulingPolicies
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// Policies of alarms in the phone: what AlarmManagerService delivers together is served together.
@Suite struct AlarmTests {
    /// Two days of a mail app every 12 min and a feed every 15 min: the instants at which each was served.
    private func services(_ scheduling: String) -> (mail: [SimTime], feed: [SimTime]) {
        let periods = [SimDuration.minutes(12), .minutes(15)]
        let apps = zip(["mail", "feed"], periods).map { name, period in
            TestWorld.app(name) {
                $0.refreshPeriod = period
                $0.pushesPerDay = 0
                $0.resubmitProbability = 1
                $0.traits.refreshFails = 0
            }
        }
        let rows = RowCollector()
        _ = simulate(
            TestWorld.specification(apps: apps, days: 2, tables: [.requests], scheduling: scheduling), sink: rows)
        func starts(_ app: Int) -> [SimTime] {
            rows.requests.filter { $0.work == .refresh && $0.app == AppID(app) && $0.started != .distantFuture }
                .map(\.started)
        }
        return (starts(0), starts(1))
    }

    /// Windows of 12 to 21 min and of 15 to 26.25 min overlap: the batch fires at its latest start, for both.
    @Test(arguments: ["native-alignment", "simty"])
    func `two periodic alarms whose windows overlap are served at one instant most of the time`(name: String) {
        let (mail, feed) = services(name)
        let together = Set(mail).intersection(feed).count
        #expect(feed.count > 100)
        // Order is the claim: batches move the alarms on, and each night the phone holds some of them up.
        #expect(Double(together) > 0.7 * Double(feed.count))
        let alone = services("immediate")
        #expect(Set(alone.mail).intersection(alone.feed).count < alone.feed.count / 10)
    }
}
