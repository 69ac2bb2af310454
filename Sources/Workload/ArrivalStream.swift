// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

/// Distribution of arrivals over the hours of working days and other days, as shares of a mean day's arrivals per hour.
public struct ArrivalProfile: Sendable, BitwiseCopyable {
    /// Days after which an arrival counts as never.
    static let horizonDays = 3650.0
    /// Lowest rate at night as a share of the mean rate (models/recordings.md, section 5.5: 25-30 %).
    static let nightFloor = 0.275

    /// Shares of the hours of a working day, then of the hours of another day; each half adds up to 1.
    private var shares: InlineArray<48, Float>
    private let startWeekday: Int8
    private let workdaysPerWeek: Int8

    /// Creates the profile of a persona's activity, with quiet hours raised to `nightFloor`; `startWeekday` is 0 for
    /// Monday.
    public init(persona: Persona, startWeekday: Int) {
        shares = InlineArray(repeating: 0)
        self.startWeekday = Int8(startWeekday % 7)
        workdaysPerWeek = Int8(persona.workdaysPerWeek)
        for (half, weights) in [persona.workdayHours, persona.freeDayHours].enumerated() {
            let total = weights.reduce(0, +)
            let lifted = weights.map { max(total > 0 ? $0 / total : 1 / 24, Self.nightFloor / 24) }
            let sum = lifted.reduce(0, +)
            for hour in 0..<24 { shares[half * 24 + hour] = Float(lifted[hour] / sum) }
        }
    }

    /// The shares of the hours, from midnight on; `half` is 0 for a working day and 1 for any other day.
    func shares(half: Int) -> [Double] { (0..<24).map { Double(shares[half * 24 + $0]) } }

    /// Index at which the shares of a day begin; days are counted from the run's first midnight.
    @inline(__always)
    func start(day: Int) -> Int { (Int(startWeekday) + day) % 7 < Int(workdaysPerWeek) ? 0 : 24 }

    /// The share of a day's arrivals in an hour; the index is `start` plus the hour.
    ///
    /// The method is mutating, so that reading one share does not copy all shares.
    @inline(__always)
    mutating func share(_ index: Int) -> Double { Double(shares[index]) }
}

/// A Poisson process over a profile, drawn one arrival at a time by inverting its integral.
struct ArrivalProcess: Sendable, BitwiseCopyable {
    private var profile: ArrivalProfile
    private let perDay: Double
    private(set) var stream: RandomStream
    private var last = SimTime.zero

    init(profile: ArrivalProfile, perDay: Double, stream: RandomStream) {
        self.profile = profile
        self.perDay = perDay
        self.stream = stream
    }

    /// The next arrival; `distantFuture` when there are none within ten years.
    mutating func next() -> SimTime {
        guard perDay > 0, last != .distantFuture else { return .distantFuture }
        var left = stream.exponential(mean: 1) / perDay
        var hour = last.hour
        var within = Double(last.nanoseconds - Int64(hour) * SimDuration.hour.nanoseconds) / 3.6e12
        if left > 2 {
            var index = profile.start(day: hour / 24) + hour % 24
            left -= profile.share(index) * (1 - within)
            within = 0
            hour += 1
            while hour % 24 != 0 {
                index += 1
                left -= profile.share(index)
                hour += 1
            }
            // Under any profile, every day uses up 1.
            let days = min(left.rounded(.down), ArrivalProfile.horizonDays)
            left -= days
            hour += 24 * Int(days)
        }
        guard left < 2 else {
            last = .distantFuture
            return last
        }
        return advance(by: left, from: hour, within)
    }

    /// The instant at which the sum of the shares, from a part of an hour on, reaches an amount.
    @inline(__always)
    private mutating func advance(by amount: Double, from start: Int, _ part: Double) -> SimTime {
        var (left, hour, within) = (amount, start, part)
        var day = hour / 24
        while true {
            let midnight = 24 * day
            let first = profile.start(day: day)
            while hour < midnight + 24 {
                let share = profile.share(first + hour - midnight)
                let available = share * (1 - within)
                if available >= left {
                    last = SimTime.zero + SimDuration(nanoseconds: Int64(hour) * SimDuration.hour.nanoseconds)
                    last += .hours(within + max(left, 0) / share)
                    return last
                }
                left -= available
                hour += 1
                within = 0
            }
            day += 1
        }
    }

    /// A uniform draw from the same stream.
    mutating func uniform() -> Double { stream.uniform() }
}

/// Times of pushes to an app, drawn on demand from a Poisson process; some pushes are followed by another within
/// seconds.
public struct PushStream: Sendable, BitwiseCopyable {
    /// Share of pushes less than five seconds after another (models/recordings.md, section 2.4: 13-14 %).
    static let burstShare = 0.13
    /// The longest time between the pushes of a burst, in seconds (the same section).
    static let burstSeconds = 5.0
    /// Notifications per day of the persona `average`, to which an app's own push rate refers.
    public static let referencePerDay = 130.0

    private var process: ArrivalProcess
    private var nextBase: SimTime
    private var pending = SimTime.distantFuture

    /// Creates the stream of an app, keyed by its name; the rate is scaled by the persona's notifications.
    public init(app: AppModel, persona: Persona, profile: ArrivalProfile, seed: UInt64, replication: Int) {
        let keys = StreamKeys(seed: seed, replication: replication)
        let perDay = app.pushesPerDay * persona.notificationsPerDay / Self.referencePerDay
        process = ArrivalProcess(
            profile: profile, perDay: perDay * (1 - Self.burstShare), stream: keys.stream("pushes", entity: app.name))
        nextBase = process.next()
    }

    /// Creates the stream of an app's silent pushes, which depend on its servers and not on the user.
    public init(silentTo app: AppModel, profile: ArrivalProfile, seed: UInt64, replication: Int) {
        let keys = StreamKeys(seed: seed, replication: replication)
        process = ArrivalProcess(
            profile: profile, perDay: app.traits.silentPushesPerDay * (1 - Self.burstShare),
            stream: keys.stream("silent pushes", entity: app.name))
        nextBase = process.next()
    }

    /// The next push; `distantFuture` when there will be none.
    public mutating func next() -> SimTime {
        let time: SimTime
        if pending <= nextBase {
            time = pending
            pending = .distantFuture
        } else {
            time = nextBase
            nextBase = process.next()
        }
        if time != .distantFuture && pending == .distantFuture && process.uniform() < Self.burstShare {
            pending = time + .seconds(Self.burstSeconds * process.uniform())
        }
        return time
    }
}
