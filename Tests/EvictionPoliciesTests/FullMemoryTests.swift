// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Quantities
import Testing
import Vocabulary

@testable import EvictionPolicies

/// Lists of victims and counts of uses, filled beyond their length.
@Suite struct FullMemoryTests {
    private func candidate(_ app: Int, launched: Double = 0) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: 0, state: .suspended, footprint: .mebibytes(50), resident: .mebibytes(50),
            bandSet: .zero, launched: .seconds(launched), lastForeground: .zero, opens: 1, relaunchTime: .seconds(1),
            relaunchEnergy: .zero)
    }

    /// The candidates in the order in which they die.
    private func order(
        of policy: inout some EvictionPolicy, _ candidates: [EvictionCandidate], at now: SimTime
    ) -> [Int] {
        policy.survey(candidates, at: now)
        let ranks = candidates.map { policy.rank($0, at: now) }
        return candidates.indices.sorted { ranks[$0] < ranks[$1] }.map { Int(candidates[$0].app.index) }
    }

    /// Each round has two processes, so each rule of lecar remembers its last two victims.
    @Test func `a victim that lecar has forgotten is not regretted, the last two of its rule are`() throws {
        var policy = LeastRegret(seed: 1)
        var (byRecency, byFrequency): ([Int], [Int]) = ([], [])
        var wasRecency = false
        for round in 0..<20 {
            // The first app is used twice and then the second one once: the rules disagree.
            let (first, second) = (2 * round, 2 * round + 1)
            for app in [first, first, second] { policy.didOpen(AppID(app), at: .seconds(Double(round))) }
            let now = SimTime.seconds(Double(round) + 0.5)
            let dying = order(of: &policy, [candidate(first), candidate(second)], at: now)
            let victim = try #require(dying.first)
            policy.didEvict(candidate(victim), at: now)
            wasRecency = victim == first
            if wasRecency { byRecency.append(victim) } else { byFrequency.append(victim) }
        }
        let victims = wasRecency ? byRecency : byFrequency
        try #require(victims.count > 2)
        policy.didOpen(AppID(victims[victims.count - 3]), at: .seconds(30))
        #expect(policy.recencyWeight == 0.5)
        // There were 60 uses before the last death and 62 with this one, and there is room for two: the regret is
        // 0.005 to the power of (62 - 60) / 2.
        policy.didOpen(AppID(victims[victims.count - 1]), at: .seconds(31))
        let wrong = 1 / (1 + exp(0.45 * 0.005))
        #expect(abs(policy.recencyWeight - (wasRecency ? wrong : 1 - wrong)) < 1e-12)
    }

    @Test func `two-queues remembers two victims of a line of four, and the third one before is new again`() {
        var policy = TwoQueues()
        for app in 0..<4 { policy.didOpen(AppID(app), at: .zero) }
        for app in 0..<3 {
            let now = SimTime.seconds(Double(app + 1))
            let standing = (app..<app + 4).map { candidate($0) }
            let dying = order(of: &policy, standing, at: now)
            #expect(dying == Array(app..<app + 4))
            policy.didEvict(standing[0], at: now)
            policy.didOpen(AppID(app + 4), at: now)
        }
        // App 1 is remembered and joins the main queue. App 0 was forgotten and waits in line again, so it dies first.
        policy.didOpen(AppID(1), at: .seconds(4))
        policy.didOpen(AppID(0), at: .seconds(4))
        let all = [3, 4, 5, 6, 1, 0].map { candidate($0) }
        let dying = order(of: &policy, all, at: .seconds(9))
        #expect(dying == [3, 4, 5, 6, 0, 1])
    }

    /// App 0 is on probation, app 1 is in the window after a hundred uses, and app 2 is being launched.
    @Test(arguments: [(14, 0), (15, 1), (16, 1)])
    func `a count of w-tinylfu ends at fifteen, so more uses win against fourteen only`(uses: Int, dies: Int) {
        var policy = WindowTinyLFU()
        for _ in 0..<uses { policy.didOpen(AppID(0), at: .zero) }
        for _ in 0..<100 { policy.didOpen(AppID(1), at: .zero) }
        policy.didOpen(AppID(2), at: .seconds(9))
        let all = [candidate(0), candidate(1), candidate(2, launched: 9)]
        let dying = order(of: &policy, all, at: .seconds(9))
        #expect(dying.first == dies)
    }

    @Test func `distances beyond the last class of relaunch distances belong to it`() {
        var policy = RelaunchDistance()
        func open(_ app: Int, times: Int = 1) {
            for _ in 0..<times { policy.didOpen(AppID(app), at: .zero) }
        }
        // Opens 1 and 3,001 are of app 0, opens 2 and 1,501 of app 1, all others of app 2.
        open(0)
        open(1)
        open(2, times: 1498)
        open(1)
        open(2, times: 1499)
        open(0)
        var raw = policy
        raw.isCalibrated = false
        // 2 to the power of 11.55, rounded to 12.
        #expect(raw.rank(candidate(0), at: .zero) == -4096)
        // Distances of 3,000 and 1,499 opens, 2,000 and 3,500 opens ago: all are in the class from 2^10 on.
        open(2, times: 2000)
        #expect(policy.rank(candidate(0), at: .zero) == policy.rank(candidate(1), at: .zero))
        for _ in 0..<5000 { raw.didOpen(AppID(2), at: .zero) }
        #expect(raw.rank(candidate(0), at: .zero) == 0)
    }

    /// With a half-life of six hours, weights grow by 2^4 a day: after 256 days they would exceed the largest number.
    @Test func `a prediction with a half-life of six hours is the same after 300 days as after twenty`() {
        func likelihood(after days: Int) -> Double {
            var parameters = PredictionParameters()
            (parameters.halfLife, parameters.horizon) = (.hours(6), .hours(2))
            var policy = Predicted(parameters)
            for day in 0..<days {
                policy.didOpen(AppID(0), at: .zero + .days(Double(day)) + .hours(8))
                policy.didOpen(AppID(1), at: .zero + .days(Double(day)) + .hours(20))
            }
            return policy.rank(candidate(0), at: .zero + .days(Double(days)) + .hours(7))
        }
        // Days before the last twenty have weights below 2^-80 of the present one, which no sum of doubles shows.
        #expect(abs(likelihood(after: 300) / likelihood(after: 20) - 1) < 1e-12)
    }
}
