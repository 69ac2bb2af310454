// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

extension AppUsageHistory {
    /// The rows of the workload file, sorted by time.
    ///
    /// The time between two stretches with the screen off is a session; stretches a second apart or less are one
    /// (docs/sources/users-and-traces.md, section 2.0).
    func events(
        covered: Range<SimTime>, at time: (Int) -> SimTime, index: (String) -> Int
    ) -> [WorkloadEvent] {
        // At one instant a session begins before apps open, and ends after; only a screen that was off for no time at
        // all goes off before it goes on.
        let spans = offSpans
        func locks(_ spans: [Range<Int>]) -> [WorkloadEvent] {
            spans.map { WorkloadEvent(.lock, at: time($0.lowerBound)) }
        }
        var events = locks(spans.filter(\.isEmpty)) + sessionStarts(spans, covered: covered, at: time)
        for row in activity {
            switch row.subject {
            case .app(let name):
                var open = WorkloadEvent(.open, at: time(row.second), app: index(name))
                open.seconds = Double(row.seconds)
                events.append(open)
            case .system(let name):
                events.append(WorkloadEvent(.home, at: time(row.second), app: index(name)))
            case .notification(let name):
                events.append(WorkloadEvent(.notification, at: time(row.second), app: index(name)))
            case .screenOff, .screenOnLocked, .screenOnUnlocked, .nothing: break
            }
        }
        events += locks(spans.filter { !$0.isEmpty })
        let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
        return order.map { events[$0] }
    }

    /// When the screen was off, in seconds.
    private var offSpans: [Range<Int>] {
        var spans: [Range<Int>] = []
        for row in activity where row.subject == .screenOff {
            let span = row.second..<row.second + row.seconds
            if let last = spans.last, span.lowerBound - last.upperBound <= 1 {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                spans.append(span)
            }
        }
        return spans
    }

    private func sessionStarts(
        _ spans: [Range<Int>], covered: Range<SimTime>, at time: (Int) -> SimTime
    ) -> [WorkloadEvent] {
        guard let first = spans.first else { return [] }
        var starts = spans.map(\.upperBound).filter { time($0) < covered.upperBound }
        if let begin = activity.first, begin.second < first.lowerBound { starts.insert(begin.second, at: 0) }
        var rows = activity[...]
        return starts.enumerated().map { number, start in
            let end = spans.first { $0.lowerBound >= start }?.lowerBound ?? Int.max
            rows = rows.drop { $0.second < start - 1 }
            var event = WorkloadEvent(.unlock, at: time(start))
            event.isLocked = !rows.prefix { $0.second < end }.contains { row in
                if case .app = row.subject { return true }
                return row.subject == .screenOnUnlocked
            }
            return event
        }
    }
}
