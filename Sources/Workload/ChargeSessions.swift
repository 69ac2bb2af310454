// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A stretch of time on the charger.
public struct ChargeSession: Sendable, Equatable, BitwiseCopyable {
    /// When the charger was connected.
    public var start: SimTime
    /// When the charger was disconnected.
    public var end: SimTime
    /// Battery level at the beginning, 0 to 1; not a number when unknown.
    public var startLevel: Double
    /// Battery level at the end, 0 to 1; not a number when unknown.
    public var endLevel: Double

    /// Minutes on the charger.
    public var minutes: Double { (end - start).seconds / 60 }

    /// Whether the session lasts three hours or more and starts between 20 h and 4 h (models/recordings.md, section
    /// 2.0).
    public var isLongNight: Bool { minutes >= 180 && (start.hourOfDay >= 20 || start.hourOfDay < 4) }
}

extension WorkloadFile {
    /// The charge sessions (models/recordings.md, section 2.0).
    ///
    /// Sessions at most two minutes apart are joined, and sessions under a minute are dropped. A session that is open
    /// at the end does not count. Top-ups of a generated workload depend on the battery and are not counted.
    public var chargeSessions: [ChargeSession] {
        var sessions: [ChargeSession] = []
        var open: WorkloadEvent?
        for event in events {
            if event.kind == .plug, open == nil { open = event }
            guard event.kind == .unplug, let plug = open else { continue }
            open = nil
            if let last = sessions.last, plug.time - last.end <= .minute * 2 {
                sessions[sessions.count - 1].end = event.time
                sessions[sessions.count - 1].endLevel = event.level
            } else {
                sessions.append(
                    ChargeSession(start: plug.time, end: event.time, startLevel: plug.level, endLevel: event.level))
            }
        }
        return sessions.filter { $0.minutes >= 1 }
    }
}
