// SPDX-License-Identifier: GPL-3.0-or-later
// This file: an Android phone's battery history, as `dumpsys batterystats` prints it, to a workload file.
// In: the output of `--history`, of `-c`, or a whole bug report; see `BatterystatsHistory.swift` for the forms.
// Out: sessions (the screen), apps on screen (`top`), the network in use and its signal, plugs, restarts. What else the
// history holds (wake locks, jobs) is the system's answer to the use, not the use itself, and is passed over.

import Diagnostics
import Quantities
import Vocabulary
import Workload

/// What to do with a battery history.
public struct BatterystatsOptions: Sendable {
    /// What every recording is told; the zone is needed by the output of `-c` alone.
    public var recording = RecordingOptions()
    /// The app on screen where the history does not name it, for instance because names were taken out.
    public var app: String?

    /// Creates the default options.
    public init() {}
}

/// Turns a battery history into a workload file.
///
/// - Throws: The first problems with line and column, when more entries are broken than may be.
public func importBatterystats(path: String, _ options: BatterystatsOptions) throws(Diagnostics) -> WorkloadFile {
    try importBatterystats(bytes: try ForeignInput.bytes(of: path), name: path, options)
}

/// The same from bytes that are read already.
func importBatterystats(
    bytes: [UInt8], name: String, _ options: BatterystatsOptions
) throws(Diagnostics) -> WorkloadFile {
    let clock = options.recording.zone.isEmpty ? nil : try LocalClock(zone: options.recording.zone)
    let history = try BatterystatsHistory(name: name, bytes: bytes, clock: clock)
    let note = try history.broken.judge(options.recording.skip)
    var builder = BatterystatsSessions(history, app: options.app)
    builder.file.zone = options.recording.zone
    builder.file.origin = options.recording.origin
    builder.file.notes += history.notes + [note].compactMap { $0 }
    return try builder.finish().checked(mayBeIdle: true)
}

/// Follows the state of screen, network and charger through a history.
private struct BatterystatsSessions {
    var file = WorkloadFile()
    private let app: String?
    private let midnight: Int64
    private var apps = NameTable()
    /// Whether each of them is the home screen or part of the system around apps.
    private var shells: [Bool] = []
    private var isOn = false
    private var isOnWiFi = false
    private var isOutOfService = false
    private var signal: SignalLevel?
    private var network: Network?
    private var isPlugged = false
    private var top: Int?
    /// The names of apps in the history, and the number of each in the file; -1 for one that has none yet.
    private let names: [String]
    private var numbers: [Int]
    private var level = 0
    private var last = SimTime.zero
    /// How long a phone takes to start; assumption.
    private static let starting = SimDuration.minutes(1)

    init(_ history: BatterystatsHistory, app: String?) {
        self.app = app
        names = history.changes.apps.names
        numbers = Array(repeating: -1, count: names.count)
        let day = SimDuration.day.nanoseconds
        let first = history.lines.first?.time ?? 0
        midnight = first / day * day
        if history.knowsDay { file.start = CalendarDate(daysSince1970: Int(midnight / day)).text }
        for line in history.lines { read(line, history.changes.list[line.changes]) }
        if let end = history.lines.last?.time {
            file.covered = time(first)..<time(end)
            let levels = history.lines.lazy.map(\.level).filter { $0 >= 0 }
            if let from = levels.first, let to = levels.last { file.notes.append("battery from \(from) % to \(to) %") }
        }
        file.apps = apps.names
    }

    /// The file, its last session closed.
    consuming func finish() -> WorkloadFile {
        if isOn { file.events.append(WorkloadEvent(.lock, at: file.covered.upperBound)) }
        file.finish()
        return file
    }

    private func time(_ nanoseconds: Int64) -> SimTime { SimTime(nanoseconds: nanoseconds - midnight) }

    private mutating func read(_ line: BatterystatsHistory.Line, _ changes: ArraySlice<BatterystatsChange>) {
        let now = time(line.time)
        if line.isRestart { restart() }
        if line.wasOff { switchOn(offSince: line.offSince.map(time), at: now) }
        if line.level >= 0 { level = line.level }
        for change in changes {
            switch change {
            case .screen(let isOn): screen(isOn, at: now)
            case .wifi(let isOn): isOnWiFi = isOn
            case .plug(let isOn): plug(isOn, at: now)
            case .service(let isInReach): isOutOfService = !isInReach
            case .signal(let level): follow(level, at: now)
            case .top(let app):
                top = app
                if isOn, let app { open(number(app), at: now) }
            }
        }
        // An Android phone without Wi-Fi is on its mobile network unless it says otherwise.
        follow(isOnWiFi ? .wifi : isOutOfService ? .none : .cellular, at: now)
        last = now
    }

    /// The phone was off, or its clock set: a session ended where the history last spoke.
    private mutating func restart() {
        screen(false, at: last)
        top = nil
    }

    /// Where nobody logged when it was switched off, it was off for as long as starting takes.
    private mutating func switchOn(offSince: SimTime?, at now: SimTime) {
        var event = WorkloadEvent(.restart, at: max(last, min(offSince ?? now - Self.starting, now)))
        event.seconds = (now - event.time).seconds
        file.events.append(event)
    }

    private mutating func follow(_ level: SignalLevel, at now: SimTime) {
        guard level != signal else { return }
        signal = level
        var event = WorkloadEvent(.signal, at: now)
        event.network = UInt8(level.number)
        file.events.append(event)
    }

    /// The number in the file of an app of the history.
    private mutating func number(_ app: Int) -> Int {
        if numbers[app] < 0 { numbers[app] = apps.index(names[app]) }
        return numbers[app]
    }

    private mutating func screen(_ on: Bool, at now: SimTime) {
        guard on != isOn else { return }
        isOn = on
        file.events.append(WorkloadEvent(on ? .unlock : .lock, at: now))
        guard on else { return }
        if let top { open(number(top), at: now) } else if let app { open(apps.index(app), at: now) }
    }

    private mutating func open(_ app: Int, at now: SimTime) {
        while shells.count <= app { shells.append(PhoneLog.isShell(apps.names[shells.count])) }
        file.events.append(WorkloadEvent(shells[app] ? .home : .open, at: now, app: app))
    }

    private mutating func follow(_ wanted: Network, at now: SimTime) {
        guard network != wanted else { return }
        network = wanted
        var event = WorkloadEvent(.network, at: now)
        event.network = wanted.rawValue
        file.events.append(event)
    }

    private mutating func plug(_ on: Bool, at now: SimTime) {
        guard on != isPlugged else { return }
        isPlugged = on
        var event = WorkloadEvent(on ? .plug : .unplug, at: now)
        event.level = Double(level) / 100
        file.events.append(event)
    }
}
