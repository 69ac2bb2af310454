// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import EvictionPolicies

/// Orders that follow from what the user did before, or will do.
@Suite struct PredictionTests {
    func candidate(
        _ app: Int, mebibytes: Double = 50, seconds: Double = 1, next: SimTime = .distantFuture
    ) -> EvictionCandidate {
        EvictionCandidate(
            app: AppID(app), band: 0, state: .suspended, footprint: .mebibytes(mebibytes),
            resident: .mebibytes(mebibytes), bandSet: .zero, launched: .zero, lastForeground: .zero, opens: 1,
            relaunchTime: .seconds(seconds), relaunchEnergy: .zero, nextOpen: next)
    }

    func hour(_ day: Int, _ hour: Double) -> SimTime { .zero + .hours(24 * Double(day) + hour) }

    @Test func `the oracle sacrifices what is opened last, and first of all what is never opened again`() {
        var policy = Belady()
        let soon = policy.rank(candidate(0, next: .seconds(10)), at: .zero)
        let late = policy.rank(candidate(1, next: .seconds(20)), at: .zero)
        let never = policy.rank(candidate(2), at: .zero)
        #expect(never < late && late < soon)
    }

    @Test func `the weighed oracle would rather wait for a large app that launches fast`() {
        var policy = adjusted(Belady()) { $0.weighsSizeAndCost = true }
        let small = policy.rank(candidate(0, mebibytes: 10, next: .seconds(20)), at: .zero)
        let large = policy.rank(candidate(1, mebibytes: 90, next: .seconds(10)), at: .zero)
        #expect(large < small)
        let slow = policy.rank(candidate(2, mebibytes: 90, seconds: 50, next: .seconds(10)), at: .zero)
        #expect(small < slow)
        // Half a second before its next open the large one is worth more than the small one.
        let later = SimTime.seconds(9.5)
        #expect(
            policy.rank(candidate(0, mebibytes: 10, next: .seconds(20)), at: later)
                < policy.rank(candidate(1, mebibytes: 90, next: .seconds(10)), at: later))
    }

    @Test func `habits by hour: the breakfast app is kept at breakfast and the evening app in the evening`() {
        var policy = Predicted(adjusted(.init()) { $0.horizon = .hours(2) })
        for day in 0..<10 {
            policy.didOpen(AppID(0), at: hour(day, 8))
            policy.didOpen(AppID(2), at: hour(day, 8.1))
            policy.didOpen(AppID(1), at: hour(day, 20))
            policy.didOpen(AppID(2), at: hour(day, 20.1))
        }
        let breakfast = hour(10, 7.5)
        #expect(policy.rank(candidate(1), at: breakfast) < policy.rank(candidate(0), at: breakfast))
        let evening = hour(10, 19.5)
        #expect(policy.rank(candidate(0), at: evening) < policy.rank(candidate(1), at: evening))
    }

    @Test func `what follows what: the app that comes after the last one is kept`() {
        var policy = Predicted(adjusted(.init()) { $0.horizon = .minutes(10) })
        // 0 is followed by 1, 2 by 3; at all hours alike.
        for step in 0..<60 {
            let first = step % 2 == 0 ? 0 : 2
            policy.didOpen(AppID(first), at: hour(step / 10, Double(step % 10) * 2))
            policy.didOpen(AppID(first + 1), at: hour(step / 10, Double(step % 10) * 2 + 0.01))
        }
        var afterZero = policy
        afterZero.didOpen(AppID(0), at: hour(6, 12))
        #expect(
            afterZero.rank(candidate(3), at: hour(6, 12.01)) < afterZero.rank(candidate(1), at: hour(6, 12.01)))
        policy.didOpen(AppID(2), at: hour(6, 12))
        #expect(policy.rank(candidate(1), at: hour(6, 12.01)) < policy.rank(candidate(3), at: hour(6, 12.01)))
    }

    @Test func `old habits fade: what was opened daily until a month ago loses to what is opened daily now`() {
        var policy = Predicted(adjusted(.init()) { ($0.horizon, $0.halfLife) = (.hours(3), .days(7)) })
        for day in 0..<30 { policy.didOpen(AppID(0), at: hour(day, 9)) }
        for day in 30..<50 { policy.didOpen(AppID(1), at: hour(day, 9)) }
        #expect(policy.rank(candidate(0), at: hour(50, 8)) < policy.rank(candidate(1), at: hour(50, 8)))
    }

    @Test func `probabilities are probabilities, and grow with the horizon`() {
        var history = UseHistory(halfLife: .days(14))
        var random = PolicyRandom(seed: 8)
        for step in 0..<500 {
            history.recordOpen(AppID(Int(6 * random.nextUniform())), at: hour(step / 40, Double(step % 40) * 0.6))
        }
        for app in 0..<8 {
            var last = 0.0
            for hours in [0.1, 1, 5, 30, 100] {
                let chance = history.openProbability(AppID(app), within: .hours(hours), at: hour(13, 7.3))
                #expect((0...1).contains(chance) && chance >= last)
                last = chance
            }
        }
    }

    @Test func `a daily open at a known hour comes with nearly the chance that a Poisson stream of that rate has`() {
        var history = UseHistory(halfLife: .days(100_000))
        for day in 0..<400 { history.recordOpen(AppID(day % 2), at: hour(day, 9.5)) }
        // App 0 opens every other day between 9 and 10: half an open expected, and the next open is never its own twin.
        let chance = history.openProbability(AppID(0), within: .hour, at: hour(400, 9))
        let habit = 1 - 0.606_53
        let next = 1 - (1 - 1.0) * 0.606_53
        #expect(chance > habit - 0.02 && chance < next + 0.02)
    }

    @Test func `SmartLMK lets small slow apps live, and large fast ones die`() {
        var policy = SmartLMK()
        for app in 0..<4 { policy.didOpen(AppID(app), at: .zero) }
        let ranks = [(200.0, 0.5), (200, 2), (50, 0.5), (50, 2)].enumerated().map { app, model in
            policy.rank(candidate(app, mebibytes: model.0, seconds: model.1), at: .seconds(1))
        }
        #expect(ranks[0] < ranks[1] && ranks[0] < ranks[2] && ranks[1] < ranks[3] && ranks[2] < ranks[3])
        var perApp = SmartLMK(adjusted(.init()) { $0.perByte = false })
        for app in 0..<2 { perApp.didOpen(AppID(app), at: .zero) }
        #expect(
            perApp.rank(candidate(0, mebibytes: 50, seconds: 1), at: .seconds(1))
                < perApp.rank(candidate(1, mebibytes: 500, seconds: 2), at: .seconds(1)))
    }

    @Test func `an open counts half after the half-life, however many there were`() {
        func chances(halfLife: SimDuration) -> (old: Double, new: Double) {
            var policy = Predicted(
                adjusted(.init()) {
                    $0.horizon = .hours(1)
                    $0.halfLife = halfLife
                })
            // The one was opened every day for forty days, the other on each of the last ten.
            for day in 0..<40 { policy.didOpen(AppID(0), at: hour(day, 8.5)) }
            for day in 40..<50 { policy.didOpen(AppID(1), at: hour(day, 8.5)) }
            let now = hour(50, 8)
            return (policy.rank(candidate(0), at: now), policy.rank(candidate(1), at: now))
        }
        let long = chances(halfLife: .days(3650))
        #expect(long.old > long.new)
        let short = chances(halfLife: .days(5))
        #expect(short.new > 2 * short.old)
    }

    @Test func `an hour from half past is half of this hour and half of the next`() {
        func chance(opened at: Double) -> Double {
            var policy = Predicted(adjusted(.init()) { $0.horizon = .hours(1) })
            for day in 0..<30 { policy.didOpen(AppID(0), at: hour(day, at)) }
            // Somebody else was opened last, so that nothing follows from that.
            policy.didOpen(AppID(1), at: hour(29, 23))
            return policy.rank(candidate(0), at: hour(30, 10.5))
        }
        let (this, next, later) = (chance(opened: 10.2), chance(opened: 11.2), chance(opened: 12.2))
        #expect(this > 3 * later && next > 3 * later)
        #expect(abs(next / this - 1) < 0.25)
    }
}
