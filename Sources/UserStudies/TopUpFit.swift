// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities
import Workload

/// Fits the hazard of plugging in by day, h0 f exp(-L / L0) per hour, to levels L of the battery.
///
/// The data are the levels at plug-ins, and the levels that were passed without a plug-in. The factor f is the reach of
/// chargers at the user's location. The recording does not contain locations, so f is a mean for the hour.
struct TopUpFit {
    /// Time step for times off the charger, in hours.
    private static let step = 0.25

    private var exposures: [(level: Double, hours: Double)] = []
    private var levels: [Double] = []

    /// Mean factor for the reach of chargers, by hour of a working day and then by hour of a free day.
    static func reach(_ persona: Persona) -> [Double] {
        let keys = StreamKeys(seed: 1, replication: 0)
        var timeline = LocationTimeline(persona: persona, startWeekday: 0, keys: keys)
        var (sums, counts) = ([Double](repeating: 0, count: 48), [Double](repeating: 0, count: 48))
        for day in 0..<56 {
            let half = persona.isWorkday(weekday: day) ? 0 : 24
            for stay in timeline.stays(day: day) {
                var time = stay.start
                while time < stay.end {
                    let end = min(stay.end, .zero + .hours(Double(time.hour + 1)))
                    let seconds = (end - time).seconds
                    sums[half + time.hour % 24] += seconds * ChargingGenerator.factor(stay.location)
                    counts[half + time.hour % 24] += seconds
                    time = end
                }
            }
        }
        return zip(sums, counts).map { $1 > 0 ? $0 / $1 : 1 }
    }

    /// Adds the times off the charger on the given days.
    init(_ days: [UserDay], persona: Persona, reach: [Double]) {
        for day in days {
            for discharge in day.discharges {
                let length = discharge.end - discharge.start
                guard length > 0 else { continue }
                var hour = discharge.start
                while hour < discharge.end {
                    let next = min(hour + Self.step, discharge.end)
                    let level =
                        discharge.from
                        + (discharge.to - discharge.from) * ((hour + next) / 2 - discharge.start) / length
                    let weekday = (day.weekday + Int(hour / 24) - day.number) % 7
                    let half = persona.isWorkday(weekday: weekday) ? 0 : 24
                    exposures.append((level, (next - hour) * reach[half + Int(hour) % 24]))
                    hour = next
                }
                if discharge.endsInTopUp { levels.append(discharge.to) }
            }
        }
    }

    /// Most likely h0 in plug-ins per hour, and L0 as a share of the battery; nil for fewer than five plug-ins.
    var parameters: (perHour: Double, levelScale: Double)? {
        guard levels.count >= 5 else { return nil }
        let count = Double(levels.count)
        let sum = levels.reduce(0, +)
        func exposure(_ scale: Double) -> Double { exposures.reduce(0) { $0 + $1.hours * exp(-$1.level / scale) } }
        let scale = exp(
            peak(of: { -sum / exp($0) - count * log(max(exposure(exp($0)), 1e-12)) }, in: log(0.02)...log(2)))
        return (count / exposure(scale), scale)
    }
}
