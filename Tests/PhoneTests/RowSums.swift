// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

@testable import Phone
@testable import PhoneCore

/// What metrics must come to, from rows that say the same.
extension RowCollector {
    /// Mean age of the content at opens, in seconds; what is younger than a millisecond is new.
    var meanContentAge: Double {
        let ages = events.map(\.contentAgeSeconds).filter { !$0.isNaN }.map { $0 < 1e-3 ? 0 : $0 }
        return ages.reduce(0, +) / Double(ages.count)
    }

    /// Seconds without a charged battery, from row to row.
    func deadSeconds(until end: SimTime) -> Double { seconds(until: end, of: \.isDead) }

    /// Seconds above 80 per cent, from row to row: a level is shown from the instant at which it is passed.
    func secondsAbove80(until end: SimTime) -> Double {
        seconds(until: end) { $0.percent > 80 || $0.percent == 80 && $0.pluggedIn && $0.chargeWatts > 0 }
    }

    private func seconds(until end: SimTime, of isCounted: (BatteryRow) -> Bool) -> Double {
        zip(battery, battery.dropFirst().map(\.time) + [end]).reduce(0) { sum, step in
            isCounted(step.0) ? sum + (step.1 - step.0.time).seconds : sum
        }
    }

    /// Launches and resumes of the first apps that users waited for, and for how long together.
    func waits(ofApps count: Int) -> Double { days.filter { $0.app.index < count }.reduce(0) { $0 + $1.waitSeconds } }
}
