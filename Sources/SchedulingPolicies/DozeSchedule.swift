// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// When a dozing Android phone lets jobs run: the maintenance windows of light and deep doze.
///
/// AOSP DeviceIdleController: light doze from 4 min after the screen goes off, idle for 5, 10, 15, 15 … min with
/// windows of 1 min; deep doze from 64.5 min (30 min inactive, 30 min idle pending, up to 4 min sensing and 30 s
/// locating), idle for 1, 2, 4, 6, 6 … h with windows of 5, 10, 10 … min.
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

    let mode: Mode
    private static let lightLead = SimDuration.minutes(4)
    /// From a dark screen to deep doze.
    static let deepLead = SimDuration.minutes(64.5)
    /// From a dark screen until motion is looked for: what is inactive before that cannot be moved.
    static let inactive = SimDuration.minutes(30)
    /// The same after the phone was moved (`MOTION_INACTIVE_TIMEOUT`).
    static let inactiveAfterMotion = SimDuration.minutes(10)

    /// When jobs may run next, counted from the start of idleness; nil when they may run now.
    ///
    /// - Parameter deepLead: When deep doze begins, from the same start.
    func nextWindow(after idle: SimDuration, deepLead: SimDuration = deepLead) -> SimDuration? {
        guard mode != .off, idle >= Self.lightLead else { return nil }
        if mode != .light, idle >= deepLead { return Self.deep(idle, lead: deepLead) }
        guard let next = Self.light(idle) else { return nil }
        return mode != .light && next >= deepLead ? Self.deep(deepLead, lead: deepLead) : next
    }

    /// When alarms may go off next, counted from the start of idleness; nil when they may now: only deep doze holds
    /// them (`setIdleUntil` of AlarmManager).
    func nextDeepWindow(after idle: SimDuration, deepLead: SimDuration = deepLead) -> SimDuration? {
        guard mode == .full || mode == .motion, idle >= deepLead else { return nil }
        return Self.deep(idle, lead: deepLead)
    }

    private static func light(_ idle: SimDuration) -> SimDuration? {
        next(after: idle, lead: lightLead, idles: (.minutes(5), .minutes(15)), windows: (.minute, .minute))
    }

    private static func deep(_ idle: SimDuration, lead: SimDuration) -> SimDuration? {
        next(after: idle, lead: lead, idles: (.hour, .hours(6)), windows: (.minutes(5), .minutes(10)))
    }

    /// Idle stretches and windows take turns; both double up to their longest.
    private static func next(
        after idle: SimDuration, lead: SimDuration, idles: (SimDuration, SimDuration),
        windows: (SimDuration, SimDuration)
    ) -> SimDuration? {
        var (stretch, window) = (idles.0, windows.0)
        var end = lead
        while true {
            let opens = end + stretch
            if idle < opens { return opens }
            end = opens + window
            if idle < end { return nil }
            stretch = min(stretch + stretch, idles.1)
            window = min(window + window, windows.1)
        }
    }
}
