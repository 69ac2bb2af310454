// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload

@testable import Phone
@testable import PhoneCore

/// How often any schedule has to fetch outside of sessions so that copies are fresh at every open.
@Suite struct SchedulingBoundTests {
    private struct Interval {
        let app: Int
        /// In which something must be fetched: from here on, and before the open.
        let start: SimTime
        let end: SimTime
    }

    private static func specification(
        _ scheduling: String, freshFor: SimDuration, replication: Int, days: Double = 4
    ) -> RunSpecification {
        var persona = TestWorld.persona
        persona.freshFor = freshFor
        // Nobody dies for want of power, and every open is a visit.
        persona.forceQuitsPerDay = 0
        return TestWorld.specification(
            apps: TestWorld.apps(12), persona: persona, days: days, replication: replication, tables: [.requests],
            scheduling: scheduling)
    }

    /// The intervals of all opens that no session makes free, by comparing each with all sessions.
    private static func needed(_ specification: RunSpecification, days: Int) -> [Interval] {
        let file = WorkloadFile(of: specification.workload, apps: specification.apps, days: days)
        var sessions: [(start: SimTime, end: SimTime)] = [(.zero, .zero)]
        var opens: [(time: SimTime, app: Int)] = []
        for event in file.events where event.time < .zero + specification.duration {
            switch event.kind {
            case .unlock: sessions.append((event.time, .distantFuture))
            case .lock: sessions[sessions.count - 1].end = event.time
            case .open, .switch: opens.append((event.time, Int(event.app)))
            default: break
            }
        }
        return opens.compactMap { open in
            let interval = Interval(app: open.app, start: open.time - specification.persona.freshFor, end: open.time)
            let isFree = sessions.contains { $0.start < interval.end && $0.end >= interval.start }
            return isFree ? nil : interval
        }
    }

    /// The fewest points that stab all intervals: always the last instant of the first that is not stabbed yet.
    private static func stabs(_ intervals: [Interval]) -> Int {
        var (count, last) = (0, SimTime(nanoseconds: -1))
        for interval in intervals.sorted(by: { $0.end < $1.end }) where interval.start > last {
            count += 1
            last = interval.end
        }
        return count
    }

    @Test(arguments: [0.25, 0.5, 1], [0, 1])
    func `the least is that of stabbing every interval that no session meets`(hours: Double, replication: Int) {
        let specification = Self.specification("never", freshFor: .hours(hours), replication: replication)
        let run = simulate(specification)
        let least = Self.stabs(Self.needed(specification, days: 4))
        #expect(run("missed_visits_per_day") == 0)
        #expect(least > 2 && abs(run("least_fetch_occasions_per_day") * 4 - Double(least)) < 1e-9)
        #expect(run("fetch_occasions_per_day") >= 0)
    }

    @Test(arguments: ["immediate", "opportunistic", "periodic", "earliest-deadline", "clairvoyant"], [0.25, 1])
    func `no schedule is fresh at more of these opens than it takes occasions`(scheduling: String, hours: Double) {
        var specification = Self.specification(scheduling, freshFor: .hours(hours), replication: 2)
        specification.readsFuture = scheduling == "clairvoyant"
        let rows = RowCollector()
        let run = simulate(specification, sink: rows)
        let fetches = rows.requests.filter { $0.work == .refresh && $0.outcome == "success" }
        let needed = Self.needed(specification, days: 4)
        let met = needed.filter { interval in
            fetches.contains {
                Int($0.app.index) == interval.app && $0.ended >= interval.start && $0.ended < interval.end
            }
        }
        let occasions = run("fetch_occasions_per_day") * 4
        #expect(Double(met.count) <= occasions + 1e-9, "\(met.count) of \(needed.count), \(occasions) occasions")
        #expect(scheduling != "immediate" || met.count > 2)
    }

    @Test func `a user who takes any copy needs nothing, and is never shown an old one`() {
        let run = simulate(Self.specification("never", freshFor: .days(30), replication: 0))
        #expect(run("least_fetch_occasions_per_day") == 0 && run("stale_open_share") == 0)
        // Without a session of a minute's distance every copy that a session did not fetch is old.
        let strict = simulate(Self.specification("never", freshFor: .minutes(1), replication: 0))
        #expect(strict("stale_open_share") > 0.5 && strict("fetch_occasions_per_day") == 0)
    }
}
