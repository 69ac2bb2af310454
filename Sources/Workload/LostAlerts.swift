// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Vocabulary

/// Alerts that never arrive, because the token of their sender is no longer valid.
///
/// Losses are drawn for each app in the order of sending. The code that draws a user's alerts and the code that
/// delivers them therefore lose the same alerts.
package struct LostAlerts: Sendable {
    private let share: Double
    /// Streams by app; empty when every alert arrives.
    private var streams: [RandomStream]

    /// Creates the draws.
    ///
    /// - Parameter share: Share of all alerts that never arrive.
    package init(apps: [AppModel], share: Double, keys: StreamKeys) {
        self.share = share
        streams = share > 0 ? apps.map { keys.stream("tokens", entity: $0.name) } : []
    }

    /// Whether the next alert that is sent to an app is lost.
    package mutating func next(of app: AppID) -> Bool {
        !streams.isEmpty && streams[Int(app.index)].uniform() < share
    }
}
