// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// When a dozing Android phone lets jobs run: the maintenance windows of light and deep doze.
///
/// AOSP `DeviceIdleController.java`. Light doze begins a minute after the screen went off, or when the jobs end that
/// run then, three minutes later at most; it is idle for 5, 10, 15, 15 … min. Deep doze begins after 64.5 min (30 min
/// inactive, 30 min idle pending, up to 4 min sensing and 30 s locating) and is idle for 1, 2, 4, 6, 6 … h. A window is
/// open for 5 s, in deep doze for 30 s, and as long as jobs run in it: in light doze within a budget of a minute, to
/// which windows add what they left of theirs, up to five minutes; in deep doze for 5, 10, 10 … min.
///
/// A plain value that follows the jobs it is told of. Instants must not go backwards.
struct DozeSchedule: Sendable {
    /// What the phone does when it lies around.
    enum Mode: Int, Sendable {
        /// Light doze, then deep doze: the phone lies still.
        case full
        /// The same, and deep doze ends when the phone is moved, or begins later.
        case motion
        /// Light doze only: the phone is carried about.
        case light
        /// No doze.
        case off
    }

    /// What the phone is doing.
    private enum Phase {
        /// Open at least until the first instant, at most until the second.
        case open(least: SimTime, latest: SimTime)
        /// Closed until then.
        case idle(until: SimTime)
    }

    /// From a dark screen to deep doze.
    static let deepLead = SimDuration.minutes(64.5)
    /// From a dark screen until motion is looked for: what is inactive before that cannot be moved.
    static let inactive = SimDuration.minutes(30)
    /// The same after the phone was moved (`MOTION_INACTIVE_TIMEOUT`).
    static let inactiveAfterMotion = SimDuration.minutes(10)
    /// From a dark screen to light doze (`LIGHT_IDLE_AFTER_INACTIVE_TIMEOUT`), and how much longer jobs may put it off
    /// (`LIGHT_PRE_IDLE_TIMEOUT`).
    private static let (lightLead, preIdle) = (SimDuration.minute, SimDuration.minutes(3))
    /// Shortest window (`MIN_LIGHT_MAINTENANCE_TIME`, `MIN_DEEP_MAINTENANCE_TIME`).
    private static let leastWindow = (light: SimDuration.seconds(5), deep: SimDuration.seconds(30))
    /// The budget of light windows (`LIGHT_IDLE_MAINTENANCE_MIN_BUDGET`, `LIGHT_IDLE_MAINTENANCE_MAX_BUDGET`).
    private static let budgets = SimDuration.minute...SimDuration.minutes(5)

    let mode: Mode
    /// Since when the phone lies around, and when deep doze begins, as it was told last.
    private var known: (since: SimTime, deep: SimTime)?
    private var phase = Phase.idle(until: .distantFuture)
    private var isDeep = false
    /// Whether light doze has not begun yet.
    private var isPending = true
    /// How long the phone is idle the next time, and how long jobs may keep the next window open.
    private var stretch = SimDuration.zero
    private var budget = SimDuration.zero
    /// When the window that is open opened.
    private var opened = SimTime.zero
    private var jobs = 0
    private var quietSince = SimTime(nanoseconds: .min / 2)

    init(mode: Mode) { self.mode = mode }

    /// A job starts on a phone that lies around, or is used or charged.
    mutating func begin(_ idle: (since: SimTime, deep: SimTime)?, at now: SimTime) {
        if let idle { follow(idle, to: now) }
        jobs += 1
    }

    /// A job ends.
    ///
    /// That the phone lies around for a shorter time than was known shows when it is looked at again.
    mutating func end(at now: SimTime) {
        if let known { follow(known, to: now) }
        jobs -= 1
        if jobs == 0 { quietSince = now }
    }

    /// When jobs may run next on a phone that lies around; nil when they may run now.
    func nextWindow(_ idle: (since: SimTime, deep: SimTime), at now: SimTime) -> SimTime? {
        guard mode != .off else { return nil }
        var schedule = self
        schedule.follow(idle, to: now)
        guard case .idle(let until) = schedule.phase else { return nil }
        return schedule.isDeep || until < schedule.deep(idle) ? until : idle.deep + .hour
    }

    /// When alarms may go off next; nil when they may now: only deep doze holds them (`setIdleUntil` of AlarmManager).
    func nextDeepWindow(_ idle: (since: SimTime, deep: SimTime), at now: SimTime) -> SimTime? {
        guard mode == .full || mode == .motion else { return nil }
        var schedule = self
        schedule.follow(idle, to: now)
        guard schedule.isDeep, case .idle(let until) = schedule.phase else { return nil }
        return until
    }

    private func deep(_ idle: (since: SimTime, deep: SimTime)) -> SimTime {
        mode == .light ? .distantFuture : idle.deep
    }

    /// Goes on to an instant; whether jobs run has not changed since the last.
    private mutating func follow(_ idle: (since: SimTime, deep: SimTime), to now: SimTime) {
        if known?.since != idle.since { lieDown(at: idle.since) }
        known = idle
        while let end = endOfPhase(), min(end, isDeep ? end : deep(idle)) <= now {
            if !isDeep, deep(idle) <= end {
                (isDeep, stretch, budget) = (true, .hour, .minutes(5))
                rest(from: deep(idle))
            } else if case .open = phase {
                closeWindow(at: end)
            } else {
                openWindow(at: end)
            }
        }
    }

    /// The screen went off, or the charger.
    private mutating func lieDown(at start: SimTime) {
        (isDeep, isPending, stretch, budget) = (false, true, .minutes(5), Self.budgets.lowerBound)
        phase = .open(least: start + Self.lightLead, latest: start + Self.lightLead + Self.preIdle)
    }

    /// When the phase ends if nothing else happens; nil while jobs keep a window open that may stay so for ever.
    private func endOfPhase() -> SimTime? {
        switch phase {
        case .idle(let until): until == .distantFuture ? nil : until
        case .open(let least, let latest): jobs > 0 ? latest : min(latest, max(least, quietSince))
        }
    }

    private mutating func openWindow(at now: SimTime) {
        opened = now
        if !isDeep { budget = min(max(budget, Self.budgets.lowerBound), Self.budgets.upperBound) }
        let least = isDeep ? Self.leastWindow.deep : Self.leastWindow.light
        phase = .open(least: now + least, latest: now + budget)
    }

    private mutating func closeWindow(at now: SimTime) {
        if isDeep {
            budget = min(budget + budget, .minutes(10))
        } else if !isPending {
            budget = budget + Self.budgets.lowerBound - (now - opened)
        }
        isPending = false
        rest(from: now)
    }

    private mutating func rest(from now: SimTime) {
        phase = .idle(until: now + stretch)
        stretch = min(stretch + stretch, isDeep ? .hours(6) : .minutes(15))
    }
}
