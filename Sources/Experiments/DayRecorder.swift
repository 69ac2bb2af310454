// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Vocabulary

/// Collects the data for a picture of one day of a run, and the story that explains the picture.
package final class DayRecorder: RowSink {
    /// Tables that a run must write for this recorder.
    package static let tables = StoryRecorder.tables.union([.battery, .radio, .deviceHours])

    /// Visit of an app: an interval in which it is on screen.
    package struct Visit {
        /// App that is on screen.
        package let app: AppID
        /// Start of the visit.
        package let from: SimTime
        /// End of the visit.
        package let to: SimTime
    }

    /// Available memory at an instant.
    package struct Memory {
        /// Instant of the value.
        package let time: SimTime
        /// Available memory, in MiB.
        package let available: Double
    }

    /// Start and end of the day.
    package let day: Range<SimTime>
    /// Reasons for starts and delays of work and for deaths of processes, from the run's start to the day's end.
    package let story: StoryRecorder
    /// Visits of apps during the day.
    package private(set) var visits: [Visit] = []
    /// Opens of apps by the user during the day.
    package private(set) var opens: [EventRow] = []
    /// Available memory at each change of a process.
    package private(set) var memory: [Memory] = []
    /// Rows about battery and screen, including the last row before the day.
    package private(set) var battery: [BatteryRow] = []
    /// Rows about radios, including each radio's last row before the day.
    package private(set) var radios: [RadioRow] = []
    /// Rows about the hours of the day.
    package private(set) var hours: [DeviceHourRow] = []
    private var front: (app: AppID, since: SimTime)?
    private var earlier: (battery: BatteryRow?, radios: [String: RadioRow]) = (nil, [:])

    /// Creates a recorder of a day.
    package init(day: Range<SimTime>) {
        self.day = day
        // The story starts a day earlier, because requests that wait at midnight were decided before.
        story = StoryRecorder(app: nil, detailed: max(.zero, day.lowerBound - .day))
    }

    package func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as EventRow where row.time < day.upperBound:
            add(row)
            story.write(row, to: EventRow.table)
        case let row as RequestRow: story.write(row, to: RequestRow.table)
        case let row as DecisionRow where row.time < day.upperBound: story.write(row, to: DecisionRow.table)
        case let row as BatteryRow where row.time < day.upperBound: add(row)
        case let row as RadioRow where row.time < day.upperBound: add(row)
        case let row as DeviceHourRow where day.contains(.zero + .hours(Double(row.hour))): hours.append(row)
        default: break
        }
    }

    /// Ends the visit that lasts beyond the end of the day, and completes the rows of battery and radios.
    package func finish() {
        leave(at: day.upperBound)
        // Rows of values that did not change during the day.
        if let first = earlier.battery { battery.append(first) }
        radios += earlier.radios.values.sorted { $0.radio < $1.radio }
    }

    private func add(_ row: EventRow) {
        let isFront = row.to == .active || row.to == .inactive
        if isFront, front?.app != row.app {
            leave(at: row.time)
            front = (row.app, row.time)
        } else if !isFront, front?.app == row.app {
            leave(at: row.time)
        }
        guard day.contains(row.time) else { return }
        if row.event == .launch, row.delaySeconds.isFinite { opens.append(row) }
        if row.availableAfterMiB != memory.last?.available {
            memory.append(Memory(time: row.time, available: row.availableAfterMiB))
        }
    }

    private func leave(at time: SimTime) {
        if let front, time > max(front.since, day.lowerBound) {
            visits.append(Visit(app: front.app, from: max(front.since, day.lowerBound), to: time))
        }
        front = nil
    }

    private func add(_ row: BatteryRow) {
        guard row.time >= day.lowerBound else { return earlier.battery = row }
        if let first = earlier.battery {
            battery.append(first)
            earlier.battery = nil
        }
        battery.append(row)
    }

    private func add(_ row: RadioRow) {
        guard row.time >= day.lowerBound else { return earlier.radios[row.radio] = row }
        if let first = earlier.radios.removeValue(forKey: row.radio) { radios.append(first) }
        radios.append(row)
    }
}
