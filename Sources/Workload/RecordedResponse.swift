// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The phone's recorded response to its use; a replay is compared with the response and never driven by it.
public struct RecordedResponse: Sendable {
    /// A level of the battery that was shown from an instant on.
    public struct Level: Sendable, Equatable {
        /// Time since the first midnight of the recording.
        public var time: SimTime
        /// Level, from 0 to 1.
        public var level: Double

        /// Creates a level.
        public init(time: SimTime, level: Double) { (self.time, self.level) = (time, level) }
    }

    /// A job that the system started for an app.
    public struct Job: Sendable, Equatable {
        /// Time since the first midnight of the recording.
        public var time: SimTime
        /// The name of the app's package.
        public var app: String

        /// Creates a job.
        public init(time: SimTime, app: String) { (self.time, self.app) = (time, app) }
    }

    /// Changes of the battery's level, sorted by time.
    public var levels: [Level] = []
    /// Jobs, sorted by time.
    public var jobs: [Job] = []
    /// Charge of a full battery in mAh, by the phone's own charge counter; nil without a counter.
    public var fullCharge: Double?

    /// Creates an empty response.
    public init() {}

    /// Adds a level if it differs from the previous one.
    public mutating func add(level: Double, at time: SimTime) {
        if levels.last?.level != level { levels.append(Level(time: time, level: level)) }
    }

    /// Moves all times by a duration.
    public mutating func move(by distance: SimDuration) {
        for index in levels.indices { levels[index].time += distance }
        for index in jobs.indices { jobs[index].time += distance }
    }

    /// The level at an instant, linearly interpolated between changes; nil outside of the recording.
    public func level(at time: SimTime) -> Double? {
        var (low, high) = (0, levels.count)
        while low < high {
            let middle = (low + high) / 2
            if levels[middle].time < time { low = middle + 1 } else { high = middle }
        }
        guard low < levels.count else { return nil }
        let next = low
        if next == 0 { return levels[0].time == time ? levels[0].level : nil }
        let (one, other) = (levels[next - 1], levels[next])
        let share = (time - one.time) / (other.time - one.time)
        return one.level + share * (other.level - one.level)
    }
}
