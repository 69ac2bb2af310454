// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Quantities
import RandomStreams
import Testing
import Vocabulary

@testable import EvictionPolicies
@testable import Workload

/// Policies that learn while they run, or that were trained before.
@Suite struct LearningPolicyTests {
    func candidate(_ app: Int, mebibytes: Double = 50, seconds: Double = 1, launched: Double = 0) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: 0, state: .suspended, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .seconds(launched), lastForeground: .zero,
            opens: 1, relaunchTime: .seconds(seconds), relaunchEnergy: .zero)
    }

    /// Which of the candidates dies first.
    private func victim(
        of policy: inout some EvictionPolicy, _ candidates: [EvictionCandidate], at now: SimTime
    ) -> Int {
        policy.survey(candidates, at: now)
        let ranks = candidates.map { policy.rank($0, at: now) }
        return candidates.indices.min { ranks[$0] < ranks[$1] } ?? -1
    }

    @Test func `the weights of lecar are those of two deaths that were regretted`() {
        var policy = LeastRegret(seed: 1)
        // Two uses of app 0, then one of app 1: last use would take 0, the number of uses 1.
        for (second, app) in [0, 0, 1].enumerated() { policy.didOpen(AppID(app), at: .seconds(Double(second))) }
        let both = [candidate(0), candidate(1, launched: 2)]
        let died = victim(of: &policy, both, at: .seconds(10))
        policy.didEvict(both[died], at: .seconds(10))
        #expect(policy.recencyWeight == 0.5)
        // It comes back with the next use: one of two, so that the regret is 0.005 to the power of one half.
        policy.didOpen(AppID(died), at: .seconds(11))
        let factor = exp(0.45 * 0.005.squareRoot())
        let wrong = 1 / (1 + factor)
        #expect(abs(policy.recencyWeight - (died == 0 ? wrong : 1 - wrong)) < 1e-12)
    }

    @Test func `lecar hits more often than last use where counts are right, and learns it`() {
        var stream = CacheTheoryStatisticalTests.stream("lecar")
        let trace = (0..<8000).map { _ in Int(25 * stream.uniform() * stream.uniform()) }
        let lru = CacheMode.hits(trace, apps: 25, room: 5, policy: LeastRecentlyUsed())
        let lecar = CacheMode.hits(trace, apps: 25, room: 5, policy: LeastRegret(seed: 5))
        var slow = LeastRegret.Parameters()
        slow.learningRate = 0
        let fixed = CacheMode.hits(trace, apps: 25, room: 5, policy: LeastRegret(slow, seed: 5))
        #expect(lru < fixed && fixed < lecar, "last use \(lru), equal weights \(fixed), learned \(lecar)")
    }

    @Test func `an app that is due soon is nearer than one that was just used, once distances are known`() {
        var policy = RelaunchDistance()
        // Apps 0 to 9 in turn, a hundred times: ten opens from use to use, and app 10 but once.
        for step in 0..<1000 { policy.didOpen(AppID(step % 10), at: .seconds(Double(step))) }
        policy.didOpen(AppID(10), at: .seconds(1000))
        func rank(_ app: Int) -> Double { policy.rank(candidate(app), at: .seconds(1001)) }
        // App 0 was used ten opens ago and is due; app 9 one open ago and comes last.
        #expect(rank(0) > rank(9))
        #expect(rank(3) > rank(8))
    }

    @Test func `raw, what is left of the typical distance decides, and an app without one dies first`() {
        var policy = RelaunchDistance()
        policy.isCalibrated = false
        for app in [0, 1, 0, 1, 0, 1, 2, 3, 4] { policy.didOpen(AppID(app), at: .zero) }
        // Apps 0 and 1 come every second open, 4 and 3 opens ago: nothing is left.
        #expect(policy.rank(candidate(0), at: .zero) == 0 && policy.rank(candidate(1), at: .zero) == 0)
        #expect(policy.rank(candidate(2), at: .zero) == -1e9 - 2)
        #expect(policy.rank(candidate(7), at: .zero) == -.greatestFiniteMagnitude)
    }

    /// The pattern of Lee and Kyung 2026: .7617 to .7691 at five apps and above last use at all sizes; .6283 raw.
    @Test(arguments: [5, 9, 13])
    func `calibrated distances hit more often than last use and than raw ones`(room: Int) {
        let apps = (0..<40).map { index in
            var app = AppModel(name: "app-\(index)", category: "test")
            app.popularity = 1 / Double(index + 1)
            return app
        }
        var persona = Persona(name: "test")
        persona.installedApps = 40
        persona.pickups.perDay = 80
        persona.pickups.extraAppsMean = 1.5
        persona.apps.active = 30
        persona.apps.zipf = 1.1
        persona.apps.repeatLast = 0.2
        let workload = PersonaWorkload(
            persona: persona, apps: apps, seed: 5, replication: 0, startWeekday: 0, days: 28)
        let file = WorkloadFile(of: .persona(workload), apps: apps, days: 28)
        let launches = file.launches(in: file.screenSessions).map(\.app)
        func hits(_ policy: any EvictionPolicy) -> Int {
            CacheMode.hits(launches, apps: file.apps.count, room: room, policy: policy)
        }
        let (lru, calibrated) = (hits(LeastRecentlyUsed()), hits(RelaunchDistance()))
        let raw = hits(adjusted(RelaunchDistance()) { $0.isCalibrated = false })
        #expect(launches.count > 1500)
        #expect(lru < calibrated && raw < calibrated, "last use \(lru), calibrated \(calibrated), raw \(raw)")
    }

    @Test func `the learned sum is that of its features`() {
        var policy = LearnedRanker()
        policy.didOpen(AppID(0), at: .zero + .hours(8))
        policy.didOpen(AppID(0), at: .zero + .hours(32))
        let now = SimTime.zero + .hours(33)
        // An hour ago, twice in all, twice between six and nine o'clock; now it is nine.
        let late = -0.09 * log(61) + 0.71 * log(3)
        #expect(abs(policy.rank(candidate(0), at: now) - late) < 1e-12)
        #expect(abs(policy.rank(candidate(0), at: now - .minutes(1)) - (-0.09 * log(60) + 0.83 * log(3))) < 1e-12)
        #expect(policy.rank(candidate(1), at: now) == -1e9)
        policy.cost = 2
        // 800 ms for 40 MiB.
        #expect(abs(policy.rank(candidate(0, mebibytes: 40, seconds: 0.8), at: now) - (late + 2 * log(20))) < 1e-12)
    }

    @Test func `a newcomer of w-tinylfu with fewer uses than the oldest on probation dies at once`() {
        var policy = WindowTinyLFU()
        // App 0 goes on probation, 1 after it; 2 is in the window when 3 is launched.
        for app in [0, 1, 1, 2] { policy.didOpen(AppID(app), at: .zero) }
        func all(at second: Double) -> [EvictionCandidate] {
            [candidate(0), candidate(1), candidate(2), candidate(3, launched: second)]
        }
        var other = policy
        policy.didOpen(AppID(3), at: .seconds(9))
        // One use is no more than one.
        #expect(victim(of: &policy, all(at: 9), at: .seconds(9)) == 2)
        other.didOpen(AppID(2), at: .seconds(8))
        other.didOpen(AppID(3), at: .seconds(9))
        #expect(victim(of: &other, all(at: 9), at: .seconds(9)) == 0)
    }

    @Test func `who died in the line of two-queues and comes back is kept by last use`() {
        var policy = TwoQueues()
        for app in 0..<4 { policy.didOpen(AppID(app), at: .zero) }
        let all = (0..<4).map { candidate($0) }
        #expect(victim(of: &policy, all, at: .seconds(9)) == 0)
        policy.didEvict(all[0], at: .seconds(9))
        policy.didOpen(AppID(0), at: .seconds(10))
        let again = [candidate(0, launched: 10)] + all.dropFirst()
        // The line is longer than a quarter of the four; once it is not, the one that came back dies.
        #expect(victim(of: &policy, again, at: .seconds(20)) == 1)
        policy.didEvict(again[1], at: .seconds(20))
        policy.didEvict(again[2], at: .seconds(20))
        #expect(victim(of: &policy, [again[0], again[3]], at: .seconds(21)) == 0)
    }
}
