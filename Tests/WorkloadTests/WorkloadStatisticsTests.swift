// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Quantities
import Testing
import WorkloadFixtures

@testable import Workload

/// A file with sessions at the given times and apps opened in them.
private func file(_ sessions: [(start: Double, end: Double, apps: [Int])], days: Double) -> WorkloadFile {
    var file = WorkloadFile()
    file.covered = .zero..<(.zero + .days(days))
    file.apps = (0..<10).map { "app-\($0)" }
    for session in sessions {
        file.events.append(WorkloadEvent(.unlock, at: .seconds(session.start)))
        for (number, app) in session.apps.enumerated() {
            var open = WorkloadEvent(.open, at: .seconds(session.start + Double(number)), app: app)
            open.seconds = 1
            file.events.append(open)
        }
        file.events.append(WorkloadEvent(.lock, at: .seconds(session.end)))
    }
    file.finish()
    return file
}

@Suite struct WorkloadStatisticsTests {
    @Test func `sessions of a second or less are no sessions`() {
        let sessions = file([(10, 11, []), (20, 21.5, []), (40, 100, [])], days: 1).screenSessions
        #expect(sessions.map(\.start.seconds) == [20, 40])
    }

    @Test func `an app that is opened again in its session is launched once`() {
        let file = file([(10, 60, [0, 0, 1, 1, 0]), (70, 90, [0])], days: 1)
        #expect(file.launches(in: file.screenSessions).map(\.app) == [0, 1, 0, 0])
    }

    @Test func `an app opened just before the screen goes on belongs to that session`() {
        var file = file([(10, 20, [3]), (30, 40, [3])], days: 1)
        file.events.append(WorkloadEvent(.open, at: .seconds(29.5), app: 3))
        file.finish()
        let launches = file.launches(in: file.screenSessions)
        #expect(launches.map(\.time.seconds) == [10, 29.5])
    }

    @Test func `hit ratios of a short history are those counted by hand`() {
        // Depths:             -  -  2  -  2  3  2
        let launches = [0, 1, 0, 2, 0, 1, 0]
        let depths = CacheHits.depths(launches)
        #expect(depths == [nil, nil, 2, nil, 2, 3, 2])
        #expect(CacheHits.leastRecentlyUsed(depths, capacity: 1) == 0)
        #expect(CacheHits.leastRecentlyUsed(depths, capacity: 2) == 3.0 / 7)
        #expect(CacheHits.leastRecentlyUsed(depths, capacity: 3) == 4.0 / 7)
        // With a capacity of two, 2 replaces 1 and 1 replaces 2; 0 stays.
        #expect(CacheHits.belady(launches, capacity: 2) == 3.0 / 7)
        #expect(CacheHits.belady([0, 1, 2, 0, 1], capacity: 2) == 1.0 / 5)
        #expect(CacheHits.leastFrequentlyUsed(launches, capacity: 2) == 3.0 / 7)
        // 0 was launched twice and stays, however long ago that is.
        #expect(CacheHits.leastFrequentlyUsed([0, 0, 1, 2, 3, 0], capacity: 2) == 2.0 / 6)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no rule beats Belady's`(seed: UInt64) {
        var state = seed
        let launches = (0..<300).map { _ -> Int in
            state = WorkloadFingerprint.mix(state)
            return Int(state % 5) * Int(state / 7 % 3)
        }
        let depths = CacheHits.depths(launches)
        for capacity in 1...6 {
            let best = CacheHits.belady(launches, capacity: capacity)
            #expect(best >= CacheHits.leastRecentlyUsed(depths, capacity: capacity))
            #expect(best >= CacheHits.leastFrequentlyUsed(launches, capacity: capacity))
        }
    }

    @Test(arguments: [0.5, 1.0, 1.3, 2.0])
    func `the exponent of an exact Zipf law is found`(exponent: Double) throws {
        let counts = (1...40).map { Int((1e7 / pow(Double($0), exponent)).rounded()) }
        let found = try #require(WorkloadStatistics.zipfExponent(counts))
        #expect(abs(found - exponent) < 1e-4)
    }

    @Test func `charges two minutes apart are one, and short ones none`() {
        var file = WorkloadFile()
        file.covered = .zero..<(.zero + .days(2))
        for (minute, kind, level) in [
            (0.0, WorkloadEventKind.plug, 0.3), (30, .unplug, 0.5), (32, .plug, 0.5), (60, .unplug, 0.8),
            (100, .plug, 0.8), (100.5, .unplug, 0.8), (1300, .plug, 0.2), (1500, .unplug, 1), (2000, .plug, 0.5),
        ] {
            var event = WorkloadEvent(kind, at: .zero + .minutes(minute))
            event.level = level
            file.events.append(event)
        }
        let charges = file.chargeSessions
        #expect(charges.map(\.minutes) == [60, 200])
        #expect(charges.map(\.startLevel) == [0.3, 0.2])
        #expect(charges.map(\.endLevel) == [0.8, 1])
        #expect(charges.map(\.isLongNight) == [false, true])
        #expect(WorkloadStatistics(of: file)["charge_sessions_per_day"] == 1)
    }

    @Test func `only whole days count`() {
        var partial = file([(100, 200, [1]), (86500, 86600, [1, 2]), (172_900, 173_000, [3])], days: 3)
        #expect(WorkloadStatistics(of: partial)["sessions_per_day"] == 1)
        partial.covered = .seconds(50)..<(.seconds(200_000))
        let statistics = WorkloadStatistics(of: partial)
        #expect(statistics["days"] == 1)
        #expect(statistics["sessions_per_day"] == 1)
        #expect(statistics["launches_per_day"] == 2)
        #expect(statistics["hour_00"] == 1)
        #expect(statistics["hour_01"] == 0)
    }

    @Test func `the names of the figures stay`() {
        let apps = someApps(60)
        let source = WorkloadSource.persona(
            PersonaWorkload(
                persona: averagePersona(), apps: apps, seed: 1, replication: 0, startWeekday: 0, days: 3))
        let names = WorkloadStatistics(of: WorkloadFile(of: source, apps: apps, days: 3)).figures.map(\.name)
        #expect(Set(names).count == names.count)
        for name in [
            "sessions_per_day", "launches_per_day", "distinct_apps_per_day", "session_s_median", "session_lognormal_mu",
            "session_lognormal_sigma", "zipf_mle", "lru_hit_c1", "lru_hit_c2", "lru_hit_c3", "lru_hit_c5", "lru_hit_c8",
            "lru_hit_c12", "lru_hit_c20", "belady_hit_c3", "belady_hit_c12", "lfu_hit_c3", "lfu_hit_c12", "hour_00",
            "hour_23", "charge_sessions_per_day", "wifi_share", "gap_s_median",
        ] { #expect(names.contains(name), "\(name)") }
    }
}
