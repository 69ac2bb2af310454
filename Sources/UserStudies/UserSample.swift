// SPDX-License-Identifier: GPL-3.0-or-later
// UserStudies describes users by their workloads: the days of a recording's user; the persona that behaves like them,
// with the uncertainty of each figure; and the distance of generated people from recorded ones.
// In: workload files. Out: a `UserSample`, a `PersonaFit`, an `AcceptanceStudy`.
// It draws nothing that a run uses: `Workload` generates, and this module only counts the results.
// Read first: this file, then `HabitEstimates.swift`; the rules of counting are those of
// docs/evidence/users.md, section 2.0.

import Platform
import Quantities
import Vocabulary
import Workload

/// Behaviour of the user of a workload file, cut into whole days, so that days can be drawn again and again.
package struct UserSample: Sendable {
    /// The whole days, in order.
    package internal(set) var days: [UserDay] = []
    /// Every launch of the file, by app; hit ratios are counted over all of them.
    package let launches: [Int]
    /// The names of the apps.
    package let apps: [String]
    /// The parts that the file has.
    package let parts: Set<WorkloadPart>
    /// Whether charges have their levels.
    package let hasLevels: Bool
    /// The level that the cellular signal had for most of the time; nil where the file does not contain it.
    package let usualSignal: SignalLevel?

    /// Counts a file; `startWeekday` is 0 when its first day is a Monday, where the file does not state it.
    package init(_ file: WorkloadFile, startWeekday: Int = 0) {
        let whole = WholeDays(file)
        let weekday = file.startWeekday ?? startWeekday
        let sessions = file.screenSessions
        let launched = file.launches(in: sessions)
        apps = file.apps
        launches = launched.map(\.app)
        parts = Set(WorkloadPart.allCases.filter { part in file.events.contains { part.includes($0.kind) } })
        hasLevels = file.chargeSessions.contains { !$0.startLevel.isNaN }
        usualSignal = Self.usualSignal(of: file)
        guard whole.span.lowerBound.nanoseconds % SimDuration.day.nanoseconds == 0 else { return }
        let first = whole.span.lowerBound.day
        let count = Int(whole.count)
        days = (0..<count).map { UserDay(number: first + $0, weekday: (weekday + first + $0) % 7) }
        addSessions(sessions, launched, first)
        addNotifications(file, sessions, first)
        addCharges(file, first)
        addNetwork(file, first)
        addRare(file, first)
        for index in days.indices.dropFirst() { days[index].sessionsBefore = days[index - 1].sessionStarts.count }
    }

    /// A sample of days drawn from these.
    package func resampled(_ indices: [Int]) -> UserSample {
        var sample = self
        sample.days = indices.map { days[$0] }
        return sample
    }

    private mutating func addSessions(_ sessions: [ScreenSession], _ launches: [Launch], _ first: Int) {
        var next = 0
        var current: Int?
        var previous: Int?
        var seen: Set<Int> = []
        while next < launches.count, launches[next].session < 0 {
            seen.insert(launches[next].app)
            next += 1
        }
        for (number, session) in sessions.enumerated() {
            let day = session.start.day - first
            var opened = 0
            let start = next
            while next < launches.count, launches[next].session == number {
                let launch = launches[next]
                let end =
                    next + 1 < launches.count && launches[next + 1].session == number
                    ? launches[next + 1].time : session.end
                let isNew = seen.insert(launch.app).inserted
                if days.indices.contains(day) {
                    let seconds = launch.seconds.isNaN ? (end - launch.time).seconds : launch.seconds
                    days[day].visits.append(UserDay.Visit(app: launch.app, seconds: seconds))
                    days[day].choices.append(
                        UserDay.Choice(app: launch.app, current: current, previous: previous, isFirst: next == start))
                    days[day].launchHours[min(Int(launch.time.hourOfDay), 23)] += 1
                    if isNew { days[day].newApps += 1 }
                }
                if launch.app != current { (previous, current) = (current, launch.app) }
                opened += 1
                next += 1
            }
            guard days.indices.contains(day) else { continue }
            days[day].sessionStarts.append(session.start.hourOfDay)
            days[day].sessionSeconds.append(session.seconds)
            if opened == 0 { days[day].glances.append(session.seconds) } else { days[day].appCounts.append(opened) }
            if number + 1 < sessions.count {
                days[day].gaps.append(UserDay.Gap(start: session.end, end: sessions[number + 1].start))
            }
        }
    }

    private mutating func addNotifications(_ file: WorkloadFile, _ sessions: [ScreenSession], _ first: Int) {
        let span = file.coveredParts[.pushes] ?? file.covered
        var opens: [Int: [SimTime]] = [:]
        for event in file.events where event.kind == .open || event.kind == .switch {
            opens[Int(event.app), default: []].append(event.time)
        }
        for index in days.indices {
            let start = SimTime.zero + .days(Double(first + index))
            let isCovered = span.lowerBound <= start && start + .day <= span.upperBound
            days[index].knowsPushes = parts.contains(.pushes) && isCovered
        }
        var last: SimTime?
        var session = 0
        for event in file.events where event.kind == .push || event.kind == .notification {
            let isBurst = last.map { event.time - $0 < .seconds(5) } ?? false
            last = event.time
            while session < sessions.count, sessions[session].end <= event.time { session += 1 }
            let isOn = session < sessions.count && sessions[session].start <= event.time
            let times = opens[Int(event.app)] ?? []
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < event.time { low = middle + 1 } else { high = middle }
            }
            let delay = low < times.count ? (times[low] - event.time).seconds : .infinity
            let day = event.time.day - first
            guard days.indices.contains(day), days[day].knowsPushes else { continue }
            days[day].pushes.append(
                UserDay.Push(app: Int(event.app), isBurst: isBurst, whileOn: isOn, opened: delay))
        }
    }
}

/// One whole day of a recording.
package struct UserDay: Sendable {
    /// An app on screen.
    package struct Visit: Sendable {
        package var app: Int
        package var seconds: Double
    }

    /// A choice of the next app after another.
    package struct Choice: Sendable {
        package var app: Int
        /// The app that was open last, and the one before it; nil where there was none.
        package var current: Int?
        package var previous: Int?
        package var isFirst: Bool
    }

    /// A time with the screen off.
    package struct Gap: Sendable {
        package var start: SimTime
        package var end: SimTime
        package var seconds: Double { (end - start).seconds }
    }

    /// A notification, and the answer to it.
    ///
    /// The fields state whether another came less than five seconds before, whether the screen was on, and how many
    /// seconds later its app was opened.
    package struct Push: Sendable {
        package var app: Int
        package var isBurst: Bool
        package var whileOn: Bool
        package var opened: Double
    }

    /// A charge, with hours counted from the midnight of the day.
    package struct Charge: Sendable {
        package var plug: Double
        package var unplug: Double
        package var startLevel: Double
        package var endLevel: Double
        /// Whether the charge lasts three hours or more, and begins between 20 h and 4 h.
        package var isNight: Bool
        package var minutes: Double { (unplug - plug) * 60 }
    }

    /// A time off the charger with the levels at its ends, in hours from the first midnight of the recording.
    package struct Discharge: Sendable {
        package var start: Double
        package var end: Double
        package var from: Double
        package var to: Double
        /// Whether a charge other than a night's ended it.
        package var endsInTopUp: Bool
    }

    /// Number of the day, from the recording's first midnight.
    package let number: Int
    /// Weekday, 0 for Monday.
    package let weekday: Int
    package var sessionStarts: [Double] = []
    package var sessionSeconds: [Double] = []
    /// Sessions of the day before; nil for the first.
    package var sessionsBefore: Int?
    package var glances: [Double] = []
    package var appCounts: [Int] = []
    package var gaps: [Gap] = []
    package var visits: [Visit] = []
    package var choices: [Choice] = []
    package var launchHours = [Double](repeating: 0, count: 24)
    /// Apps opened for the first time in the recording.
    package var newApps = 0
    package var knowsPushes = false
    package var pushes: [Push] = []
    package var knowsCharging = false
    package var charges: [Charge] = []
    package var discharges: [Discharge] = []
    /// Offers to charge of a generated workload: the levels at or below which they are taken, and their minutes.
    package var offers: [(level: Double, minutes: Double)] = []
    /// Seconds on Wi-Fi, and seconds with a known network, by hour.
    package var wifiSeconds = [Double](repeating: 0, count: 24)
    package var networkSeconds = [Double](repeating: 0, count: 24)
    /// Seconds on the charger by hour, and those of them on Wi-Fi.
    package var chargingSeconds = [Double](repeating: 0, count: 24)
    package var chargingOnWiFi = [Double](repeating: 0, count: 24)
    /// Lengths of whole spells on and off Wi-Fi, in seconds.
    package var onSpells: [Double] = []
    package var offSpells: [Double] = []
    /// Number of restarts of the phone.
    package var restarts = 0
    /// Apps that were installed, and new versions of apps.
    package var installs = 0
    package var updates = 0
}
