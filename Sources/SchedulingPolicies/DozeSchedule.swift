// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// When a dozing Android phone lets jobs run: the maintenance windows of light and deep doze.
///
/// Source: AOSP `DeviceIdleController.java`.
///
/// Light doze begins a minute after the screen went off. If jobs are running then, it begins when they end, at most
/// three minutes later. Its idle phases last 5, 10, 15, 15 … min. Deep doze begins after 64.5 min: 30 min inactive, 30
/// min idle pending, up to 4 min sensing and 30 s locating. Its idle phases last 1, 2, 4, 6, 6 … h.
///
/// A window is open for at least 5 s in light doze and 30 s in deep doze, and longer while jobs run in it. In light
/// doze, jobs have a budget of a minute, to which windows add their unused time, up to five minutes. In deep doze, jobs
/// have 5, 10, 10 … min.
///
/// The schedule is a plain value that follows the jobs passed to it. Instants must not go backwards.
struct DozeSchedule: Sendable {
    /// Doze of a phone that is not in use.
    enum Mode: Int, Sendable {
        /// Light doze, then deep doze, for a phone that is not moved.
        case full
        /// Light doze, then deep doze; moving the phone ends deep doze or delays its beginning.
        case motion
        /// Light doze only, for a phone that is carried about.
        case light
        /// No doze.
        case off
    }

    /// Phase of doze.
    private enum Phase {
        /// Open at least until the first instant, at most until the second.
        case open(least: SimTime, latest: SimTime)
        /// Closed until an instant.
        case idle(until: SimTime)
    }

    /// Time from a dark screen to deep doze.
    static let deepLead = SimDuration.minutes(64.5)
    /// Time from a dark screen until the phone detects motion; earlier motion has no effect.
    static let inactive = SimDuration.minutes(30)
    /// Time from a motion until the phone detects motion again (`MOTION_INACTIVE_TIMEOUT`).
    static let inactiveAfterMotion = SimDuration.minutes(10)
    /// Time from a dark screen to light doze, and the longest delay of light doze by jobs.
    ///
    /// Source: `LIGHT_IDLE_AFTER_INACTIVE_TIMEOUT`, `LIGHT_PRE_IDLE_TIMEOUT`.
    private static let (lightLead, preIdle) = (SimDuration.minute, SimDuration.minutes(3))
    /// Shortest window (`MIN_LIGHT_MAINTENANCE_TIME`, `MIN_DEEP_MAINTENANCE_TIME`).
    private static let leastWindow = (light: SimDuration.seconds(5), deep: SimDuration.seconds(30))
    /// The budget of light windows (`LIGHT_IDLE_MAINTENANCE_MIN_BUDGET`, `LIGHT_IDLE_MAINTENANCE_MAX_BUDGET`).
    private static let budgets = SimDuration.minute...SimDuration.minutes(5)

    let mode: Mode
    /// Start of the time without use and start of deep doze, as passed in the last call.
    private var known: (since: SimTime, deep: SimTime)?
    private var phase = Phase.idle(until: .distantFuture)
    private var isDeep = false
    /// Whether light doze has not begun yet.
    private var isPending = true
    /// Length of the next idle phase, and the longest time for which jobs may keep the next window open.
    private var stretch = SimDuration.zero
    private var budget = SimDuration.zero
    /// When the open window opened.
    private var opened = SimTime.zero
    private var jobs = 0
    private var quietSince = SimTime(nanoseconds: .min / 2)

    init(mode: Mode) { self.mode = mode }

    /// Notes that a job starts; `idle` is nil if the phone is in use or charged.
    mutating func begin(_ idle: (since: SimTime, deep: SimTime)?, at now: SimTime) {
        if let idle { follow(idle, to: now) }
        jobs += 1
    }

    /// Notes that a job ends.
    ///
    /// If the phone was used since the last call, the next call with new times corrects the schedule.
    mutating func end(at now: SimTime) {
        if let known { follow(known, to: now) }
        jobs -= 1
        if jobs == 0 { quietSince = now }
    }

    /// When jobs may next run on a phone that is not in use; nil when they may run now.
    func nextWindow(_ idle: (since: SimTime, deep: SimTime), at now: SimTime) -> SimTime? {
        guard mode != .off else { return nil }
        var schedule = self
        schedule.follow(idle, to: now)
        guard case .idle(let until) = schedule.phase else { return nil }
        return schedule.isDeep || until < schedule.deep(idle) ? until : idle.deep + .hour
    }

    /// When alarms may go off next; nil if they may go off now.
    ///
    /// Only deep doze delays alarms (`setIdleUntil` of AlarmManager).
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

    /// Advances to an instant; the number of running jobs must not have changed since the last call.
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

    /// Begins a time without use, after the screen went off or the charger was disconnected.
    private mutating func lieDown(at start: SimTime) {
        (isDeep, isPending, stretch, budget) = (false, true, .minutes(5), Self.budgets.lowerBound)
        phase = .open(least: start + Self.lightLead, latest: start + Self.lightLead + Self.preIdle)
    }

    /// End of the phase if nothing else happens; nil for a phase without an end.
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
