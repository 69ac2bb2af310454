// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A workload file in memory: its rows, its app names and the values of its header.
///
/// The file is CSV, `t_s,event,app,value`, sorted by time, after comment lines `# key: text`. Times are seconds since
/// midnight of the first day, as exact decimals. A value is a number, or named parts such as `level=0.35 until=64800`.
public struct WorkloadFile: Sendable {
    /// The line that names the columns.
    public static let columns = "t_s,event,app,value"

    /// The time zone of the first midnight, for instance `Europe/Helsinki`; empty when unknown.
    public var zone = ""
    /// Origin of the rows.
    public var origin = ""
    /// The first day, `YYYY-MM-DD`; empty for a generated workload.
    public var start = ""
    /// Span in which everything that happened was recorded.
    public var covered = SimTime.zero..<SimTime.zero
    /// Recorded spans of the parts whose span differs from `covered`.
    public var coveredParts: [WorkloadPart: Range<SimTime>] = [:]
    /// Further header comments, in order.
    public var notes: [String] = []
    /// The names of the apps, by the index that rows use.
    public var apps: [String] = []
    /// The rows, sorted by time.
    public var events: [WorkloadEvent] = []
    /// Recorded response of the phone; it is not written to files.
    public var response = RecordedResponse()

    /// Creates an empty file.
    public init() {}

    /// The number of the weekday on which the file starts, 0 for Monday; nil when the header has no date.
    public var startWeekday: Int? { CalendarDate(start)?.weekday }

    /// The index of a name in the table of apps; a new name is added.
    ///
    /// - Complexity: O(number of apps); an importer of many rows keeps its own table.
    public mutating func index(ofApp name: String) -> Int {
        if let index = apps.firstIndex(of: name) { return index }
        apps.append(name)
        return apps.count - 1
    }

    /// Sorts the rows by time and keeps the order of rows at one instant; an empty `covered` becomes the span of the
    /// rows.
    public mutating func finish() {
        if !events.indices.dropFirst().allSatisfy({ events[$0 - 1].time <= events[$0].time }) {
            events.sort { $0.time < $1.time }
        }
        if covered.isEmpty, let first = events.first, let last = events.last { covered = first.time..<last.time }
    }
}
