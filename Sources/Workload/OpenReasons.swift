// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import RandomStreams
import Vocabulary

extension Persona {
    /// Shares of opens by links, widgets, share sheets and other apps; the rest, except by notification, are by icon.
    ///
    /// No study counts these opens, so each share is an assumption; vary it from 0 to 20 %.
    public struct OpenShares: Sendable {
        /// Share of opens by a link in the previous app.
        public var link = 0.0
        /// Share of opens by a widget.
        public var widget = 0.0
        /// Share of opens by the share sheet of the previous app.
        public var shareSheet = 0.0
        /// Share of opens by the previous app.
        public var app = 0.0

        /// Creates the habits of a user who opens everything by its icon.
        public init() {}

        /// Sum of all shares.
        public var sum: Double { link + widget + shareSheet + app }
    }
}

extension Persona.OpenShares {
    /// The keys of the shares in files, with their allowed ranges.
    public static let keys: [FileKey<Persona.OpenShares>] = [
        .share(\.link, "link"), .share(\.widget, "widget"), .share(\.shareSheet, "share_sheet"), .share(\.app, "app"),
    ]
}

/// Draws how the apps of a user are opened.
struct OpenReasons: Sendable {
    private let shares: [(reason: OpenReason, upTo: Double)]
    private var reasons: RandomStream
    /// Stream of the time that the user spends in an app before going from it to another.
    var visits: RandomStream

    /// Creates the draws; nil for a user who opens everything by its icon.
    init?(persona: Persona, keys: StreamKeys) {
        let habits = persona.openedBy
        guard habits.sum > 0 else { return nil }
        var sum = 0.0
        shares = [
            (OpenReason.link, habits.link), (.widget, habits.widget), (.shareSheet, habits.shareSheet),
            (.app, habits.app),
        ].map { reason, share in
            sum += share
            return (reason, sum)
        }
        reasons = keys.stream("open-reasons")
        visits = keys.stream("visits-on-the-way")
    }

    /// Draws how the next app is opened.
    mutating func draw() -> OpenReason {
        let value = reasons.uniform()
        return shares.first { value < $0.upTo }?.reason ?? .icon
    }
}

extension Persona.BackgroundHabits {
    /// Whether the user has refused the notifications of an app, both pushed and scheduled ones.
    func refuses(_ app: AppModel, _ keys: StreamKeys) -> Bool {
        guard refusedShare > 0 else { return false }
        var stream = keys.stream("permission", entity: app.name)
        return stream.uniform() < refusedShare
    }
}

extension Persona {
    /// Whether each app may show no notifications in a run, because the user refused them.
    package func refusals(of apps: [AppModel], _ keys: StreamKeys) -> [Bool] {
        apps.map { background.refuses($0, keys) }
    }
}
