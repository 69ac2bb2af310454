// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One kill: the victim, the reason, the memory freed, and how close the next candidate was.
public struct KillRecord: Sendable, BitwiseCopyable {
    /// When the process died.
    public var time: SimTime
    /// The app that owned the process.
    public var app: AppID
    /// Reason as in a device report.
    public var reason: KillReason
    /// Exit category in the app's own statistics.
    public var category: ExitCategory
    /// Band of the process when it died.
    public var band: Int16
    /// State of the process when it died.
    public var state: ProcessState
    /// Footprint of the process.
    public var footprint: ByteCount
    /// Resident private memory of the process.
    public var resident: ByteCount
    /// Memory freed: resident memory plus the process's share of the compressor pool.
    public var freed: ByteCount
    /// Available memory before.
    public var availableBefore: ByteCount
    /// Available memory after.
    public var availableAfter: ByteCount
    /// The policy's rank of the victim; 0 for a death at the process's own limit.
    public var rank: Double
    /// The candidate that would have died next; `AppID.system` if there was no candidate.
    public var runnerUp: AppID
    /// Rank of the runner-up minus rank of the victim; infinite without a runner-up.
    public var margin: Double
    /// When the process had been launched.
    public var launched: SimTime
    /// When the user had last seen the app.
    public var lastForeground: SimTime
    /// Whether the process died because the eviction policy ranked it lowest.
    public var isChosenByPolicy: Bool
}

/// An app that was notified of memory pressure, and the memory that it dropped.
public struct PressureWarning: Sendable, BitwiseCopyable {
    /// Time of the notification.
    public var time: SimTime
    /// The app notified.
    public var app: AppID
    /// Level of pressure in the notification.
    public var level: PressureLevel
    /// Memory dropped.
    public var dropped: ByteCount
    /// The trim level on Android until 13.
    public var trim = TrimLevel.none
}
