// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts an Android phone's battery history, as `dumpsys batterystats` prints it, to a workload file.
//
// In: the output of `--history`, of `-c`, or a whole bug report. `BatterystatsHistory.swift` describes the forms. Out:
// sessions (the screen), apps on screen (`top`), the network in use and its signal, plugs, restarts, installations.
// Levels and started jobs are kept as the response of the phone to its use. Other entries, such as wake locks, are
// ignored.

import Diagnostics
import Workload

/// Options for a battery history.
public struct BatterystatsOptions: Sendable {
    /// Options of every recording.
    ///
    /// Only the output of `-c` needs the zone.
    public var recording = RecordingOptions()
    /// App that is on screen where the history has no name, for instance because names were removed.
    public var app: String?

    /// Creates the default options.
    public init() {}
}

/// Converts a battery history to a workload file.
///
/// - Throws: The first problems with line and column, if more entries are broken than the limit allows.
public func importBatterystats(path: String, _ options: BatterystatsOptions) throws(Diagnostics) -> WorkloadFile {
    let table = try ForeignTable.read(path: path, separator: 0)
    let file = try importBatterystats(table: table, options)
    try table.check()
    return file
}

/// Converts the bytes of a file to a workload file.
func importBatterystats(
    bytes: [UInt8], name: String, _ options: BatterystatsOptions
) throws(Diagnostics) -> WorkloadFile {
    try importBatterystats(table: try ForeignTable(name: name, bytes: bytes, separator: 0), options)
}

private func importBatterystats(
    table: ForeignTable, _ options: BatterystatsOptions
) throws(Diagnostics) -> WorkloadFile {
    let clock = options.recording.zone.isEmpty ? nil : try LocalClock(zone: options.recording.zone)
    var history = try BatterystatsHistory(table, clock: clock, sessions: BatterystatsSessions(app: options.app))
    let note = try history.broken.judge(options.recording.skip)
    var file = history.sessions.finish()
    file.zone = options.recording.zone
    file.origin = options.recording.origin
    file.notes += history.notes + [note].compactMap { $0 }
    return try file.checked(mayBeIdle: true)
}
