// SPDX-License-Identifier: GPL-3.0-or-later
import Importers
import Numerics
import PhoneCore
import Quantities
import Workload

/// Errors of a replay in the fitted hours; errors in other hours are predicted from them.
struct TwinErrors: Sendable {
    /// Errors of the battery level in one direction: losses, or gains on a charger.
    struct Way {
        /// Variance of the error in a change of level, divided by the change; levels are shares of the battery.
        ///
        /// The variance includes the correlation of neighbouring blocks.
        var variance = TwinErrors.before.variance
        /// Number of blocks in the estimate, and the sum of their changes of level.
        var blocks = 0.0, moved = 0.0

        /// Estimates the variance from the errors of blocks.
        init(_ errors: [Double], moved: Double) {
            guard !errors.isEmpty, moved > 0 else { return }
            let squares = errors.reduce(0) { $0 + $1 * $1 } * TwinErrors.inflation(errors)
            (blocks, self.moved) = (Double(errors.count), moved)
            let before = TwinErrors.before
            variance = (before.blocks * before.variance + squares / moved * blocks) / (before.blocks + blocks)
        }

        /// Variance of the error in a change, from random errors and from the uncertainty of the error that all changes
        /// share.
        func variance(of change: Double) -> Double { variance * change * (1 + change / max(moved, 0.02)) }
    }

    /// Errors off the charger and errors on a charger.
    var down = Way([], moved: 0), up = Way([], moved: 0)
    /// Prior variance, which has the weight of `blocks` measured blocks.
    ///
    /// The error of a loss of 2 % of the battery is a quarter of this loss; assumption, with a plausible range of 10 to
    /// 50 %.
    fileprivate static let before = (blocks: 4.0, variance: 0.005 * 0.005 / 0.02)
    /// Variance of the number of jobs per hour, divided by its mean.
    var dispersion = 1.0
    /// Number of fitted hours.
    let hours: Int
    /// For each part: the ratio of recorded to simulated watt-hours, and the variance of its error from hour to hour.
    ///
    /// There are entries only if the phone records the energy of its parts.
    var parts: [String: (factor: Double, variance: Double, hours: Int)] = [:]

    /// Number of standard deviations that contain 95 % of the errors.
    var reach: Double { StudentT.quantile(0.975, degreesOfFreedom: Self.before.blocks + down.blocks - 1) }

    /// Computes the errors of a replay.
    init(_ window: TwinWindow, _ runs: [TwinRun], _ recording: WorkloadFile) {
        hours = window.hours.count
        dispersion = Self.dispersion(window, recording)
        let length = window.span.upperBound - window.span.lowerBound
        let levels = recording.response.levels.filter { window.span.contains($0.time) }
        let moved = zip(levels, levels.dropFirst()).reduce(0) { $0 + abs($1.0.level - $1.1.level) }
        // About two percent are lost in each block. Smaller losses would be hidden by the steps of the displayed level.
        let count = Int(min(max(moved / 0.02, 4), 4 * max(1, length / .hour)))
        let block = length * (1 / Double(count))
        let screen = ScreenTimes(recording)
        var errors: (down: [Double], up: [Double]) = ([], [])
        var sums = (down: 0.0, up: 0.0)
        for index in 0..<count {
            let from = window.span.lowerBound + block * Double(index)
            guard let error = Self.error(from, from + block, runs, recording) else { continue }
            let change = abs(
                (recording.response.level(at: from) ?? 0) - (recording.response.level(at: from + block) ?? 0))
            if screen.isPlugged(from..<(from + block)) {
                errors.up.append(error)
                sums.up += change
            } else {
                errors.down.append(error)
                sums.down += change
            }
        }
        (down, up) = (Way(errors.down, moved: sums.down), Way(errors.up, moved: sums.up))
    }

    /// Factor by which the correlation of neighbouring errors increases the variance of their sum.
    static func inflation(_ errors: [Double]) -> Double {
        let square = errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))
        let along = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(max(1, errors.count - 1))
        let likeness = square > 0 ? min(max(along / square, 0), 0.9) : 0
        return (1 + likeness) / (1 - likeness)
    }

    private static func error(
        _ from: SimTime, _ to: SimTime, _ runs: [TwinRun], _ recording: WorkloadFile
    ) -> Double? {
        guard let before = recording.response.level(at: from), let after = recording.response.level(at: to) else {
            return nil
        }
        let simulated = runs.compactMap { run -> Double? in
            guard let one = run.level(at: from), let next = run.level(at: to) else { return nil }
            return one - next
        }
        guard !simulated.isEmpty else { return nil }
        return before - after - simulated.reduce(0, +) / Double(simulated.count)
    }

    private static func dispersion(_ window: TwinWindow, _ recording: WorkloadFile) -> Double {
        var counts: [Int: Int] = [:]
        for job in recording.response.jobs where window.span.contains(job.time) {
            counts[Int((job.time - SimTime.zero) / .hour), default: 0] += 1
        }
        let all = window.hours.map { Double(counts[$0] ?? 0) }
        guard !all.isEmpty else { return 1 }
        let (mean, variance) = TwinReplay.moments(all)
        guard mean > 0 else { return 1 }
        return max(1, variance / mean)
    }
}

extension TwinErrors {
    /// Sets the entries of the parts whose energy the phone records.
    mutating func takeParts(_ window: TwinWindow, _ runs: [TwinRun], _ phone: RecordedPhone, midnight: Int) {
        let pairs = Self.partPairs(window, runs, phone, midnight: midnight)
        for (part, hours) in pairs {
            let (recorded, simulated) = hours.reduce((0.0, 0.0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            guard recorded > 0, simulated > 0 else { continue }
            let factor = recorded / simulated
            let mean = recorded / Double(hours.count)
            let errors = hours.map { ($0.0 - factor * $0.1) / mean }
            let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
            parts[part] = (factor, square * Self.inflation(errors), hours.count)
        }
    }

    /// Recorded and simulated watt-hours of each part, hour by hour.
    static func partPairs(
        _ window: TwinWindow, _ runs: [TwinRun], _ phone: RecordedPhone, midnight: Int
    ) -> [String: [(Double, Double)]] {
        var pairs: [String: [(Double, Double)]] = [:]
        for hour in window.hours {
            guard let books = phone.hourly[midnight + hour] else { continue }
            for (part, path) in TwinReplay.parts {
                let simulated = runs.compactMap { $0.hours[hour].map(path) }
                guard !simulated.isEmpty else { continue }
                pairs[part, default: []].append(
                    (books[part] ?? 0, simulated.reduce(0, +) / Double(simulated.count) / 3600))
            }
        }
        return pairs
    }
}
