// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import RandomStreams
import Vocabulary

/// Time that an app stays on screen: lognormal, with a factor by category (models/recordings.md, section 5.4).
///
/// The factors are normalised over the user's Zipf weights, so that the persona's own median stays unchanged.
package struct VisitLengths: Sendable {
    private struct Trait {
        var isGame: Bool
        var isVideo: Bool
        var logFactor: Double
    }

    /// Whether each app of the run is a game.
    let isGame: [Bool]
    /// Whether each app of the run shows films and the like.
    let isVideo: [Bool]
    private let visit: LogNormal
    private let gameVisit: LogNormal?
    private let muShift: [Double]

    init(persona: Persona, apps: [AppModel], active: ActiveApps) {
        visit = persona.visit
        gameVisit = persona.games?.visit
        // Categories are few and apps may be many, so each category is evaluated once.
        var traits: [String: Trait] = [:]
        let ofApp = apps.map { app in
            if let known = traits[app.category] { return known }
            let trait = Trait(
                isGame: app.category.contains("game"), isVideo: app.category.contains("video"),
                logFactor: log(Self.factor(category: app.category)))
            traits[app.category] = trait
            return trait
        }
        isGame = ofApp.map(\.isGame)
        isVideo = ofApp.map(\.isVideo)
        var weights = 0.0
        var sum = 0.0
        for (rank, app) in active.ranked.enumerated() {
            let weight = pow(Double(rank + 1), -persona.apps.zipf)
            weights += weight
            sum += weight * ofApp[Int(app.index)].logFactor
        }
        let mean = weights > 0 ? sum / weights : 0
        muShift = ofApp.map { $0.logFactor - mean }
    }

    /// Draws a visit in seconds.
    func draw(_ app: AppID, _ stream: inout RandomStream) -> Double {
        let index = Int(app.index)
        if let gameVisit, isGame[index] { return gameVisit.drawStay(&stream) }
        return LogNormal(mu: visit.mu + muShift[index], sigma: visit.sigma, cap: visit.cap).drawStay(&stream)
    }

    /// The mean visit of a persona in seconds, including episodes and games.
    static func meanVisit(_ persona: Persona) -> Double {
        var mean = persona.visit.meanStay
        if let games = persona.games { mean += games.shareOfLaunches * (games.visit.meanStay - mean) }
        let episodes = persona.episodes
        return episodes.shareOfLaunches > 0 ? mean + episodes.shareOfLaunches * (episodes.visit.meanStay - mean) : mean
    }

    /// Factor of a category: games 1.6, finance .45, communication .7 (Böhmer 2011, Business of Apps 2024, estimates:
    /// section 5.4).
    package static func factor(category: String) -> Double {
        if category.contains("game") { return 1.6 }
        if category.contains("finance") { return 0.45 }
        if category.contains("messag") || category.contains("mail") { return 0.7 }
        return 1
    }
}
