// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// One kill: who, why, what it returned, and how close the next candidate was.
public struct KillRecord: Sendable, BitwiseCopyable {
    /// When it died.
    public var time: SimTime
    /// Whose process it was.
    public var app: AppID
    /// The reason a device report would give.
    public var reason: KillReason
    /// The exit category the app's own statistics show.
    public var category: ExitCategory
    /// Its band when it died.
    public var band: Int16
    /// Its state when it died.
    public var state: ProcessState
    /// Its footprint.
    public var footprint: ByteCount
    /// Its resident private memory.
    public var resident: ByteCount
    /// What its death returned: resident memory plus its share of the compressor pool.
    public var freed: ByteCount
    /// Available memory before.
    public var availableBefore: ByteCount
    /// Available memory after.
    public var availableAfter: ByteCount
    /// The policy's rank of the victim; 0 for a death at the process's own limit.
    public var rank: Double
    /// Who would have been next among the same candidates; `AppID.system` when nobody.
    public var runnerUp: AppID
    /// Rank of the runner-up minus rank of the victim; infinite when there is none.
    public var margin: Double
    /// When the process had been launched.
    public var launched: SimTime
    /// When the user had last seen the app.
    public var lastForeground: SimTime
    /// Whether it died because the eviction policy ranked it lowest.
    public var isChosenByPolicy: Bool
}

/// An app that was told of memory pressure and dropped memory.
public struct PressureWarning: Sendable, BitwiseCopyable {
    /// When it was told.
    public var time: SimTime
    /// Who was told.
    public var app: AppID
    /// The level it was told of.
    public var level: PressureLevel
    /// What it dropped.
    public var dropped: ByteCount
    /// The trim level on Android until 13.
    public var trim = TrimLevel.none
}
