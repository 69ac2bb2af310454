// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Numbers of each app's messages of high priority in the last seven days, and of those that showed a notification.
///
/// If an app shows no notification for too many of its messages of high priority, its later messages are delivered as
/// normal. Only the messages of the last seven days count (Firebase, "Set and manage Android message priority"). Until
/// Android 12, the app's standby bucket limited the daily number instead (developer.android.com, "Power management
/// resource limits").
public struct UrgentMessages: Sendable {
    private struct Day: BitwiseCopyable {
        var number = -1
        var sent = 0
        var shown = 0
    }

    private static let length = 7
    private let parameters: PushParameters
    /// The last seven days of each app, one app after the other.
    private var days: [Day]

    /// Creates the record of a phone that has received no message.
    public init(apps: Int, parameters: PushParameters) {
        self.parameters = parameters
        days = Array(repeating: Day(), count: apps * Self.length)
    }

    private func slot(_ app: AppID, _ day: Int) -> Int { Int(app.index) * Self.length + day % Self.length }

    private func day(of now: SimTime) -> Int { Int((now - .zero) / .day) }

    /// Records a message of high priority, and whether it showed a notification (`shown`).
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

    /// Whether the app's next message of high priority is delivered at once.
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
    /// Number of messages of high priority per day for an app in this bucket until Android 12; nil for no limit.
    var urgentMessages: Int? {
        switch self {
        case .active, .workingSet: nil
        case .frequent: 10
        case .rare, .restricted: 5
        }
    }
}
