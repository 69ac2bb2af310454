// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// Cumulative arrivals of a mean day by hour; one instance serves all apps of a phone.
public struct DayCourse: Sendable {
    /// Number of edges: the start of each hour of a day, and the end of the last hour.
    private static let edges = 25
    /// Share of a day's arrivals before each edge, from 0 to 1; first for a working day, then for any other day.
    private let parts: [Double]
    private let profile: ArrivalProfile

    /// Creates the course from the hours of a profile.
    public init(_ profile: ArrivalProfile) {
        self.profile = profile
        var parts: [Double] = []
        for half in 0..<2 {
            let shares = profile.shares(half: half)
            let whole = shares.reduce(0, +)
            var sum = 0.0
            for share in shares {
                parts.append(sum / whole)
                sum += share
            }
            parts.append(1)
        }
        self.parts = parts
    }

    private func start(day: Int) -> Int { profile.start(day: day) == 0 ? 0 : Self.edges }

    /// Arrivals between the run's first midnight and an instant, in mean days.
    func passed(at time: SimTime) -> Double {
        let hour = time.hour
        let day = hour / 24
        let edge = start(day: day) + hour - day * 24
        let within = Double(time.nanoseconds - Int64(hour) * SimDuration.hour.nanoseconds) / 3.6e12
        return Double(day) + parts[edge] + (parts[edge + 1] - parts[edge]) * within
    }

    /// The instant by which arrivals of a number of mean days have passed.
    func time(at passed: Double) -> SimTime {
        let day = Int(passed)
        let part = passed - Double(day)
        let first = start(day: day)
        // The search starts near the hour that equal hours would give, and goes from there to the right hour.
        var hour = min(23, Int(part * 24))
        while parts[first + hour] > part { hour -= 1 }
        while parts[first + hour + 1] <= part, hour < 23 { hour += 1 }
        let (begin, end) = (parts[first + hour], parts[first + hour + 1])
        let midnight = SimTime(nanoseconds: Int64(day) * 24 * SimDuration.hour.nanoseconds)
        return midnight + .hours(Double(hour) + (part - begin) / (end - begin))
    }
}

/// Times of new content at an app's servers, drawn on demand; they do not depend on what the phone fetches.
///
/// The times are a Poisson process in mean days, stretched by the course of the day. Most content is never looked at
/// item by item. Passed arrivals are therefore counted in mean days, and only the last and the next one get an instant.
public struct ContentStream: Sendable {
    private let course: DayCourse
    private let perDay: Double
    private var stream: RandomStream
    /// Mean days up to the arrival that was last drawn.
    private var passed = 0.0
    /// Arrivals within this part of a mean day before an instant are compared by the clock: 86 microseconds, above any
    /// rounding.
    private static let margin = 1e-9

    /// Creates the stream of an app, keyed by its name.
    public init(app: AppModel, course: DayCourse, seed: UInt64, replication: Int) {
        self.course = course
        perDay = app.contentPerDay
        stream = StreamKeys(seed: seed, replication: replication).stream("content", entity: app.name)
    }

    /// Creates the stream of an app with its own profile.
    public init(app: AppModel, profile: ArrivalProfile, seed: UInt64, replication: Int) {
        self.init(app: app, course: DayCourse(profile), seed: seed, replication: replication)
    }

    private mutating func draw() {
        guard perDay > 0, passed < ArrivalProfile.horizonDays else { return passed = .infinity }
        passed += stream.exponential(mean: 1) / perDay
    }

    private var time: SimTime { passed < ArrivalProfile.horizonDays ? course.time(at: passed) : .distantFuture }

    /// The next arrival; `distantFuture` when there will be none within ten years.
    public mutating func next() -> SimTime {
        draw()
        return time
    }

    /// Passes over all arrivals up to an instant, which must not be before the last arrival drawn.
    ///
    /// - Returns: The last arrival passed, and the first one after it.
    public mutating func pass(_ now: SimTime) -> (newest: SimTime, next: SimTime) {
        let sure = course.passed(at: now) - Self.margin
        var newest = passed
        while passed < sure {
            newest = passed
            draw()
        }
        var (last, next) = (course.time(at: newest), time)
        while next <= now {
            last = next
            draw()
            next = time
        }
        return (last, next)
    }
}
