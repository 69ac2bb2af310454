// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A process that could have been killed instead of the victim.
public struct KillCandidate: Sendable, BitwiseCopyable {
    /// The app that owns the process.
    public var app: AppID
    /// The policy's rank of the process; the lowest rank is killed.
    public var rank: Double
    /// Priority band of the process.
    public var band: Int16
    /// Footprint of the process.
    public var footprint: ByteCount
    /// When the user last saw the app.
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
