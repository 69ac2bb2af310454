// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities

/// The habits of one kind of user, as numbers; the files in models/personas give the source of each number.
///
/// A new persona does nothing; a file then sets its values. Hours are clock hours; hours above 24 belong to the next
/// day. Shares and probabilities go from 0 to 1.
public struct Persona: Sendable {
    /// Largest number of apps.
    public static let mostApps = 200_000

    /// Name in experiment files.
    public var name: String
    /// The studies and recordings from which the numbers come.
    public var grounding = ""
    /// Apps on the phone, unless the experiment says otherwise.
    public var installedApps = 0

    /// Pick-ups of the phone, and the apps in them.
    public var pickups = Pickups()
    /// Choice of apps.
    public var apps = AppChoice()
    /// Time that an app stays on screen.
    public var visit = LogNormal(mu: 0, sigma: 0)
    /// Length of a pick-up that opens no app.
    public var glance = LogNormal(mu: 0, sigma: 0)
    /// Visits to games, where they differ from other visits.
    public var games: Games?

    /// Episodes of series and films.
    public var episodes = Episodes()
    /// How apps are opened.
    public var openedBy = OpenShares()

    /// Notifications that reach the user per day; apps' own push rates are scaled by this number.
    public var notificationsPerDay = 0.0
    /// Timing and answers of notifications; if nil, each app's notifications come at random and no open answers them.
    public var notifications: Notifications?
    /// Times and kinds of charging.
    public var charging = Charging()
    /// Locations of the user.
    public var places = Places()
    /// Wi-Fi by location.
    public var wifi = WiFi()
    /// Gaps of the cellular network, and its use abroad.
    public var cellular = Cellular()
    /// Settings of the display.
    public var screen = Screen()
    /// Settings and habits that cause background work.
    public var background = BackgroundHabits()
    /// Temperature of the air around the phone, by hour of the day; a single value applies all day.
    ///
    /// The default is room temperature (assumption): phones are indoors or in a pocket most of the time.
    public var ambient = [Temperature.celsius(22)]
    /// Interruptions (calls and the like) per hour of screen time.
    public var interruptionsPerScreenHour = 0.0
    /// Length of an interruption.
    public var interruption = LogNormal(mu: 0, sigma: 0)
    /// Apps swiped away per day.
    public var forceQuitsPerDay = 0.0
    /// Restarts of the phone.
    public var restarts = Restarts()
    /// Installs of apps and their new versions.
    public var installs = Installs()

    /// Probability that a user who returns to an app and finds their work lost gives the app up for good.
    ///
    /// The default is zero, because no figure is published (assumption).
    public var givesUpAfterLoss = 0.0

    /// Age up to which an opened app's copy of its content counts as fresh; assumption, 15 min to a day.
    public var freshFor = SimDuration.hours(1)

    /// Number of days of the week, from Monday on, that have the profile of a working day.
    public var workdaysPerWeek = 5
    /// Relative activity in each hour of a working day, from midnight.
    public var workdayHours = [Double](repeating: 1, count: 24)
    /// Relative activity in each hour of any other day, from midnight.
    public var freeDayHours = [Double](repeating: 1, count: 24)
    /// Hours by which the user's free days run later than `freeDayHours`; working days run later by half as much.
    ///
    /// Working hours are fixed. Half the shift on working days is an assumption: alarm clocks cut the delay of late
    /// types (social jetlag, Roenneberg and others, doi:10.1016/j.cub.2012.03.038). Activity and nightly charges move;
    /// locations do not.
    public var dayShift = 0.0

    /// Creates a persona that never touches its phone.
    public init(name: String) { self.name = name }

    /// Temperature of the air in an hour of the day.
    public func ambient(hour: Int) -> Temperature {
        ambient.count == 24 ? ambient[hour] : ambient.first ?? .celsius(22)
    }

    /// This user with `dayShift` applied to hours and nightly charges.
    public var shifted: Persona {
        guard dayShift != 0 else { return self }
        var user = self
        user.workdayHours = Self.shifted(workdayHours, by: dayShift / 2)
        user.freeDayHours = Self.shifted(freeDayHours, by: dayShift)
        user.charging.nightPlug.mean += dayShift / 2
        user.charging.workdayUnplug.mean += dayShift / 2
        user.charging.freeDayUnplug.mean += dayShift
        user.dayShift = 0
        return user
    }

    /// Rates by hour of the day, moved to later hours; a part of an hour is divided between two hours.
    private static func shifted(_ hours: [Double], by shift: Double) -> [Double] {
        let whole = shift.rounded(.down)
        let part = shift - whole
        return hours.indices.map { hour in
            let first = ((hour - Int(whole)) % 24 + 24) % 24
            return (1 - part) * hours[first] + part * hours[(first + 23) % 24]
        }
    }

    /// Whether the persona can fill in this part of a recording; for restarts and installs, it needs a rate.
    package func has(_ part: WorkloadPart) -> Bool {
        switch part {
        case .restarts: restarts.perMonth > 0
        case .installs: installs.perMonth > 0 || installs.updatesPerMonth > 0
        case .silentPushes: false
        default: true
        }
    }

    /// Whether a day has the working-day profile; `weekday` is 0 on Monday.
    public func isWorkday(weekday: Int) -> Bool { weekday % 7 < workdaysPerWeek }
}

/// A lognormal distribution of lengths of time in seconds, cut at a longest length.
public struct LogNormal: Sendable, Equatable, BitwiseCopyable {
    /// Mean of ln(seconds), the logarithm of the median.
    public var mu: Double
    /// Standard deviation of ln(seconds).
    public var sigma: Double
    /// The longest length in seconds; longer draws are cut to it.
    public var cap: Double

    /// Creates a distribution; by default it has no cap.
    public init(mu: Double, sigma: Double, cap: Double = .infinity) {
        self.mu = mu
        self.sigma = sigma
        self.cap = cap
    }

    /// Creates a distribution from its median.
    public init(median: SimDuration, sigma: Double, cap: SimDuration = .max) {
        self.init(mu: log(median.seconds), sigma: sigma, cap: cap == .max ? .infinity : cap.seconds)
    }
}

/// A normal distribution of a clock hour.
public struct ClockHour: Sendable, Equatable, BitwiseCopyable {
    /// Mean, in hours after midnight.
    public var mean: Double
    /// Standard deviation, in hours.
    public var deviation: Double

    /// Creates a distribution from hours.
    public init(mean: Double, deviation: Double) {
        self.mean = mean
        self.deviation = deviation
    }
}
