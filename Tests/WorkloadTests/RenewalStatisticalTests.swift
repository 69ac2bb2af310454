// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Numerics
import Quantities
import RandomStreams
import Testing
import Vocabulary
import WorkloadFixtures

@testable import Workload

/// The renewal process of pick-ups against theory: gaps on the clock of activity are independent Weibull numbers
/// (time change: Brown and others 2002, doi:10.1162/08997660252741149), and with shape 1 pick-ups are those of a
/// Poisson process thinned to the hours (Lewis and Shedler 1979, doi:10.1002/nav.3800260304).
///
/// Clocks, thinning and distributions are worked out here, by nothing of the generator.
@Suite struct RenewalStatisticalTests {
    private static let days = 2800

    /// Looks at the phone for hardly any time, so that all the time is a gap.
    private static func user(shape: Double, daySigma: Double = 0) -> Persona {
        var persona = averagePersona()
        persona.pickups.perDay = 95
        persona.pickups.daySigma = daySigma
        persona.pickups.gapShape = shape
        persona.pickups.glanceShare = 1
        persona.glance = LogNormal(mu: 0.5, sigma: 0)
        return persona
    }

    private static func starts(_ persona: Persona) -> [SimTime] {
        allDays(persona, seed: 17, days: days).days.joined().filter { $0.kind == .unlock }.map(\.time)
    }

    /// From the end of each pick-up to the next, on some clock.
    private static func gaps(_ persona: Persona, _ clock: (SimTime) -> Double) -> [Double] {
        var last: Double?
        var gaps: [Double] = []
        for intent in allDays(persona, seed: 17, days: days).days.joined() {
            if intent.kind == .unlock, let last { gaps.append(clock(intent.time) - last) }
            if intent.kind == .lock { last = clock(intent.time) }
        }
        return gaps
    }

    /// Activity from the first midnight to an instant, in mean days: the integral of the persona's rate.
    private static func activity(_ time: SimTime, _ persona: Persona) -> Double {
        let seconds = time.seconds
        let day = Int(seconds / 86400)
        func rates(_ day: Int) -> (hours: [Double], factor: Double) {
            let isWorkday = day % 7 < 5
            let hours = isWorkday ? persona.workdayHours : persona.freeDayHours
            return (hours, isWorkday ? persona.pickups.workdayFactor : persona.pickups.freeDayFactor)
        }
        let week = 5 * persona.pickups.workdayFactor + 2 * persona.pickups.freeDayFactor
        var sum = Double(day / 7) * week
        for before in 0..<(day % 7) { sum += rates(before).factor }
        let today = rates(day)
        let total = today.hours.reduce(0, +)
        let hour = (seconds - Double(day) * 86400) / 3600
        for (index, weight) in today.hours.enumerated() {
            sum += today.factor * weight / total * min(max(hour - Double(index), 0), 1)
        }
        return sum
    }

    /// The largest distance between what was found and a distribution.
    private static func distance(_ values: [Double], _ expected: (Double) -> Double) -> Double {
        let sorted = values.sorted()
        return sorted.enumerated().reduce(0) { most, entry in
            let at = expected(entry.element)
            let (low, high) = (Double(entry.offset), Double(entry.offset + 1))
            return max(most, at - low / Double(sorted.count), high / Double(sorted.count) - at)
        }
    }

    @Test(arguments: [0.5, 0.56, 1.0])
    func `on the clock of activity gaps are independent Weibull numbers`(shape: Double) {
        let persona = Self.user(shape: shape)
        let gaps = Self.gaps(persona) { Self.activity($0, persona) }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        // A gap lasts for a second at least, which is 2.2e-5 of a mean day in the busiest hour: shorter ones are cut.
        let least = 2.5e-5 / mean
        let found = gaps.map { $0 / mean }.filter { $0 > least }
        func weibull(_ shape: Double) -> (Double) -> Double {
            let scale = 1 / tgamma(1 + 1 / shape)
            func all(_ gap: Double) -> Double { 1 - exp(-pow(gap / scale, shape)) }
            return { (all($0) - all(least)) / (1 - all(least)) }
        }
        // 240,000 gaps and more: by chance .0033 in one case of a hundred.
        let distance = Self.distance(found, weibull(shape))
        #expect(distance < 0.005, "\(distance)")
        for other in [shape - 0.03, shape + 0.03] { #expect(Self.distance(found, weibull(other)) > 0.006) }
        // Independent of the gap before: logarithms of neighbours are not correlated, good to .002.
        let logarithms = gaps.map { log(max($0, 1e-9)) }
        #expect(abs(correlation(Array(logarithms.dropLast()), Array(logarithms.dropFirst()))) < 0.01)
    }

    /// Without the clock of activity the same gaps are far from Weibull's: the test above can tell.
    @Test func `on the clock on the wall they are not`() {
        let persona = Self.user(shape: 0.56)
        let gaps = Self.gaps(persona, \.seconds)
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let scale = 1 / tgamma(1 + 1 / 0.56)
        #expect(Self.distance(gaps.map { $0 / mean }) { 1 - exp(-pow($0 / scale, 0.56)) } > 0.04)
    }

    @Test func `with shape 1 pick-ups are those of a Poisson process thinned to the hours`() {
        var persona = Self.user(shape: 1)
        persona.glance = LogNormal(mu: -20, sigma: 0)
        let starts = Self.starts(persona).map(\.seconds)
        // A homogeneous process of the busiest hour's rate, of which each point stays with the hour's share of it.
        var stream = RandomStream(seed: 23, replication: 0, entity: "thinning", purpose: "points")
        let hours = [persona.workdayHours, persona.freeDayHours].map { hours in
            hours.map { $0 / hours.reduce(0, +) }
        }
        func rate(_ seconds: Double) -> Double {
            let isWorkday = Int(seconds / 86400) % 7 < 5
            let factor = isWorkday ? persona.pickups.workdayFactor : persona.pickups.freeDayFactor
            let hour = Int(seconds.truncatingRemainder(dividingBy: 86400) / 3600)
            return 95 * factor * hours[isWorkday ? 0 : 1][hour] / 3600
        }
        let most = 95 / 3600 * max(hours[0].max() ?? 0, hours[1].max() ?? 0)
        var thinned: [Double] = []
        var now = 0.0
        while true {
            now += stream.exponential(mean: 1 / most)
            guard now < Double(Self.days) * 86400 else { break }
            if stream.uniform() * most < rate(now) { thinned.append(now) }
        }
        // 260,000 points each: .3 %. A pick-up lasts for a second at least, and so does a gap: 2 s of 900 less.
        let both = [starts, thinned]
        #expect(abs(Double(starts.count) / Double(thinned.count) - 1) < 0.01, "\(starts.count) \(thinned.count)")
        let gaps = both.map { times in zip(times.dropFirst(), times).map { $0 - $1 }.sorted() }
        let most1 = gaps[0].indices.reduce(0.0) { most, index in
            let below = gaps[1].partitioningIndex { $0 > gaps[0][index] }
            return max(most, abs(Double(index + 1) / Double(gaps[0].count) - Double(below) / Double(gaps[1].count)))
        }
        #expect(most1 < 0.012, "\(most1)")
        // Days are Poisson's: variance over mean 1 by kind of day, good to .03 each.
        for (isFree, times) in [(false, starts), (true, starts), (false, thinned), (true, thinned)] {
            var counts = [Double](repeating: 0, count: Self.days)
            for time in times { counts[Int(time / 86400)] += 1 }
            let kind = counts.indices.filter { ($0 % 7 >= 5) == isFree }.map { counts[$0] }
            let moments = Moments(kind)
            #expect(abs(moments.variance / moments.mean - 1) < 0.15, "\(moments.variance / moments.mean)")
        }
    }
}

extension Array where Element == Double {
    /// Where the numbers of a sorted list begin for which this holds.
    fileprivate func partitioningIndex(_ holds: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
