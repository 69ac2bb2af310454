// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension Persona {
    /// Pick-ups: how often, how regularly, and with how many apps each (models/recordings.md, sections 5.1 and 5.2).
    public struct Pickups: Sendable {
        /// Screen sessions on a mean working day.
        public var perDay = 0.0
        /// Standard deviation of the logarithm of a day's factor.
        public var daySigma = 0.0
        /// Correlation of that logarithm from day to day.
        public var dayCorrelation = 0.0
        /// Factor that multiplies the number of pick-ups on working days.
        public var workdayFactor = 1.0
        /// Factor that multiplies the number of pick-ups on other days.
        public var freeDayFactor = 1.0
        /// Shape of the Weibull distribution of gaps in operational time; its mean is matched to `perDay`.
        public var gapShape = 1.0
        /// Share of pick-ups that open no app.
        public var glanceShare = 0.0
        /// Mean number of further apps in a pick-up that opens an app.
        public var extraAppsMean = 0.0
        /// Shape r of the negative binomial distribution of that number.
        public var extraAppsShape = 1.0

        /// Creates habits without any activity.
        public init() {}
    }

    /// Which app comes next (models/recordings.md, section 5.3).
    public struct AppChoice: Sendable {
        /// Number of apps among which the user chooses.
        public var active = 0
        /// Zipf exponent over the active apps.
        public var zipf = 0.0
        /// Probability that a session begins with the app that was opened last.
        public var repeatLast = 0.0
        /// Probability that the user returns to the app before the present one; not for the first app of a session.
        public var goBack = 0.0
        /// Number of apps tried for the first time per day, at most one.
        public var newPerDay = 0.0
        /// Whether the first app of a session is drawn among all apps, the last one included.
        public var firstMayRepeat = false

        /// Creates habits without any activity.
        public init() {}
    }

    /// Play: games take a fixed share of the launches and have their own lengths of visits.
    public struct Games: Sendable {
        /// Share of launches that open a game.
        public var shareOfLaunches: Double
        /// Time on screen of a visit to a game.
        public var visit: LogNormal
        /// Probability that a player with a low battery plugs in while playing.
        public var chargeWhilePlaying: Double

        /// Creates the habits of a player.
        public init(shareOfLaunches: Double, visit: LogNormal, chargeWhilePlaying: Double) {
            self.shareOfLaunches = shareOfLaunches
            self.visit = visit
            self.chargeWhilePlaying = chargeWhilePlaying
        }
    }

    /// Episodes of series, films and the like, which are watched to the end.
    ///
    /// In a share of the launches, the user opens a video app for an episode instead of the drawn app.
    public struct Episodes: Sendable {
        /// Share of launches that open an episode.
        public var shareOfLaunches = 0.0
        /// Length of an episode; the default is an assumption for an episode of a series.
        public var visit = LogNormal(median: .minutes(25), sigma: 0.5)

        /// Creates the habits of a user without episodes.
        public init() {}
    }

    /// Charging: a nightly plug-in, and top-ups with a hazard that falls with the level (models/recordings.md,
    /// sections 2.5 and 5.6).
    public struct Charging: Sendable {
        /// Probability of the nightly charge.
        public var nightProbability = 0.0
        /// Battery level at or below which the nightly charge begins; users whose battery lasts another day forget or
        /// skip the charge.
        public var nightLevel = 1.0
        /// Standard deviation of this level from night to night.
        public var nightLevelDeviation = 0.0
        /// Beginning of the nightly charge.
        public var nightPlug = ClockHour(mean: 23, deviation: 0)
        /// End of the nightly charge on a working day.
        public var workdayUnplug = ClockHour(mean: 7, deviation: 0)
        /// End of the nightly charge on any other day.
        public var freeDayUnplug = ClockHour(mean: 7, deviation: 0)
        /// Plug-ins per hour at home with an empty battery, h0 of h(L) = h0 exp(-L/L0).
        public var topUpsPerHour = 0.0
        /// L0 of that hazard, as a share of the battery.
        public var topUpLevelScale = 0.0
        /// Length of a top-up; except at home and abroad, leaving the location ends the top-up earlier.
        public var topUpLength = LogNormal(mu: 0, sigma: 0)
        /// Probability of charging on a commute.
        public var carProbability = 0.0
        /// Probability of charging at work on a working day.
        public var workProbability = 0.0
        /// Level at or below which the charger at work or in the car is used.
        public var convenienceLevel = 0.0
        /// Power of the nightly charger.
        public var chargerPower = Power.watts(0)
        /// Power of the chargers of top-ups, at home and elsewhere; zero for the power of the nightly charger.
        ///
        /// Ports of desks and cars, pads and power banks give less than the charger at the bed. USB 2.0 gives 2.5 W and
        /// USB Battery Charging 1.2 up to 7.5 W (usb.org). The baseline profile of Qi gives 5 W
        /// (wirelesspowerconsortium.com).
        public var topUpPower = Power.watts(0)
        /// Whether charging pauses at 80 % overnight.
        public var optimizedCharging = false
        /// Probability that the user accepts Low Power Mode when it is offered.
        public var acceptsLowPowerMode = 0.0

        /// Creates habits without any activity.
        public init() {}

        /// Power of a top-up's charger, in watts.
        var topUpWatts: Double { topUpPower > .zero ? topUpPower.watts : chargerPower.watts }

        /// Makes a charger the user's only one.
        public mutating func charge(with power: Power) {
            chargerPower = power
            topUpPower = .zero
        }
    }

    /// The locations of a working day, in clock hours; the user is at home the rest of the time, except for outings.
    public struct Places: Sendable {
        /// Time at work.
        public var work: [ClosedRange<Double>] = []
        /// Time in transit.
        public var commute: [ClosedRange<Double>] = []
        /// Outings on a working day, during time at home.
        public var workdayOuting = Outing()
        /// Outings on another day.
        public var freeDayOuting = Outing()
        /// Journeys abroad per year; a journey takes whole days.
        public var tripsPerYear = 0.0
        /// Length of a journey.
        public var tripLength = LogNormal(median: .days(7), sigma: 0.7)
        /// Standard deviation, about zero, of the difference between a journey's time zone and that of home.
        public var tripZoneDeviation = SimDuration.zero
        /// Holidays and days of leave per year that are spent as free days.
        public var daysOffPerYear = 0.0

        /// Creates habits without any activity.
        public init() {}
    }

    /// At most one stay away from home and work on a day.
    public struct Outing: Sendable {
        /// Probability of an outing.
        public var probability = 0.0
        /// Beginning of the outing.
        public var start = ClockHour(mean: 12, deviation: 0)
        /// Length of the outing.
        public var length = LogNormal(mu: 0, sigma: 0)

        /// Creates habits without any activity.
        public init() {}
    }

    /// Restarts of the phone: by its user after a session, or by the phone itself at night.
    public struct Restarts: Sendable {
        /// Restarts in 30 days; at most one a day.
        public var perMonth = 0.0
        /// Share of the restarts that come at night, such as updates of the system (assumption: half).
        public var nightShare = 0.5

        /// Creates a phone that is never switched off.
        public init() {}
    }

    /// Installs on the phone: new apps by the user at the end of a session, and automatic new versions.
    ///
    /// Installs cause no opens; `AppChoice.newPerDay` determines first uses.
    public struct Installs: Sendable {
        /// Apps not used yet that the user installs in 30 days; at most one a day.
        public var perMonth = 0.0
        /// New versions of each app in 30 days; at most one a day.
        public var updatesPerMonth = 0.0
        /// Share of the new versions that come at night; the others come at an hour of the user's activity.
        ///
        /// Assumption: four in five, because phones update apps while they charge and are not used.
        public var nightShare = 0.8

        /// Creates a phone without installs.
        public init() {}
    }

    /// Settings and habits that cause background work.
    public struct BackgroundHabits: Sendable {
        /// Share of the apps with Background App Refresh switched on.
        public var refreshEnabledShare = 0.0
        /// Apps that may send notifications.
        public var pushApps = 0
        /// Share of the apps that may show no notifications, because the user refused their request.
        ///
        /// In 2024, 49 % of iPhone users and 19 % of Android users refused (Airship and Batch, quoted by
        /// pushwoosh.com). The default is zero, because the notification rates come from apps that were allowed to
        /// notify.
        public var refusedShare = 0.0
        /// Apps that follow the user's location.
        public var locationApps = 0
        /// Time a day with audio in the background.
        public var audioPerDay = SimDuration.zero
        /// Time a day with navigation in the background.
        public var navigationPerDay = SimDuration.zero
        /// Number of widgets that the user keeps in places that are often seen.
        public var widgets = 0
        /// Processing tasks per day that need the charger.
        public var processingTasksPerDay = 0.0

        /// Creates habits without any activity.
        public init() {}
    }
}

extension Persona.Pickups {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Pickups>] = [
        .number(\.perDay, "per_day", 0...100_000, example: "100"),
        .number(\.daySigma, "day_sigma", 0...3, example: "0.35"),
        .number(\.dayCorrelation, "day_correlation", -0.99...0.99, example: "0.2"),
        .number(\.workdayFactor, "workday_factor", 0...1000, example: "1.0"),
        .number(\.freeDayFactor, "free_day_factor", 0...1000, example: "1.0"),
        .number(\.gapShape, "gap_shape", 0.1...20, example: "0.56"),
        .share(\.glanceShare, "glance_share"),
        .number(\.extraAppsMean, "extra_apps_mean", 0...100, example: "1.6"),
        .number(\.extraAppsShape, "extra_apps_shape", 0.01...1000, example: "0.25"),
    ]
}

extension Persona.AppChoice {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.AppChoice>] = [
        .integer(\.active, "active", 1...Persona.mostApps, example: "40"),
        .number(\.zipf, "zipf", 0...10, example: "1.6"),
        .share(\.repeatLast, "repeat_last"),
        .share(\.goBack, "go_back"),
        .number(\.newPerDay, "new_per_day", 0...1000, example: "0.15"),
        .flag(\.firstMayRepeat, "first_may_repeat"),
    ]
}

extension Persona.BackgroundHabits {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.BackgroundHabits>] = [
        .share(\.refreshEnabledShare, "refresh_enabled_share"),
        .integer(\.pushApps, "push_apps", 0...Persona.mostApps, example: "18"),
        .share(\.refusedShare, "refused_share"),
        .integer(\.locationApps, "location_apps", 0...Persona.mostApps, example: "1"),
        .time(\.audioPerDay, "audio_per_day", 0...86400),
        .time(\.navigationPerDay, "navigation_per_day", 0...86400),
        .integer(\.widgets, "widgets", 0...Persona.mostApps, example: "4"),
        .number(\.processingTasksPerDay, "processing_tasks_per_day", 0...100_000, example: "100"),
    ]
}

extension Persona {
    /// The keys in files of the values of the persona itself, with their allowed ranges.
    public static let keys: [FileKey<Persona>] = [
        .integer(\.installedApps, "installed_apps", 1...mostApps, example: "80"),
        .number(\.notificationsPerDay, "notifications_per_day", 0...100_000, example: "100"),
        .number(\.interruptionsPerScreenHour, "interruptions_per_screen_hour", 0...100_000, example: "100"),
        .number(\.forceQuitsPerDay, "force_quits_per_day", 0...100_000, example: "100"),
        .share(\.givesUpAfterLoss, "gives_up_after_loss"),
        .time(\.freshFor, "fresh_for", 60...(30 * 86400)),
        .integer(\.workdaysPerWeek, "workdays_per_week", 0...7, example: "5"),
        .spread(\.visit, "visit"), .spread(\.glance, "glance"), .spread(\.interruption, "interruption"),
        .map(
            "restarts",
            [
                .number(\.restarts.perMonth, "per_month", 0...30, example: "1"),
                .share(\.restarts.nightShare, "night_share"),
            ]),
        .map(
            "installs",
            [
                .number(\.installs.perMonth, "per_month", 0...30, example: "3"),
                .number(\.installs.updatesPerMonth, "updates_per_month", 0...30, example: "2"),
                .share(\.installs.nightShare, "night_share"),
            ]),
    ]
}

extension Persona.Charging {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Charging>] = [
        .share(\.nightProbability, "night_probability"),
        .share(\.nightLevel, "night_level"), .share(\.nightLevelDeviation, "night_level_deviation"),
        .number(\.topUpsPerHour, "top_ups_per_hour", 0...1000, example: "0.45"),
        .quantity(\.topUpLevelScale, "top_up_level_scale", .fraction, 0.001...100),
        .share(\.carProbability, "car_probability"),
        .share(\.workProbability, "work_probability"),
        .share(\.convenienceLevel, "convenience_level"),
        .amount(\.chargerPower, "charger_power", .power, 0.1...1000),
        .amount(\.topUpPower, "top_up_power", .power, 0.1...1000),
        .flag(\.optimizedCharging, "optimized_charging"),
        .share(\.acceptsLowPowerMode, "accepts_low_power_mode"),
        .clock(\.nightPlug, "night_plug"), .clock(\.workdayUnplug, "workday_unplug"),
        .clock(\.freeDayUnplug, "free_day_unplug"), .spread(\.topUpLength, "top_up_length"),
    ]
}

extension Persona.WiFi {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.WiFi>] = [
        .share(\.home, "home"),
        .share(\.work, "work"),
        .share(\.transit, "transit"),
        .share(\.other, "other"),
        .share(\.abroad, "abroad"),
        .number(\.countryFactor, "country_factor", 0...10, example: "1.0"),
        .number(\.roamsPerHour, "roams_per_hour", 0...3600, example: "6"),
        .spread(\.onSpell, "on_spell"), .spread(\.offSpell, "off_spell"),
    ]
}

extension Persona.Cellular {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Cellular>] = [
        .share(\.home, "home"), .share(\.work, "work"), .share(\.transit, "transit"), .share(\.other, "other"),
        .share(\.fiveG, "five_g"), .spread(\.gap, "gap"), .flag(\.roams, "roams"),
        .map(
            "signal",
            [
                .choice(\.homeSignal, "home", "signal"), .choice(\.workSignal, "work", "signal"),
                .choice(\.transitSignal, "transit", "signal"), .choice(\.otherSignal, "other", "signal"),
                .choice(\.abroadSignal, "abroad", "signal"),
            ]),
    ]
}

extension Persona.Places {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Places>] = [
        .spans(\.work, "work"), .spans(\.commute, "commute"),
        .number(\.tripsPerYear, "trips_per_year", 0...365, example: "2"), .spread(\.tripLength, "trip_length"),
        .time(\.tripZoneDeviation, "trip_zone_deviation", 0...43200),
        .number(\.daysOffPerYear, "days_off_per_year", 0...365, example: "35"),
        .map(
            "workday_outing",
            [
                .share(\.workdayOuting.probability, "probability"), .clock(\.workdayOuting.start, "start"),
                .spread(\.workdayOuting.length, "length"),
            ]),
        .map(
            "free_day_outing",
            [
                .share(\.freeDayOuting.probability, "probability"), .clock(\.freeDayOuting.start, "start"),
                .spread(\.freeDayOuting.length, "length"),
            ]),
    ]
}

extension Persona.Episodes {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Episodes>] = [
        .share(\.shareOfLaunches, "share_of_launches"), .spread(\.visit, "visit"),
    ]
}

extension Persona.Games {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.Games>] = [
        .share(\.shareOfLaunches, "share_of_launches").required(), .spread(\.visit, "visit").required(),
        .share(\.chargeWhilePlaying, "charge_while_playing"),
    ]
}
