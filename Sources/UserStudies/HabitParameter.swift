// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Workload

/// A figure of a persona that can be estimated from a recording.
package struct HabitParameter: Sendable {
    /// Scale on which the error of a figure is even: factors, odds, differences, or correlations (Fisher).
    enum Scale: String, Sendable {
        case log, logit, linear, fisher
    }

    /// Part of a spread, which is written as one map of two figures.
    enum Part: Sendable {
        case whole, median, sigma, mean, deviation
    }

    typealias Path = any WritableKeyPath<Persona, Double> & Sendable

    /// The key of the persona's file, without `median` and the like.
    let path: [String]
    let part: Part
    let scale: Scale
    /// Unit behind the number in files; shares are written in `%`.
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

    /// The whole key of the figure, for instance `visit.median`.
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

    /// Transforms to the scale on which errors are even; values at an end of it are moved off it.
    func onto(_ value: Double) -> Double {
        switch scale {
        case .log: log(max(value, 1e-6))
        case .logit: log(min(max(value, 0.002), 0.998) / (1 - min(max(value, 0.002), 0.998)))
        case .linear: value
        case .fisher: atanh(min(max(value, -0.95), 0.95))
        }
    }

    /// Transforms back from that scale.
    func back(_ value: Double) -> Double {
        switch scale {
        case .log: exp(value)
        case .logit: 1 / (1 + exp(-value))
        case .linear: value
        case .fisher: tanh(value)
        }
    }

    /// Every figure, in the order of a persona's file.
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

    /// Rates of occasional events: counted, not fitted, and never below zero.
    static let counted: Set<String> = [
        "apps.new_per_day", "restarts.per_month", "installs.per_month", "installs.updates_per_month",
    ]

    /// The index of a key.
    static func index(_ key: String) -> Int {
        guard let index = all.firstIndex(where: { $0.key == key }) else { fatalError("no habit \(key)") }
        return index
    }
}

extension LogNormal {
    /// The median in seconds.
    var median: Double {
        get { exp(mu) }
        set { mu = log(newValue) }
    }
}

extension Persona {
    /// The habits of notification; a persona without them has habits without effect.
    var answers: Notifications {
        get { notifications ?? Notifications() }
        set { notifications = newValue }
    }
}

extension Persona.AppChoice {
    /// The number of apps in use, which may be moved by fractions.
    var activeCount: Double {
        get { Double(active) }
        set { active = max(1, Int(newValue.rounded())) }
    }
}
