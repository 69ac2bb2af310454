// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Vocabulary

/// Chooses the app that is opened next: Zipf, reopening the last app, going back (models/recordings.md, section 5.3).
struct AppChooser: Sendable {
    private let habits: Persona.AppChoice
    private let gameShare: Double
    private let games: ZipfChoice
    private let others: ZipfChoice
    private var untried: [AppID]
    private var triesPending = 0
    private var stream: RandomStream
    private var newAppStream: RandomStream
    private var current: AppID?
    private var previous: AppID?

    init(
        persona: Persona, active: ActiveApps, isGame: (AppID) -> Bool, stream: RandomStream, newAppStream: RandomStream
    ) {
        habits = persona.apps
        self.stream = stream
        self.newAppStream = newAppStream
        untried = active.untried.reversed()
        if let games = persona.games {
            self.games = ZipfChoice(active.ranked, exponent: persona.apps.zipf, include: isGame)
            others = ZipfChoice(active.ranked, exponent: persona.apps.zipf) { !isGame($0) }
            gameShare = self.games.count == 0 ? 0 : (others.count == 0 ? 1 : games.shareOfLaunches)
        } else {
            games = ZipfChoice([], exponent: 1)
            others = ZipfChoice(active.ranked, exponent: persona.apps.zipf)
            gameShare = 0
        }
    }

    /// The app that was opened last.
    var last: AppID? { current }

    /// Decides once a day whether an app is tried for the first time.
    mutating func beginDay() {
        if newAppStream.uniform() < habits.newPerDay { triesPending += 1 }
    }

    /// The next app; nil when the user opens none of the run's apps.
    mutating func next(isFirstOfSession: Bool) -> AppID? {
        let chosen = choose(isFirstOfSession: isFirstOfSession)
        if let chosen, chosen != current {
            previous = current
            current = chosen
        }
        return chosen
    }

    /// Notes that an app other than the drawn one was opened, to answer its notification or to watch something.
    mutating func answered(_ app: AppID) {
        guard app != current else { return }
        previous = current
        current = app
    }

    private mutating func choose(isFirstOfSession: Bool) -> AppID? {
        let habit = stream.uniform()
        if isFirstOfSession, let current, habit < habits.repeatLast { return current }
        if !isFirstOfSession, let previous, habit < habits.goBack { return previous }
        if triesPending > 0, let app = untried.popLast() {
            triesPending -= 1
            return app
        }
        let playsGame = gameShare > 0 && stream.uniform() < gameShare
        let excluded = isFirstOfSession && habits.firstMayRepeat ? nil : current
        return (playsGame ? games : others).draw(except: excluded, &stream)
    }
}
