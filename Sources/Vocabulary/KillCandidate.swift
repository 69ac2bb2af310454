// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A process that could have died instead of one that did.
public struct KillCandidate: Sendable, BitwiseCopyable {
    /// Whose process it is.
    public var app: AppID
    /// The policy's rank of it; the lowest dies.
    public var rank: Double
    /// Its band.
    public var band: Int16
    /// Its footprint.
    public var footprint: ByteCount
    /// When the user last saw it.
    public var lastForeground: SimTime

    /// Creates a candidate.
    public init(app: AppID, rank: Double, band: Int16, footprint: ByteCount, lastForeground: SimTime) {
        self.app = app
        self.rank = rank
        self.band = band
        self.footprint = footprint
        self.lastForeground = lastForeground
    }
}
