// SPDX-License-Identifier: GPL-3.0-or-later
// This file: an Android phone's battery history, as `dumpsys batterystats --history` prints it, to a workload file.
// In: lines such as `+1m02s110ms (2) 100 +screen plug=none -wifi`, after a line with the time of the reset.
// Out: sessions (the screen), apps on screen (`top`), the network in use, plugs. What else the history holds (wake
// locks, jobs, signal strengths) is the system's answer to the use, not the use itself, and is passed over.

import ConfigText
import Diagnostics
import Quantities
import Vocabulary
import Workload

/// What to do with a battery history.
public struct BatterystatsOptions: Sendable {
    /// Time zone of the phone, for the head of the workload file; the history holds wall-clock time.
    public var zone = ""
    /// The app on screen where the history does not name it, for instance because names were taken out.
    public var app: String?
    /// One line that says where the file comes from.
    public var origin = ""

    /// Creates the default options.
    public init() {}
}

/// Turns a battery history into a workload file.
///
/// - Throws: All problems with line and column.
public func importBatterystats(path: String, _ options: BatterystatsOptions) throws(Diagnostics) -> WorkloadFile {
    let text = try validText(readBytes(of: path), from: path)
    return try importBatterystats(text: text, name: path, options)
}

/// The same from a text.
func importBatterystats(
    text: String, name: String, _ options: BatterystatsOptions
) throws(Diagnostics) -> WorkloadFile {
    let history = BatterystatsHistory(name: name, text: text)
    guard history.problems.isEmpty else { throw history.problems }
    var builder = BatterystatsSessions(history, app: options.app)
    builder.file.zone = options.zone
    builder.file.origin = options.origin
    return builder.finish()
}

/// Follows the state of screen, network and charger through a history.
private struct BatterystatsSessions {
    var file = WorkloadFile()
    private let app: String?
    private let midnight: Int64
    private var isOn = false
    private var isOnWiFi = false
    private var network: Network?
    private var isPlugged = false
    private var top: String?

    init(_ history: BatterystatsHistory, app: String?) {
        self.app = app
        let reset = history.reset ?? 0
        midnight = (reset % 86400) * 1_000_000_000
        if history.reset != nil { file.start = CalendarDate(daysSince1970: Int(reset / 86400)).text }
        for line in history.lines { read(line) }
        if let first = history.lines.first, let last = history.lines.last {
            file.covered = time(first.offset)..<time(last.offset)
            file.notes.append("battery from \(first.level) % to \(last.level) %")
        }
    }

    /// The file, its last session closed.
    consuming func finish() -> WorkloadFile {
        if isOn { file.events.append(WorkloadEvent(.lock, at: file.covered.upperBound)) }
        file.finish()
        return file
    }

    private func time(_ offset: Int64) -> SimTime { SimTime(nanoseconds: midnight + offset) }

    private mutating func read(_ line: BatterystatsHistory.Line) {
        let now = time(line.offset)
        for change in line.changes {
            switch change {
            case "+screen": screen(true, at: now)
            case "-screen": screen(false, at: now)
            case "+wifi": isOnWiFi = true
            case "-wifi": isOnWiFi = false
            default: readValue(change, level: line.level, at: now)
            }
        }
        // An Android phone without Wi-Fi is on its mobile network unless it says otherwise.
        follow(isOnWiFi ? .wifi : .cellular, at: now)
    }

    private mutating func readValue(_ change: Substring, level: Int, at now: SimTime) {
        if change.hasPrefix("plug=") {
            plug(change != "plug=none", level: level, at: now)
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
        file.events.append(WorkloadEvent(.open, at: now, app: file.index(ofApp: name)))
    }

    private mutating func follow(_ wanted: Network, at now: SimTime) {
        guard network != wanted else { return }
        network = wanted
        var event = WorkloadEvent(.network, at: now)
        event.network = wanted.rawValue
        file.events.append(event)
    }

    private mutating func plug(_ on: Bool, level: Int, at now: SimTime) {
        guard on != isPlugged else { return }
        isPlugged = on
        var event = WorkloadEvent(on ? .plug : .unplug, at: now)
        event.level = Double(level) / 100
        file.events.append(event)
    }
}
