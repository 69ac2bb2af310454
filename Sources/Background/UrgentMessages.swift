// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Messages of high priority of each app in the last seven days, and their results.
///
/// Some apps do not show a notification for their messages of high priority. Later messages of such an app are
/// delivered as normal; seven days count (Firebase, "Set and manage Android message priority"). Until Android 12, the
/// app's standby bucket limited the daily number instead (developer.android.com, "Power management resource limits").
public struct UrgentMessages: Sendable {
    private struct Day: BitwiseCopyable {
        var number = -1
        var sent = 0
        var shown = 0
    }

    private static let length = 7
    private let parameters: PushParameters
    /// The last days of each app, one app after the other.
    private var days: [Day]

    /// Creates the record of a phone that has received no message.
    public init(apps: Int, parameters: PushParameters) {
        self.parameters = parameters
        days = Array(repeating: Day(), count: apps * Self.length)
    }

    private func slot(_ app: AppID, _ day: Int) -> Int { Int(app.index) * Self.length + day % Self.length }

    private func day(of now: SimTime) -> Int { Int((now - .zero) / .day) }

    /// Notes a message of high priority, and whether a notification followed (`shown`).
    public mutating func record(_ app: AppID, shown: Bool, at now: SimTime) {
        let today = day(of: now)
        let slot = slot(app, today)
        if days[slot].number != today {
            days[slot] = Day()
            days[slot].number = today
        }
        days[slot].sent += 1
        if shown { days[slot].shown += 1 }
    }

    /// Whether the next message of high priority of an app goes through at once.
    public func passes(_ app: AppID, _ bucket: StandbyBucket, at now: SimTime) -> Bool {
        let today = day(of: now)
        if parameters.isLimitedByBucket, let limit = bucket.urgentMessages {
            let day = days[slot(app, today)]
            if day.number == today, day.sent >= limit { return false }
        }
        guard parameters.downgrades else { return true }
        var (sent, shown) = (0, 0)
        for back in 0..<Self.length where today - back >= 0 {
            let day = days[slot(app, today - back)]
            guard day.number == today - back else { continue }
            sent += day.sent
            shown += day.shown
        }
        return sent < parameters.downgradeCount || Double(shown) >= parameters.downgradeBelow * Double(sent)
    }
}

extension StandbyBucket {
    /// Messages of high priority that an app of this bucket had a day until Android 12; nil without a limit.
    var urgentMessages: Int? {
        switch self {
        case .active, .workingSet: nil
        case .frequent: 10
        case .rare, .restricted: 5
        }
    }
}
