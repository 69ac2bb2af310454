// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

extension AppUsageHistory {
    /// Seconds after switching on in which the app may log the start; assumption.
    private static let starting = 60

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
        let starts = sessionStarts(spans, covered: covered, at: time)
        var events: [WorkloadEvent] = []
        events.reserveCapacity(activity.count)
        // Names are looked up once each, not once a row.
        let kinds = subjects.map { AppUsageText.event($0)?.kind }
        var apps = [Int](repeating: -1, count: subjects.count)
        var offUntil = Int.min
        for row in activity {
            guard let kind = kinds[row.name] else { continue }
            if apps[row.name] < 0, let name = AppUsageText.event(subject(row))?.name { apps[row.name] = index(name) }
            var event = WorkloadEvent(kind, at: time(row.second), app: apps[row.name])
            if kind == .open { event.seconds = Double(row.seconds) }
            if kind == .restart {
                // Most starts follow what was logged as switching off, which tells how long the phone was off.
                if subject(row) == .boot, row.second <= offUntil + Self.starting { continue }
                if subject(row) == .shutdown {
                    event.seconds = Double(row.seconds)
                    offUntil = row.second + row.seconds
                }
            }
            events.append(event)
        }
        return Self.merged([locks(spans.filter(\.isEmpty)), starts, events, locks(spans.filter { !$0.isEmpty })])
    }

    /// One list of sorted ones; at one instant an earlier list goes first.
    private static func merged(_ lists: [[WorkloadEvent]]) -> [WorkloadEvent] {
        var positions = [Int](repeating: 0, count: lists.count)
        var events: [WorkloadEvent] = []
        events.reserveCapacity(lists.reduce(0) { $0 + $1.count })
        while true {
            var best = -1
            for list in lists.indices where positions[list] < lists[list].count {
                if best < 0 || lists[list][positions[list]].time < lists[best][positions[best]].time { best = list }
            }
            guard best >= 0 else { return events }
            events.append(lists[best][positions[best]])
            positions[best] += 1
        }
    }

    /// When the screen was off, in seconds.
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
    ) -> [WorkloadEvent] {
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
            var event = WorkloadEvent(.unlock, at: time(start))
            event.isLocked = !activity[row...].prefix { $0.second < end }.contains { isInUse[$0.name] }
            return event
        }
    }
}
