// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// A row of a battery log.
struct BatteryRow: Equatable {
    var time: SimTime
    var isOnCharger: Bool
    /// Level from 0 to 1.
    var level: Double
}

/// Converts a battery log to plugs and unplugs (models/recordings.md, section 2.0).
///
/// A charging session lasts from the first row on the charger to the next row off the charger. If the gap before that
/// row is a quarter of an hour or more, the session ends at the last row on the charger. A pause of more than 4 hours
/// in the log also ends a session. If the rows are changes, the log may be silent during a charge, so a row off the
/// charger ends the session at its own time.
struct ChargeRows {
    /// Shortest gap after which a row off the charger does not show when the charger was removed.
    static let silence = SimDuration.minutes(15)
    /// Longest pause in the log during a charge.
    ///
    /// A longer pause ends the charge.
    static let pause = SimDuration.hours(4)

    private(set) var events: [WorkloadEvent] = []
    private var lastOn: BatteryRow?
    private let areChanges: Bool

    /// Creates the state before the first row.
    ///
    /// - Parameter areChanges: Whether the rows are plugs and unplugs, not states that are logged again and again.
    init(ofChanges areChanges: Bool = false) { self.areChanges = areChanges }

    /// Processes the rows of a log, which are sorted by time.
    init(_ rows: [BatteryRow]) {
        self.init()
        for row in rows { add(row) }
    }

    /// Processes the next row.
    mutating func add(_ row: BatteryRow) {
        if let last = lastOn, row.isOnCharger || !areChanges, row.time - last.time > Self.pause {
            unplug(at: last.time, last.level)
        }
        if row.isOnCharger {
            if lastOn == nil { append(.plug, at: row.time, row.level) }
            lastOn = row
        } else if let last = lastOn {
            if areChanges { return unplug(at: row.time, row.level) }
            unplug(at: row.time - last.time < Self.silence ? row.time : last.time, last.level)
        }
    }

    private mutating func unplug(at time: SimTime, _ level: Double) {
        append(.unplug, at: time, level)
        lastOn = nil
    }

    private mutating func append(_ kind: WorkloadEventKind, at time: SimTime, _ level: Double) {
        var event = WorkloadEvent(kind, at: time)
        event.level = level
        events.append(event)
    }
}
