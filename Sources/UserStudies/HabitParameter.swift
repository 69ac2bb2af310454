// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Workload

/// A figure of a persona that can be estimated from a recording.
package struct HabitParameter: Sendable {
    /// Scale on which the errors of a figure are symmetric.
    ///
    /// Factors use `log`, shares `logit`, differences `linear` and correlations `fisher`.
    enum Scale: String, Sendable {
        case log, logit, linear, fisher
    }

    /// Part of a distribution that a figure is; in files, a distribution is a map of two figures.
    enum Part: Sendable {
        case whole, median, sigma, mean, deviation
    }

    typealias Path = any WritableKeyPath<Persona, Double> & Sendable

    /// Key in the persona's file, without a part such as `median`.
    let path: [String]
    let part: Part
    let scale: Scale
    /// Unit after the number in files; `%` for shares.
    let unit: String
    package let value: any WritableKeyPath<Persona, Double> & Sendable
    let isWhole: Bool

    init(
        _ key: String, _ value: Path, _ scale: Scale, unit: String = "", part: Part = .whole, isWhole: Bool = false
    ) {
        path = key.split(separator: ".").map(String.init)
        self.part = part
        self.scale = scale
        self.unit = unit
        self.value = value
        self.isWhole = isWhole
    }

    /// Complete key of the figure, for instance `visit.median`.
    package var key: String {
        let last =
            switch part {
            case .whole: ""
            case .median: ".median"
            case .sigma: ".sigma"
            case .mean: ".mean"
            case .deviation: ".deviation"
            }
        return path.joined(separator: ".") + last
    }

    /// Converts a value to the scale on which errors are symmetric.
    ///
    /// Values at an end of the range are moved inwards.
    func onto(_ value: Double) -> Double {
        switch scale {
        case .log: log(max(value, 1e-6))
        case .logit: log(min(max(value, 0.002), 0.998) / (1 - min(max(value, 0.002), 0.998)))
        case .linear: value
        case .fisher: atanh(min(max(value, -0.95), 0.95))
        }
    }

    /// Converts a value back from the scale on which errors are symmetric.
    func back(_ value: Double) -> Double {
        switch scale {
        case .log: exp(value)
        case .logit: 1 / (1 + exp(-value))
        case .linear: value
        case .fisher: tanh(value)
        }
    }

    /// All figures, in the order of a persona's file.
    package static let all: [HabitParameter] = [
        HabitParameter("pickups.per_day", \.pickups.perDay, .log),
        HabitParameter("pickups.day_sigma", \.pickups.daySigma, .log),
        HabitParameter("pickups.day_correlation", \.pickups.dayCorrelation, .fisher),
        HabitParameter("pickups.free_day_factor", \.pickups.freeDayFactor, .log),
        HabitParameter("pickups.gap_shape", \.pickups.gapShape, .log),
        HabitParameter("pickups.glance_share", \.pickups.glanceShare, .logit, unit: "%"),
        HabitParameter("pickups.extra_apps_mean", \.pickups.extraAppsMean, .log),
        HabitParameter("pickups.extra_apps_shape", \.pickups.extraAppsShape, .log),
        HabitParameter("apps.active", \.apps.activeCount, .log, isWhole: true),
        HabitParameter("apps.zipf", \.apps.zipf, .linear),
        HabitParameter("apps.repeat_last", \.apps.repeatLast, .logit, unit: "%"),
        HabitParameter("apps.go_back", \.apps.goBack, .logit, unit: "%"),
        HabitParameter("apps.new_per_day", \.apps.newPerDay, .linear),
        HabitParameter("visit", \.visit.median, .log, unit: "s", part: .median),
        HabitParameter("visit", \.visit.sigma, .log, part: .sigma),
        HabitParameter("glance", \.glance.median, .log, unit: "s", part: .median),
        HabitParameter("glance", \.glance.sigma, .log, part: .sigma),
        HabitParameter("notifications_per_day", \.notificationsPerDay, .log),
        HabitParameter("notifications.zipf", \.answers.zipf, .linear),
        HabitParameter("notifications.in_use_share", \.answers.inUseShare, .logit, unit: "%"),
        HabitParameter("notifications.burst_share", \.answers.burstShare, .logit, unit: "%"),
        HabitParameter("notifications.answer_share", \.answers.answerShare, .logit, unit: "%"),
        HabitParameter("charging.night_probability", \.charging.nightProbability, .logit, unit: "%"),
        HabitParameter("charging.night_plug", \.charging.nightPlug.mean, .linear, unit: "h", part: .mean),
        HabitParameter("charging.night_plug", \.charging.nightPlug.deviation, .log, unit: "h", part: .deviation),
        HabitParameter("charging.workday_unplug", \.charging.workdayUnplug.mean, .linear, unit: "h", part: .mean),
        HabitParameter(
            "charging.workday_unplug", \.charging.workdayUnplug.deviation, .log, unit: "h", part: .deviation),
        HabitParameter("charging.free_day_unplug", \.charging.freeDayUnplug.mean, .linear, unit: "h", part: .mean),
        HabitParameter(
            "charging.free_day_unplug", \.charging.freeDayUnplug.deviation, .log, unit: "h", part: .deviation),
        HabitParameter("charging.top_ups_per_hour", \.charging.topUpsPerHour, .log),
        HabitParameter("charging.top_up_level_scale", \.charging.topUpLevelScale, .log, unit: "%"),
        HabitParameter("charging.top_up_length", \.charging.topUpLength.median, .log, unit: "s", part: .median),
        HabitParameter("charging.top_up_length", \.charging.topUpLength.sigma, .log, part: .sigma),
        HabitParameter("wifi.country_factor", \.wifi.countryFactor, .log),
        HabitParameter("restarts.per_month", \.restarts.perMonth, .linear),
        HabitParameter("installs.per_month", \.installs.perMonth, .linear),
        HabitParameter("installs.updates_per_month", \.installs.updatesPerMonth, .linear),
    ]

    /// Rates of rare events, which are counted, not fitted, and never negative.
    static let counted: Set<String> = [
        "apps.new_per_day", "restarts.per_month", "installs.per_month", "installs.updates_per_month",
    ]

    /// Index of a key in `all`.
    static func index(_ key: String) -> Int {
        guard let index = all.firstIndex(where: { $0.key == key }) else { fatalError("there is no habit \(key)") }
        return index
    }
}

extension LogNormal {
    /// Median in seconds.
    var median: Double {
        get { exp(mu) }
        set { mu = log(newValue) }
    }
}

extension Persona {
    /// Habits for notifications.
    ///
    /// If the persona has none, these are habits without an effect.
    var answers: Notifications {
        get { notifications ?? Notifications() }
        set { notifications = newValue }
    }
}

extension Persona.AppChoice {
    /// Number of apps in use, as a number that a fit can move; when set, it is rounded to at least 1.
    var activeCount: Double {
        get { Double(active) }
        set { active = max(1, Int(newValue.rounded())) }
    }
}
