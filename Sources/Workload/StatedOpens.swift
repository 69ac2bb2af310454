// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Vocabulary

/// Visits of apps of which the experiment says how often they are opened.
///
/// Each visit that the user makes is of such an app with the probability p = opens over visits a day, and
/// never twice in a row: where it was not the visit before, with p / (1 - p), which comes to p for every visit of a
/// session. When and how long the user is at the phone, and the order of all other apps, stay as they are.
public struct StatedOpens: Sendable {
    /// Largest share of a user's visits that may be stated: beyond, p / (1 - p) is no probability.
    static let mostShare = 0.5

    private var shares: [(app: AppID, share: Double)] = []
    private var last: AppID?
    private var stream: RandomStream

    init(apps: [AppModel], visitsPerDay: Double, stream: RandomStream) {
        self.stream = stream
        guard visitsPerDay > 0 else { return }
        for (index, app) in apps.enumerated() where app.opensPerDay > 0 {
            shares.append((AppID(index), min(app.opensPerDay / visitsPerDay, Self.mostShare)))
        }
    }

    /// Most opens a day that an experiment may state for this user.
    public static func most(for persona: Persona) -> Double { SessionGenerator.visitsPerDay(persona) * mostShare }

    /// Begins a session, in which any app may come first.
    mutating func beginSession() { last = nil }

    /// The app of a visit: the one drawn, or one whose opens are stated.
    mutating func next(insteadOf drawn: AppID) -> AppID {
        var chosen = drawn
        for (app, share) in shares {
            let isFirst = last == nil
            if stream.uniform() < (isFirst ? share : share / (1 - share)), app != last { chosen = app }
        }
        last = chosen
        return chosen
    }
}
