// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

extension AppUsageHistory {
    /// Longest time, in seconds, from a start of the phone to the entry for that start in the app's log.
    ///
    /// This value is an assumption.
    private static let starting = 60

    /// The rows of the workload file, sorted by time.
    ///
    /// A session is the time between two stretches with the screen off. If two such stretches are at most one second
    /// apart, they count as one (models/recordings.md, section 2.0).
    func events(
        covered: Range<SimTime>, at time: @escaping (Int) -> SimTime, index: (String) -> Int
    ) -> [WorkloadEvent] {
        let spans = offSpans
        var screen = ScreenRows(spans: spans, starts: sessionStarts(spans, covered: covered, at: time), time: time)
        var events: [WorkloadEvent] = []
        // Reserved memory costs nothing until it is written to.
        events.reserveCapacity(activity.count + spans.count * 2 + 1)
        // Each name is looked up once, not once per row.
        let kinds = subjects.map { AppUsageText.event($0)?.kind }
        var apps = [Int](repeating: -1, count: subjects.count)
        var offUntil = Int.min
        for row in activity {
            guard let kind = kinds[row.name] else { continue }
            if apps[row.name] < 0, let name = AppUsageText.event(subject(row))?.name { apps[row.name] = index(name) }
            var event = WorkloadEvent(kind, at: time(row.second), app: apps[row.name])
            if kind == .open { event.seconds = Double(row.seconds) }
            if kind == .restart {
                // Most boots follow a shutdown row whose length is the time that the phone was off. Such a boot needs
                // no row.
                if subject(row) == .boot, row.second <= offUntil + Self.starting { continue }
                if subject(row) == .shutdown {
                    event.seconds = Double(row.seconds)
                    offUntil = row.second + row.seconds
                }
            }
            screen.append(before: row.second, to: &events)
            events.append(event)
        }
        screen.append(before: Int.max, to: &events)
        return events
    }

    /// Adds the rows of screen on and screen off between the other rows.
    ///
    /// At one instant, a session begins before apps open and ends after they open. Exception: if the screen was off for
    /// zero seconds, its row for "off" comes before its row for "on".
    private struct ScreenRows {
        let spans: [Range<Int>]
        let starts: [Start]
        let time: (Int) -> SimTime
        /// Indices of the next empty span, the next session and the next non-empty span.
        private var empty = 0
        private var start = 0
        private var span = 0

        init(spans: [Range<Int>], starts: [Start], time: @escaping (Int) -> SimTime) {
            (self.spans, self.starts, self.time) = (spans, starts, time)
        }

        /// Appends the remaining screen rows that precede a new row at `second`.
        mutating func append(before second: Int, to events: inout [WorkloadEvent]) {
            while true {
                while empty < spans.count, !spans[empty].isEmpty { empty += 1 }
                while span < spans.count, spans[span].isEmpty { span += 1 }
                let flicker = empty < spans.count ? spans[empty].lowerBound : Int.max
                let on = start < starts.count ? starts[start].second : Int.max
                let off = span < spans.count ? spans[span].lowerBound : Int.max
                let next = min(flicker, on, off)
                let isEarlier = next < second || next == second && (flicker == next || on == next)
                guard isEarlier, next < Int.max else { return }
                if flicker == next {
                    events.append(WorkloadEvent(.lock, at: time(next)))
                    empty += 1
                } else if on == next {
                    var event = WorkloadEvent(.unlock, at: time(next))
                    event.isLocked = starts[start].isLocked
                    events.append(event)
                    start += 1
                } else {
                    events.append(WorkloadEvent(.lock, at: time(next)))
                    span += 1
                }
            }
        }
    }

    /// The beginning of a session.
    private struct Start {
        var second: Int
        /// Whether no app was opened in the session.
        var isLocked: Bool
    }

    /// Spans with the screen off, in seconds.
    private var offSpans: [Range<Int>] {
        var spans: [Range<Int>] = []
        let isOff = subjects.map { $0 == .screenOff || $0 == .shutdown }
        for row in activity where isOff[row.name] {
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
    ) -> [Start] {
        guard let first = spans.first else { return [] }
        var starts = spans.map(\.upperBound).filter { time($0) < covered.upperBound }
        if let begin = activity.first, begin.second < first.lowerBound { starts.insert(begin.second, at: 0) }
        let isInUse = subjects.map { subject in
            if case .app = subject { return true }
            return subject == .screenOnUnlocked
        }
        var row = 0
        var span = 0
        return starts.map { start in
            while span < spans.count, spans[span].lowerBound < start { span += 1 }
            let end = span < spans.count ? spans[span].lowerBound : Int.max
            while row < activity.count, activity[row].second < start - 1 { row += 1 }
            let isLocked = !activity[row...].prefix { $0.second < end }.contains { isInUse[$0.name] }
            return Start(second: start, isLocked: isLocked)
        }
    }
}
