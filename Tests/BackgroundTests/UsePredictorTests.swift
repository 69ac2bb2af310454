// SPDX-License-Identifier: GPL-3.0-or-later
import Background
import Quantities
import Testing
import Vocabulary

@Suite struct UsePredictorTests {
    /// A user with four habits: mornings on weekdays, all day, weekend afternoons, and one app never opened.
    static func opens(days: Int, seed: UInt64) -> [(time: SimTime, app: Int)] {
        var random = PolicyRandom(seed: seed)
        var list: [(time: SimTime, app: Int)] = []
        for day in 0..<days {
            let midnight = SimTime.zero + .days(Double(day))
            let isWeekend = day % 7 >= 5
            if !isWeekend, random.nextUniform() < 0.7 {
                list.append((midnight + .minutes(450 + 30 * random.nextUniform()), 0))
            }
            for halfHour in 16..<46 where random.nextUniform() < 0.15 {
                list.append((midnight + .minutes(30 * (Double(halfHour) + random.nextUniform())), 1))
            }
            if isWeekend, random.nextUniform() < 0.8 {
                list.append((midnight + .minutes(840 + 60 * random.nextUniform()), 2))
            }
        }
        return list.sorted { $0.time < $1.time }
    }

    @Test func `it knows nothing at first and expects little`() {
        var predictor = UsePredictor(apps: 2, startWeekday: 0)
        #expect(predictor.openLikelihood(AppID(0), at: .zero + .hours(9)) < 0.01)
    }

    @Test func `apps never opened have one likelihood, and those opened are listed once each`() {
        var predictor = UsePredictor(apps: 4, startWeekday: 0)
        let opens = Self.opens(days: 20, seed: 3)
        for open in opens { predictor.noteOpen(AppID(open.app), at: open.time) }
        var order: [AppID] = []
        for open in opens where !order.contains(AppID(open.app)) { order.append(AppID(open.app)) }
        #expect(predictor.opened == order && order.count == 3)
        let now = SimTime.zero + .days(21) + .hours(9)
        let others = predictor.likelihoodOfOthers(at: now)
        #expect(predictor.openLikelihood(AppID(3), at: now) == others)
        // The three others lean on what was seen of them.
        #expect((0..<3).allSatisfy { predictor.openLikelihood(AppID($0), at: now) > others })
    }

    @Test func `a habit of weekday mornings is expected on weekday mornings only`() {
        var predictor = UsePredictor(apps: 4, startWeekday: 0)
        for open in Self.opens(days: 56, seed: 3) { predictor.noteOpen(AppID(open.app), at: open.time) }
        func likelihood(_ app: Int, day: Double, hour: Double) -> Double {
            predictor.openLikelihood(AppID(app), at: .zero + .days(day) + .hours(hour))
        }
        // Day 56 is a Monday again.
        #expect(abs(likelihood(0, day: 56, hour: 7.5) - 0.7) < 0.15)
        #expect(likelihood(0, day: 56, hour: 3) < 0.02)
        #expect(likelihood(0, day: 61, hour: 7.5) < 0.2)
        #expect(abs(likelihood(2, day: 61, hour: 14.0) - 0.4) < 0.2)
        #expect(likelihood(3, day: 61, hour: 14) < 0.01)
    }

    @Test func `an app opened a moment ago by somebody who returns is expected again`() {
        var predictor = UsePredictor(apps: 1, startWeekday: 0)
        for step in 0..<40 { predictor.noteOpen(AppID(0), at: .zero + .minutes(Double(step) * 10)) }
        let last = SimTime.zero + .minutes(390)
        #expect(predictor.openLikelihood(AppID(0), at: last) > 0.8)
        #expect(predictor.openLikelihood(AppID(0), at: last + .days(1) + .hours(6)) < 0.1)
    }

    @Test func `of the half hours it calls likely as many are followed by an open as it says`() {
        var predictor = UsePredictor(apps: 4, startWeekday: 0)
        let opens = Self.opens(days: 140, seed: 11)
        let buckets = [0.0, 0.05, 0.2, 1.01]
        var said = [Double](repeating: 0, count: 3)
        var happened = [Double](repeating: 0, count: 3)
        var asked = [Double](repeating: 0, count: 3)
        var next = 0
        for step in 0..<(140 * 96) {
            // Off the grid of half hours, so that windows straddle two of them.
            let now = SimTime.zero + .minutes(15 * Double(step) + 7)
            while next < opens.count, opens[next].time <= now {
                predictor.noteOpen(AppID(opens[next].app), at: opens[next].time)
                next += 1
            }
            guard now.day >= 28 else { continue }
            let soon = opens[next...].prefix { $0.time <= now + .minutes(30) }
            for app in 0..<4 {
                let likelihood = predictor.openLikelihood(AppID(app), at: now)
                let bucket = buckets.lastIndex { $0 <= likelihood } ?? 0
                said[bucket] += likelihood
                happened[bucket] += soon.contains { $0.app == app } ? 1 : 0
                asked[bucket] += 1
            }
        }
        for bucket in 0..<3 {
            #expect(asked[bucket] > 100)
            let mean = said[bucket] / asked[bucket]
            let rate = happened[bucket] / asked[bucket]
            // Within a quarter, or two per cent where both are small.
            #expect(abs(mean - rate) < max(0.02, 0.25 * rate), "said \(mean), happened \(rate)")
        }
    }
}
