// SPDX-License-Identifier: GPL-3.0-or-later
import RandomStreams

/// Makes the streams of one workload: those of the user, and those of each app, keyed by the app's name.
package struct StreamKeys: Sendable {
    let seed: UInt64
    let replication: Int

    /// The streams of one replication.
    package init(seed: UInt64, replication: Int) {
        self.seed = seed
        self.replication = replication
    }

    /// A stream of the user.
    func stream(_ purpose: String) -> RandomStream { stream(purpose, entity: "user") }

    /// A stream of any entity.
    func stream(_ purpose: String, entity: String) -> RandomStream {
        RandomStream(StreamKey(seed: seed, replication: replication, entity: entity, purpose: purpose))
    }
}
