// SPDX-License-Identifier: GPL-3.0-or-later
// UserStudies describes users by their workloads. It counts the days of a recording, and fits a persona that behaves
// like the user, with the uncertainty of each figure.
// It also measures the distance of generated people from recorded ones.
// In: workload files. Out: a `UserSample`, a `PersonaFit`, an `AcceptanceStudy`.
// No run uses its random draws: `Workload` generates users, and this module only counts the results.
// Read first: this file, then `HabitEstimates.swift`. The rules of counting are in models/recordings.md, section 2.0.

import Platform
import Quantities
import Vocabulary
import Workload

/// Behaviour of the user of a workload file, divided into whole days, so that days can be drawn again.
package struct UserSample: Sendable {
    /// The whole days, in the order of time.
    package internal(set) var days: [UserDay] = []
    /// App of each launch in the file.
    ///
    /// Hit ratios are computed over all launches.
    package let launches: [Int]
    /// The names of the apps.
    package let apps: [String]
    /// Parts that the file contains.
    package let parts: Set<WorkloadPart>
    /// Whether the file contains the levels of charges.
    package let hasLevels: Bool
    /// Signal level with the longest total time; nil if the file does not contain it.
    package let usualSignal: SignalLevel?

    /// Counts the events of a file.
    ///
    /// `startWeekday` (0: Monday) is used if the file does not contain the weekday of its first day.
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

    /// A sample of the days with these indices.
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

/// A whole day of a recording.
package struct UserDay: Sendable {
    /// A visit to an app on screen.
    package struct Visit: Sendable {
        package var app: Int
        package var seconds: Double
    }

    /// The choice of an app after another app.
    package struct Choice: Sendable {
        package var app: Int
        /// Current app, and the app before it; nil if there is none.
        package var current: Int?
        package var previous: Int?
        package var isFirst: Bool
    }

    /// The time between two sessions, with the screen off.
    package struct Gap: Sendable {
        package var start: SimTime
        package var end: SimTime
        package var seconds: Double { (end - start).seconds }
    }

    /// A notification and the answer to it.
    ///
    /// `isBurst` is true if another notification came less than five seconds before. `whileOn` is true if the screen
    /// was on. `opened` is the time until the app was opened, in seconds; infinite if it was not opened.
    package struct Push: Sendable {
        package var app: Int
        package var isBurst: Bool
        package var whileOn: Bool
        package var opened: Double
    }

    /// A charge, with times in hours since the midnight of the day.
    package struct Charge: Sendable {
        package var plug: Double
        package var unplug: Double
        package var startLevel: Double
        package var endLevel: Double
        /// Whether the charge lasts at least three hours and begins between 20 h and 4 h.
        package var isNight: Bool
        package var minutes: Double { (unplug - plug) * 60 }
    }

    /// A time off the charger, with the levels at both ends.
    ///
    /// Times are in hours since the first midnight of the recording.
    package struct Discharge: Sendable {
        package var start: Double
        package var end: Double
        package var from: Double
        package var to: Double
        /// Whether the time ended with a charge that is not a night's charge.
        package var endsInTopUp: Bool
    }

    /// Number of days since the first midnight of the recording.
    package let number: Int
    /// Weekday, 0 for Monday.
    package let weekday: Int
    package var sessionStarts: [Double] = []
    package var sessionSeconds: [Double] = []
    /// Number of sessions on the previous day; nil for the first day.
    package var sessionsBefore: Int?
    package var glances: [Double] = []
    package var appCounts: [Int] = []
    package var gaps: [Gap] = []
    package var visits: [Visit] = []
    package var choices: [Choice] = []
    package var launchHours = [Double](repeating: 0, count: 24)
    /// Number of apps that were opened for the first time in the recording.
    package var newApps = 0
    package var knowsPushes = false
    package var pushes: [Push] = []
    package var knowsCharging = false
    package var charges: [Charge] = []
    package var discharges: [Discharge] = []
    /// Offers to charge in a generated workload: the level up to which an offer is accepted, and its length in minutes.
    package var offers: [(level: Double, minutes: Double)] = []
    /// Seconds on Wi-Fi by hour, and seconds for which the network is known.
    package var wifiSeconds = [Double](repeating: 0, count: 24)
    package var networkSeconds = [Double](repeating: 0, count: 24)
    /// Seconds on the charger by hour, and seconds on the charger and on Wi-Fi.
    package var chargingSeconds = [Double](repeating: 0, count: 24)
    package var chargingOnWiFi = [Double](repeating: 0, count: 24)
    /// Lengths of complete spells on Wi-Fi and off Wi-Fi, in seconds.
    package var onSpells: [Double] = []
    package var offSpells: [Double] = []
    /// Number of restarts of the phone.
    package var restarts = 0
    /// Number of installed apps, and number of new versions.
    package var installs = 0
    package var updates = 0
}
