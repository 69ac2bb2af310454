// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// A request that ended without running: replaced, cancelled by a force quit, or given up at its deadline.
public struct UnrunRequest: Sendable, BitwiseCopyable {
    /// The app that submitted the request.
    public let app: AppID
    /// Refresh or processing.
    public let kind: RequestKind
    /// The record of the request.
    public let record: RequestRecord
    /// How the request ended.
    public let outcome: RequestOutcome
    /// When the request ended.
    public let ended: SimTime
}

extension RequestTable {
    /// Removes the requests that ended without running; call this after you read them.
    public mutating func clearUnrun() { unrun.removeAll(keepingCapacity: true) }

    /// Counts a request that ends without running, and appends it to `unrun`.
    mutating func recordUnrun(
        _ slot: Int, _ app: AppID, _ kind: RequestKind, _ outcome: RequestOutcome, at now: SimTime
    ) {
        outcomes[Int(outcome.rawValue)] += 1
        unrun.append(UnrunRequest(app: app, kind: kind, record: slots[slot], outcome: outcome, ended: now))
    }
}
