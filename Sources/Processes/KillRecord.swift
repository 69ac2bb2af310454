// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One kill: victim, reason, memory freed, and the distance to the next candidate.
public struct KillRecord: Sendable, BitwiseCopyable {
    /// When the process was killed.
    public var time: SimTime
    /// The app that owned the process.
    public var app: AppID
    /// Reason as in a device report.
    public var reason: KillReason
    /// Exit category in the app's statistics.
    public var category: ExitCategory
    /// Band of the process when it was killed.
    public var band: Int16
    /// State of the process when it was killed.
    public var state: ProcessState
    /// Footprint of the process.
    public var footprint: ByteCount
    /// Resident private memory of the process.
    public var resident: ByteCount
    /// Memory freed: resident memory plus the process's share of the compressor pool.
    public var freed: ByteCount
    /// Available memory before the kill.
    public var availableBefore: ByteCount
    /// Available memory after the kill.
    public var availableAfter: ByteCount
    /// The policy's rank of the victim; 0 for a kill at the process's own limit.
    public var rank: Double
    /// The candidate that would have been killed next; `AppID.system` if there was no candidate.
    public var runnerUp: AppID
    /// Rank of the runner-up minus rank of the victim; infinite without a runner-up.
    public var margin: Double
    /// When the process was launched.
    public var launched: SimTime
    /// When the user last saw the app.
    public var lastForeground: SimTime
    /// Whether the process was killed because the eviction policy gave it the lowest rank.
    public var isChosenByPolicy: Bool
}

/// A notice of memory pressure to an app, and the memory that the app dropped.
public struct PressureWarning: Sendable, BitwiseCopyable {
    /// Time of the notification.
    public var time: SimTime
    /// The app notified.
    public var app: AppID
    /// Level of pressure in the notification.
    public var level: PressureLevel
    /// Memory dropped.
    public var dropped: ByteCount
    /// The trim level, on Android up to 13.
    public var trim = TrimLevel.none
}
