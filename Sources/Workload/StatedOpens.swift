// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Vocabulary

/// Visits to apps for which the experiment states the number of opens.
///
/// A visit is to such an app with the probability p, the app's number of opens over the user's number of visits a day.
/// The app is never visited twice in a row. If the previous visit was to another app, the probability is p / (1 - p),
/// which gives p for every visit of a session. When and how long the user is at the phone, and the order of all other
/// apps, stay unchanged.
///
/// An answer to a notification of the app replaces one of these visits: the next one is omitted.
///
/// A stated share refers to all opens. It includes opens that are not chosen here (answers to notifications, episodes).
/// Then p is the share of all opens so far, less the app's opens not chosen here, divided by the number of choices made
/// here.
public struct StatedOpens: Sendable {
    /// Largest share of a user's visits that may be stated; with a larger share, p / (1 - p) would exceed 1.
    public static let mostShare = 0.5

    /// Number of opens that are assumed at the stated share before the first open, so that a few opens do not dominate
    /// the first days.
    private static let before = 100.0

    private struct Statement {
        var app: AppID
        var share: Double
        /// Whether the share refers to all opens, rather than to those that are chosen here.
        var isOfAll: Bool
        /// Opens of the app that were not chosen here.
        ///
        /// Unless the share refers to all opens, each omitted open reduces this number by one.
        var others = 0.0
    }

    private var statements: [Statement] = []
    private var last: AppID?
    private var opens = Self.before
    private var choices = Self.before
    private var stream: RandomStream

    init(apps: [AppModel], visitsPerDay: Double, stream: RandomStream) {
        self.stream = stream
        guard visitsPerDay > 0 else { return }
        for (index, app) in apps.enumerated() where app.opensPerDay > 0 || app.opensShare > 0 {
            let share = app.opensShare > 0 ? app.opensShare : app.opensPerDay / visitsPerDay
            statements.append(
                Statement(app: AppID(index), share: min(share, Self.mostShare), isOfAll: app.opensShare > 0))
        }
    }

    /// Most opens a day that an experiment may state for this user.
    public static func most(for persona: Persona) -> Double { SessionGenerator.visitsPerDay(persona) * mostShare }

    /// Begins a session; any app may come first.
    mutating func beginSession() { last = nil }

    /// Notes an open of an app that was not chosen here.
    mutating func opened(_ app: AppID) {
        opens += 1
        guard !statements.isEmpty else { return }
        for index in statements.indices where statements[index].app == app { statements[index].others += 1 }
        last = app
    }

    /// The app of a visit: the drawn app, or an app with stated opens.
    mutating func next(insteadOf drawn: AppID) -> AppID {
        var chosen = drawn
        opens += 1
        choices += 1
        for index in statements.indices {
            let share = share(of: statements[index])
            let isFirst = last == nil
            guard stream.uniform() < (isFirst ? share : share / (1 - share)), statements[index].app != last else {
                continue
            }
            if statements[index].isOfAll || statements[index].others < 1 {
                chosen = statements[index].app
            } else {
                statements[index].others -= 1
            }
        }
        last = chosen
        return chosen
    }

    private func share(of statement: Statement) -> Double {
        guard statement.isOfAll else { return statement.share }
        let due = (statement.share * opens - statement.others) / choices
        return min(max(due, 0), Self.mostShare)
    }
}
