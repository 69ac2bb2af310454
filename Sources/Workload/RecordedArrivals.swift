// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Kinds of arrivals from servers, which are not part of the user's intents.
public enum ArrivalKind: Sendable {
    /// New content of an app.
    case content
    /// A push that shows a notification.
    case alert
    /// A push that shows nothing.
    case silentPush
}

/// Recorded arrivals from servers at each app, one after the other.
///
/// A run reads them instead of the arrivals that it would draw (`ContentStream` and `PushStream`). A generated
/// workload and its replay therefore give the same run. After the recording's last day, the replay continues with its
/// first whole day.
public struct ArrivalReplay: Sendable {
    /// Sorted times of arrivals, by the run's app.
    private let times: [[SimTime]]
    private let repeated: Range<SimTime>
    private var indices: [Int]
    private var shifts: [SimDuration]

    init(_ times: [[SimTime]], repeated: Range<SimTime>) {
        self.times = times
        self.repeated = repeated
        indices = Array(repeating: 0, count: times.count)
        shifts = Array(repeating: .zero, count: times.count)
    }

    /// The next arrival at an app; `distantFuture` when there will be none.
    public mutating func next(_ app: Int) -> SimTime {
        if indices[app] == times[app].count {
            guard let first = times[app].firstIndex(where: { $0 >= repeated.lowerBound }) else {
                return .distantFuture
            }
            indices[app] = first
            shifts[app] += repeated.upperBound - repeated.lowerBound
        }
        defer { indices[app] += 1 }
        return times[app][indices[app]] + shifts[app]
    }
}

/// The arrivals of a recording by kind and app.
struct RecordedArrivals: Sendable {
    private(set) var content: [[SimTime]]
    private(set) var alerts: [[SimTime]]
    private(set) var silent: [[SimTime]]

    /// Collects the arrivals before an instant; `table` maps each app of the file to an app of the run.
    init(of file: WorkloadFile, table: [AppID], apps: Int, until end: SimTime) {
        content = Array(repeating: [], count: apps)
        alerts = content
        silent = content
        for event in file.events where event.app >= 0 && event.time < end {
            let app = Int(table[Int(event.app)].index)
            switch event.kind {
            case .content: content[app].append(event.time)
            case .silentPush: silent[app].append(event.time)
            case .push, .notification: if !event.isLocal { alerts[app].append(event.time) }
            default: break
            }
        }
    }
}

extension TraceRecording {
    /// All arrivals of one kind.
    func arrivals(_ kind: ArrivalKind) -> ArrivalReplay {
        let end = SimTime.zero + .days(Double(days))
        let times =
            switch kind {
            case .content: arrivals.content
            case .alert: arrivals.alerts
            case .silentPush: arrivals.silent
            }
        return ArrivalReplay(times, repeated: min(.zero + .days(Double(firstWholeDay)), end)..<end)
    }
}

extension ArrivalReplay {
    /// Whether a run draws exactly the remaining arrivals of an app, up to an instant.
    mutating func isDrawn(for app: Int, until end: SimTime, by draw: () -> SimTime) -> Bool {
        while true {
            let (recorded, drawn) = (next(app), draw())
            if recorded >= end, drawn >= end { return true }
            if recorded != drawn { return false }
        }
    }
}
