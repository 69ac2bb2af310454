// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Platform
import Quantities
import RandomStreams
import Vocabulary

/// Catalogue of apps: categories, named apps in descending order of reach, and a rule that draws any number of other
/// apps.
struct AppCatalogue {
    /// Categories, each with a typical app.
    var categories: [(name: String, model: AppModel)] = []
    /// Named apps, the most widely used first.
    var named: [AppModel] = []
    /// Apps that an experiment adds to the catalogue and that are always installed.
    var own: [AppModel] = []
    /// Default values of an app without a category.
    var typical = AppModel(name: "", category: "other")
    /// Rule that draws apps beyond the named ones; nil if there are only named apps.
    var tail: AppTail?

    /// Typical app of a category; nil for an unknown category.
    func category(_ name: String) -> AppModel? {
        categories.firstIndex { $0.name == name }.map { categories[$0].model }
    }

    /// The first apps of the catalogue: the apps that the experiment adds, then the named ones, then drawn ones.
    ///
    /// The values of an app depend only on its name, not on the number or the choice of apps.
    ///
    /// - Parameter count: Number of apps, at least those that the experiment adds; nil for all named apps.
    func apps(count: Int?) -> [AppModel] {
        guard let count else { return own + named }
        var apps = own + named.prefix(max(0, count - own.count))
        guard let tail else { return apps }
        apps.reserveCapacity(count)
        var number = 1
        while apps.count < count {
            apps.append(tail.app(number: number, rank: named.count + number, in: self))
            number += 1
        }
        return apps
    }
}

/// Rule that draws apps without their own entry: their categories, the spread around a category, and their habits.
struct AppTail {
    /// Categories, each with its share of the drawn apps.
    var shares: [(category: String, share: Double)] = []
    /// Popularity of the app at rank r: scale · r^-exponent.
    var popularityScale = 100.0
    /// Exponent of the popularity.
    var popularityExponent = 0.85
    /// Standard deviation of ln(value / value of the category) for footprints.
    var footprint = 0.0
    /// Standard deviation of ln(value / value of the category) for launch times.
    var launch = 0.0
    /// Standard deviation of ln(value / value of the category) for content and pushes.
    var activity = 0.0
    /// Standard deviation of ln(value / value of the category) for bytes and processor time of background work.
    var work = 0.0
    /// Median time that SDKs add to a launch.
    var sdk = SimDuration.zero
    /// Standard deviation of the logarithm of the time that SDKs add to a launch.
    var sdkSpread = 0.0
    /// For each habit, share of the apps that have it.
    var refreshes = 1.0, processes = 1.0, pushes = 1.0, savesOnBackground = 1.0, resubmits = 1.0, completes = 1.0
    var handlesExpiration = 1.0

    /// Popularity at a rank, counted from 1.
    func popularity(rank: Int) -> Double { popularityScale * pow(Double(rank), -popularityExponent) }

    /// Draws an app by its number, counted from 1.
    ///
    /// The app's name consists of its category and this number.
    func app(number: Int, rank: Int, in catalogue: AppCatalogue) -> AppModel {
        let category = category(of: "further app \(number)")
        let digits = String(number)
        let name = category + "-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        var app = catalogue.category(category) ?? AppModel(name: name, category: category)
        app.name = name
        app.category = category
        app.popularity = popularity(rank: rank)
        spread(&app)
        giveHabits(&app)
        return app
    }

    private func category(of name: String) -> String {
        let total = shares.reduce(0) { $0 + $1.share }
        var left = uniform(name, "category") * total
        for (category, share) in shares {
            left -= share
            if left < 0 { return category }
        }
        return shares.last?.category ?? "utility"
    }

    private func spread(_ app: inout AppModel) {
        let size = factor(app.name, "footprint", footprint)
        app.foregroundFootprint = app.foregroundFootprint * size
        app.backgroundFootprint = app.backgroundFootprint * size
        app.launchFiles = app.launchFiles * size
        let time = factor(app.name, "launch time", launch)
        app.resumeTime = app.resumeTime * time
        app.warmLaunchTime = app.warmLaunchTime * time
        app.coldLaunchTime = app.coldLaunchTime * time
        app.sdkLaunchTime = sdk * factor(app.name, "sdk", sdkSpread)
        let lively = factor(app.name, "activity", activity)
        app.contentPerDay *= lively
        app.pushesPerDay *= lively
        app.traits.silentPushesPerDay *= lively
        let effort = factor(app.name, "background work", work)
        app.refreshBytes = app.refreshBytes * effort
        app.refreshProcessorTime = app.refreshProcessorTime * effort
        app.processingTime = app.processingTime * effort
    }

    private func giveHabits(_ app: inout AppModel) {
        func has(_ purpose: String, _ share: Double) -> Bool { uniform(app.name, purpose) < share }
        if !has("refreshes", refreshes) { app.refreshPeriod = .zero }
        if !has("processes", processes) { app.processingPerDay = 0 }
        if !has("pushes", pushes) {
            app.pushesPerDay = 0
            app.traits.silentPushesPerDay = 0
        }
        if !has("saves", savesOnBackground) { app.savesOnBackground = false }
        if !has("resubmits", resubmits) { app.resubmitProbability = 0.5 }
        if !has("completes", completes) { app.completionProbability = 0.8 }
        if !has("handles expiration", handlesExpiration) { app.faults.handlesExpiration = false }
    }

    /// Draws a lognormal factor with median 1, limited to three standard deviations.
    private func factor(_ name: String, _ purpose: String, _ sigma: Double) -> Double {
        guard sigma > 0 else { return 1 }
        var stream = stream(name, purpose)
        return exp(sigma * min(max(stream.normal(), -3), 3))
    }

    private func uniform(_ name: String, _ purpose: String) -> Double {
        var stream = stream(name, purpose)
        return stream.uniform()
    }

    private func stream(_ name: String, _ purpose: String) -> RandomStream {
        RandomStream(StreamKey(seed: 0, replication: 0, entity: name, purpose: "catalogue: " + purpose))
    }
}

extension AppTail {
    /// Keys of the rule in files, with their allowed values.
    static let keys: [FileKey<AppTail>] = [
        .map(
            "popularity",
            [
                .number(\.popularityScale, "scale", 0...1e6, example: "100"),
                .number(\.popularityExponent, "exponent", 0...5, example: "0.85"),
            ]),
        .map(
            "spread",
            [
                .number(\.footprint, "footprint", spreads, example: "0.6"),
                .number(\.launch, "launch", spreads, example: "0.6"),
                .number(\.activity, "activity", spreads, example: "0.6"),
                .number(\.work, "work", spreads, example: "0.6"), .number(\.sdkSpread, "sdk", spreads, example: "0.6"),
            ]),
        .time(\.sdk, "sdk"),
        .map(
            "shares",
            [
                .share(\.refreshes, "refreshes"), .share(\.processes, "processes"), .share(\.pushes, "pushes"),
                .share(\.savesOnBackground, "saves_on_background"), .share(\.resubmits, "always_resubmits"),
                .share(\.completes, "always_completes"), .share(\.handlesExpiration, "handles_expiration"),
            ]),
    ]

    private static let spreads = 0.0...3.0
}
