// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams
import Vocabulary

/// Which alerts never arrive, because the token that their sender has is not valid any more.
///
/// Drawn for each app in the order in which they are sent: whoever draws the alerts of a user, and whoever carries them
/// out, find the same ones.
package struct LostAlerts: Sendable {
    private let share: Double
    /// By app; none where every alert arrives.
    private var streams: [RandomStream]

    /// - Parameter share: Of all alerts, those that never arrive.
    package init(apps: [AppModel], share: Double, keys: StreamKeys) {
        self.share = share
        streams = share > 0 ? apps.map { keys.stream("tokens", entity: $0.name) } : []
    }

    /// Whether the next alert that is sent to an app is lost.
    package mutating func next(of app: AppID) -> Bool {
        !streams.isEmpty && streams[Int(app.index)].uniform() < share
    }
}
