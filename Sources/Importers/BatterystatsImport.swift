// SPDX-License-Identifier: GPL-3.0-or-later
// This file: an Android phone's battery history, as `dumpsys batterystats` prints it, to a workload file.
// In: the output of `--history`, of `-c`, or a whole bug report; see `BatterystatsHistory.swift` for the forms.
// Out: sessions (the screen), apps on screen (`top`), the network in use, plugs. What else the history holds (wake
// locks, jobs, signal strengths) is the system's answer to the use, not the use itself, and is passed over.

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
    private var isOn = false
    private var isOnWiFi = false
    private var network: Network?
    private var isPlugged = false
    private var top: String?
    private var level = 0
    private var last = SimTime.zero

    init(_ history: BatterystatsHistory, app: String?) {
        self.app = app
        let day = SimDuration.day.nanoseconds
        let first = history.lines.first?.time ?? 0
        midnight = first / day * day
        if history.knowsDay { file.start = CalendarDate(daysSince1970: Int(midnight / day)).text }
        for line in history.lines { read(line) }
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

    private mutating func read(_ line: BatterystatsHistory.Line) {
        let now = time(line.time)
        if line.isRestart { restart() }
        if line.level >= 0 { level = line.level }
        for change in line.changes {
            switch change {
            case "+screen": screen(true, at: now)
            case "-screen": screen(false, at: now)
            case "+wifi": isOnWiFi = true
            case "-wifi": isOnWiFi = false
            default: readValue(change, at: now)
            }
        }
        // An Android phone without Wi-Fi is on its mobile network unless it says otherwise.
        follow(isOnWiFi ? .wifi : .cellular, at: now)
        last = now
    }

    /// The phone was off, or its clock set: a session ended where the history last spoke.
    private mutating func restart() {
        screen(false, at: last)
        top = nil
    }

    private mutating func readValue(_ change: Substring, at now: SimTime) {
        if change.hasPrefix("plug=") {
            plug(change != "plug=none", at: now)
        } else if change.hasPrefix("+top=") || change.hasPrefix("top=") {
            let name = change.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first ?? ""
            let isHidden = name.isEmpty || name.hasPrefix("<")
            top = isHidden ? nil : String(name)
            if isOn, let top { open(top, at: now) }
        }
    }

    private mutating func screen(_ on: Bool, at now: SimTime) {
        guard on != isOn else { return }
        isOn = on
        file.events.append(WorkloadEvent(on ? .unlock : .lock, at: now))
        if on, let name = top ?? app { open(name, at: now) }
    }

    private mutating func open(_ name: String, at now: SimTime) {
        let kind: WorkloadEventKind = PhoneLog.isShell(name) ? .home : .open
        file.events.append(WorkloadEvent(kind, at: now, app: apps.index(name)))
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
