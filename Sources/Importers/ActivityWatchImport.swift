// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts an ActivityWatch export of an Android phone to a workload file.
// In: the JSON of "export all buckets", which has `buckets` with a `type`, and `events` of a timestamp, a duration and
// an app.
// Out: apps on screen (buckets of type `currentwindow`) and unlocks (`os.lockscreen.unlocks`). Times are in UTC.

import ConfigText
import Diagnostics
import Workload

/// Largest size of an export, in bytes.
///
/// The whole export is kept in memory as a tree.
private let largestExport = 32 << 20

/// Converts an export of ActivityWatch to a workload file.
///
/// - Throws: The first problems with line and column, if more events are broken than the limit allows.
public func importActivityWatch(path: String, _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    let bytes = try ForeignInput.text(of: path)
    guard bytes.count <= largestExport else {
        throw Diagnostics(
            "\(path) has more than \(largestExport >> 20) MiB", hint: "export only the bucket aw-watcher-android")
    }
    return try importActivityWatch(SourceText(name: path, text: String(decoding: bytes, as: UTF8.self)), options)
}

/// Converts the text of an export to a workload file.
func importActivityWatch(_ source: SourceText, _ options: RecordingOptions) throws(Diagnostics) -> WorkloadFile {
    var reader = ActivityWatchReader()
    for node in try JSONText.parse(source).get() {
        for entry in node["buckets"]?.entries ?? [] { reader.read(entry.value, entry.key) }
    }
    guard reader.sawBucket else {
        throw Diagnostics(
            "\(source.name) contains no bucket of an Android phone",
            hint: "expected an export of all buckets, with aw-watcher-android among them")
    }
    let note = try reader.broken.judge(options.skip)
    var file = try reader.log.workload(options, clock: try LocalClock(zone: options.zone))
    if let note { file.notes.append(note) }
    return try file.checked()
}

/// Reads the buckets of an export.
private struct ActivityWatchReader {
    var log = PhoneLog()
    private(set) var broken = BrokenRows()
    private(set) var sawBucket = false

    mutating func read(_ bucket: Node, _ name: String) {
        guard name.contains("android") else { return }
        sawBucket = true
        for event in bucket["events"]?.items ?? [] {
            broken.countRow()
            guard let text = event["timestamp"]?.scalar, let stamp = ForeignTime.stamp(text), stamp.isUTC else {
                broken.add(event.location.problem("expected a timestamp such as \"2025-03-30T11:33:24.430Z\""))
                continue
            }
            let time = stamp.nanoseconds
            let data = event["data"]
            guard let app = data?["package"]?.scalar ?? data?["app"]?.scalar else {
                if name.contains("unlock") { log.add(.unlocked, at: time) }
                continue
            }
            guard let seconds = event["duration"]?.scalar.flatMap(Double.init), (0...86400).contains(seconds) else {
                broken.add(event.location.problem("expected a duration from 0 to 86400 s"))
                continue
            }
            if app == "com.android.systemui" { continue }
            log.add(.used, at: time, app: log.apps.index(app), value: seconds)
        }
    }
}
