// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import RandomStreams
import Vocabulary

/// Time of a change of power in a phone with many apps: a change sets one app's load and reads the battery's next
/// event.
enum EnergyCase {
    static let changes = 1_000_000

    static func run(into report: Report) {
        for size in [1_000, 10_000] {
            let nanoseconds = measure(size)
            report.add("energy", "power-change", size, nanoseconds, "ns/change")
            report.add("energy", "changes", size, 1e3 / nanoseconds, "million/s")
        }
    }

    private static func measure(_ size: Int) -> Double {
        var system = PowerSystem(.iPhone15, apps: size)
        var random = RandomStream(seed: 1, replication: 0, entity: "energy", purpose: "changes")
        var now = SimTime.zero
        let loads = (0..<size).map { index in
            system.startLoad(.processor, .milliwatts(0.1), app: AppID(index), cause: .backgroundTask, at: now)
        }
        return Measurement.nanoseconds(operations: changes) {
            var sum: Int64 = 0
            for _ in 0..<changes {
                now = now + SimDuration(nanoseconds: Int64(random.integer(below: 20_000_000)))
                let power = Power.milliwatts(Double(random.integer(below: 300)) / Double(size))
                system.setLoad(loads[random.integer(below: size)], to: power, at: now)
                sum &+= system.nextBatteryEvent().nanoseconds & 1
            }
            keep(UInt64(bitPattern: sum))
        }
    }
}
