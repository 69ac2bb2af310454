// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// Converts an iPhone's battery log to plugs and unplugs.
///
/// Pauses of Optimized Battery Charging count as charging.
///
/// Charging sessions that are at most 15 minutes apart count as one (models/recordings.md, section 2.0). Sessions less
/// than 6 hours apart also count as one if the level is almost unchanged. The level at the later plug must be from 1
/// point below to 5 points above the level at the earlier unplug.
struct PowerlogCharges {
    private static let join = SimDuration.minutes(15)
    private static let longestHold = SimDuration.hours(6)

    private(set) var events: [WorkloadEvent] = []
    /// Number of charging sessions.
    var count: Int { events.count { $0.kind == .plug } }

    /// Processes the rows of a log, which are sorted by time.
    init(_ rows: [BatteryRow]) {
        for event in ChargeRows(rows).events {
            if event.kind == .plug, let last = events.last, last.kind == .unplug, continues(event, last) {
                events.removeLast()
            } else {
                events.append(event)
            }
        }
    }

    private func continues(_ plug: WorkloadEvent, _ unplug: WorkloadEvent) -> Bool {
        let gap = plug.time - unplug.time
        let points = ((plug.level - unplug.level) * 100).rounded()
        return gap <= Self.join || gap < Self.longestHold && (-1...5).contains(points)
    }
}
