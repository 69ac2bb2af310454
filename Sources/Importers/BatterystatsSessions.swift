// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary
import Workload

/// Tracks the state of screen, network and charger through the entries of a history.
struct BatterystatsSessions {
    /// Whether at least one entry was read.
    private(set) var hasBegun = false
    /// Whether times are calendar times.
    var knowsDay = false

    /// Events so far; their times count from 1970, or from the beginning of the history.
    private var events: [WorkloadEvent] = []
    private var first = SimTime.zero
    private var last = SimTime.zero
    private var firstLevel: Int?

    private let app: String?
    private var apps = NameTable()
    /// Whether each app is the home screen or another part of the system.
    private var shells: [Bool] = []
    /// Whether each app has been on screen or installed so far.
    private var isThere: [Bool] = []
    /// Number in the workload file of each app of the history; -1 for an app that has no number yet.
    private var numbers: [Int] = []
    private var isOn = false
    private var isOnWiFi = false
    private var isOutOfService = false
    private var signal: SignalLevel?
    private var network: Network?
    private var isPlugged = false
    private var top: Int?
    private var level = 0
    /// The phone's recorded response to its use so far, such as battery levels.
    private var response = RecordedResponse()
    /// Ratios of charge counter to level, in mAh.
    private var fullCharges: [Double] = []
    /// Assumed time that a phone takes to start.
    private static let starting = SimDuration.minutes(1)

    /// Creates the state before the first entry.
    ///
    /// Where the history contains no app on screen, `app` is on screen.
    init(app: String?) { self.app = app }

    /// Closes the last session and returns the workload file, in time since the midnight before the first entry.
    mutating func finish() -> WorkloadFile {
        var file = WorkloadFile()
        guard hasBegun else { return file }
        if isOn { events.append(WorkloadEvent(.lock, at: last)) }
        let day = SimDuration.day.nanoseconds
        let midnight = first.nanoseconds / day * day
        move(by: -midnight)
        if knowsDay { file.start = CalendarDate(daysSince1970: Int(midnight / day)).text }
        file.covered = first..<last
        if let firstLevel { file.notes.append("battery from \(firstLevel) % to \(level) %") }
        file.apps = apps.names
        swap(&file.events, &events)
        swap(&file.response, &response)
        if firstLevel != nil {
            file.response.levels.append(RecordedResponse.Level(time: last, level: Double(level) / 100))
        }
        file.response.fullCharge = fullCharges.isEmpty ? nil : fullCharges.sorted()[fullCharges.count / 2]
        file.finish()
        return file
    }

    /// Shifts all times so far.
    ///
    /// The shift is needed when the history later contains the time of the clock.
    mutating func move(by nanoseconds: Int64) {
        guard nanoseconds != 0 else { return }
        let distance = SimDuration(nanoseconds: nanoseconds)
        for index in events.indices {
            events[index].time += distance
            events[index].until = events[index].time
        }
        response.move(by: distance)
        first += distance
        last += distance
    }

    /// Reads the changes of an entry and its level in percent, which is -1 when the entry has none.
    mutating func read(_ changes: BatterystatsChanges, level: Int, at nanoseconds: Int64) {
        let now = SimTime(nanoseconds: nanoseconds)
        if !hasBegun { (hasBegun, first) = (true, now) }
        if level >= 0 {
            self.level = level
            firstLevel = firstLevel ?? level
            response.add(level: Double(level) / 100, at: now)
        }
        for change in changes.list {
            switch change {
            case .screen(let isOn): screen(isOn, at: now, changes)
            case .wifi(let isOn): isOnWiFi = isOn
            case .plug(let isOn): plug(isOn, at: now)
            case .service(let isInReach): isOutOfService = !isInReach
            case .signal(let level): follow(level, at: now)
            case .installed(let app): install(number(app, changes), at: now)
            case .job(let app):
                response.jobs.append(RecordedResponse.Job(time: now, app: changes.apps.names[app]))
            // The last steps of a discharge show little about the full charge.
            case .charge(let charge): if self.level > 20 { fullCharges.append(charge * 100 / Double(self.level)) }
            case .top(let app):
                top = app
                if isOn, let app { open(number(app, changes), at: now) }
            }
        }
        // An Android phone without Wi-Fi is on its mobile network, unless an entry reports no service.
        follow(isOnWiFi ? .wifi : isOutOfService ? .none : .cellular, at: now)
        last = now
    }

    /// Ends the session at the last entry before the phone was off.
    mutating func restart() {
        if isOn { events.append(WorkloadEvent(.lock, at: last)) }
        isOn = false
        top = nil
    }

    /// Switches the phone on.
    ///
    /// If no entry records the switch-off, the phone was off for the assumed time of a start.
    mutating func switchOn(offSince: Int64?, at nanoseconds: Int64) {
        let now = SimTime(nanoseconds: nanoseconds)
        let since = offSince.map { SimTime(nanoseconds: $0) } ?? now - Self.starting
        var event = WorkloadEvent(.restart, at: max(last, min(since, now)))
        event.seconds = (now - event.time).seconds
        events.append(event)
    }

    private mutating func follow(_ level: SignalLevel, at now: SimTime) {
        guard level != signal else { return }
        signal = level
        var event = WorkloadEvent(.signal, at: now)
        event.network = UInt8(level.number)
        events.append(event)
    }

    /// Number in the workload file of an app of the history.
    private mutating func number(_ app: Int, _ changes: BatterystatsChanges) -> Int {
        while numbers.count <= app { numbers.append(-1) }
        if numbers[app] < 0 { numbers[app] = apps.index(changes.apps.names[app]) }
        return numbers[app]
    }

    private mutating func screen(_ on: Bool, at now: SimTime, _ changes: BatterystatsChanges) {
        guard on != isOn else { return }
        isOn = on
        events.append(WorkloadEvent(on ? .unlock : .lock, at: now))
        guard on else { return }
        if let top { open(number(top, changes), at: now) } else if let app { open(apps.index(app), at: now) }
    }

    /// Adds an update if the app was on screen or installed before, otherwise an installation.
    ///
    /// The history does not distinguish the two.
    private mutating func install(_ app: Int, at now: SimTime) {
        learn(app)
        events.append(WorkloadEvent(isThere[app] ? .update : .install, at: now, app: app))
        isThere[app] = true
    }

    private mutating func learn(_ app: Int) {
        while shells.count <= app {
            shells.append(PhoneLog.isShell(apps.names[shells.count]))
            isThere.append(false)
        }
    }

    private mutating func open(_ app: Int, at now: SimTime) {
        learn(app)
        isThere[app] = true
        events.append(WorkloadEvent(shells[app] ? .home : .open, at: now, app: app))
    }

    private mutating func follow(_ wanted: Network, at now: SimTime) {
        guard network != wanted else { return }
        network = wanted
        var event = WorkloadEvent(.network, at: now)
        event.network = wanted.rawValue
        events.append(event)
    }

    private mutating func plug(_ on: Bool, at now: SimTime) {
        guard on != isPlugged else { return }
        isPlugged = on
        var event = WorkloadEvent(on ? .plug : .unplug, at: now)
        event.level = Double(level) / 100
        events.append(event)
    }
}
