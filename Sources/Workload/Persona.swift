// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities

/// The habits of one kind of user, as numbers; the files in models/personas say where each comes from.
///
/// A new persona does nothing at all; a file then sets what it knows. Hours are clock hours; hours above 24 belong to
/// the next day. Shares and probabilities run from 0 to 1.
public struct Persona: Sendable {
    /// Largest number of apps.
    public static let mostApps = 200_000

    /// Name in experiment files.
    public var name: String
    /// The studies and recordings the numbers come from.
    public var grounding = ""
    /// Apps on the phone, unless the experiment says otherwise.
    public var installedApps = 0

    /// Pick-ups of the phone and what they are for.
    public var pickups = Pickups()
    /// Which apps are opened.
    public var apps = AppChoice()
    /// Time an app stays on screen.
    public var visit = LogNormal(mu: 0, sigma: 0)
    /// Length of a pick-up that opens no app.
    public var glance = LogNormal(mu: 0, sigma: 0)
    /// Play with a game, where it differs from other visits.
    public var games: Games?

    /// Episodes of series and films.
    public var episodes = Episodes()
    /// By what apps are opened.
    public var openedBy = OpenShares()

    /// Notifications that reach the user per day; apps' own push rates are scaled by it.
    public var notificationsPerDay = 0.0
    /// How they come and are answered; nil where each app's come at random and no open answers them.
    public var notifications: Notifications?
    /// When and how the phone is charged.
    public var charging = Charging()
    /// Where the user is.
    public var places = Places()
    /// Wi-Fi by location.
    public var wifi = WiFi()
    /// Gaps of the cellular network, and its use abroad.
    public var cellular = Cellular()
    /// How the display is set.
    public var screen = Screen()
    /// Settings and habits that cause background work.
    public var background = BackgroundHabits()
    /// Temperature of the air around the phone, by hour of the day; a single value holds all day.
    ///
    /// A room by default (assumption): phones are indoors or in a pocket most of the time.
    public var ambient = [Temperature.celsius(22)]
    /// Interruptions (calls and the like) per hour of screen time.
    public var interruptionsPerScreenHour = 0.0
    /// Length of an interruption.
    public var interruption = LogNormal(mu: 0, sigma: 0)
    /// Apps swiped away per day.
    public var forceQuitsPerDay = 0.0
    /// When the phone is switched off and on again.
    public var restarts = Restarts()
    /// When apps and their new versions are installed.
    public var installs = Installs()

    /// Probability that the user gives an app up for good when they come back to it and find their work lost;
    /// assumption: none, since nobody has published it.
    public var givesUpAfterLoss = 0.0

    /// How old the copy of its content may be that an app shows when it is opened, so that it counts as fresh;
    /// assumption, 15 min to a day.
    public var freshFor = SimDuration.hours(1)

    /// Days of the week, from Monday, with the profile of a working day.
    public var workdaysPerWeek = 5
    /// Relative activity in each hour of a working day, from midnight.
    public var workdayHours = [Double](repeating: 1, count: 24)
    /// Relative activity in each hour of any other day, from midnight.
    public var freeDayHours = [Double](repeating: 1, count: 24)
    /// How much later than these hours the user lives on free days, in hours; on working days half of it.
    ///
    /// Work begins when it begins (assumption: half; what alarm clocks take from late types on working days, Roenneberg
    /// and others call social jetlag, doi:10.1016/j.cub.2012.03.038). Activity and nightly charges move; places do not.
    public var dayShift = 0.0

    /// Creates a persona that never touches its phone.
    public init(name: String) { self.name = name }

    /// Temperature of the air in an hour of the day.
    public func ambient(hour: Int) -> Temperature {
        ambient.count == 24 ? ambient[hour] : ambient.first ?? .celsius(22)
    }

    /// The same user with the shift of the day worked into hours and nightly charges.
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

    /// Rates by hour of the day that begin later; parts of an hour are shared out between two.
    private static func shifted(_ hours: [Double], by shift: Double) -> [Double] {
        let whole = shift.rounded(.down)
        let part = shift - whole
        return hours.indices.map { hour in
            let first = ((hour - Int(whole)) % 24 + 24) % 24
            return (1 - part) * hours[first] + part * hours[(first + 23) % 24]
        }
    }

    /// Whether a recording without a part has it filled in; what happens now and then has to be said.
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

/// A lognormal distribution of lengths of time in seconds, cut at a longest one.
public struct LogNormal: Sendable, Equatable, BitwiseCopyable {
    /// Mean of ln(seconds), the logarithm of the median.
    public var mu: Double
    /// Standard deviation of ln(seconds).
    public var sigma: Double
    /// The longest length in seconds; longer draws become this.
    public var cap: Double

    /// Creates a distribution; without a cap there is none.
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
