// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Processes
import Quantities
import RandomStreams
import Vocabulary

extension DeviceTimer {
    /// The kernel requests a kill for a cause other than memory shortage.
    @inlinable public static var incident: DeviceTimer { DeviceTimer(12) }
}

/// Kills that the kernel requests although memory is not short.
///
/// Each cause occurs at the rate that the device file states. The instants of incidents are equal under every policy
/// (`IncidentRates`).
package struct Incidents {
    private var stream: RandomStream
    private let rates: [Double]
    private let total: Double

    package init(_ core: borrowing PhoneCore) {
        stream = core.stream("kernel", "incidents")
        rates = core.device.incidents.all
        total = rates.reduce(0, +)
    }

    /// Schedules the next incident, if there are any.
    package mutating func schedule(_ core: inout PhoneCore) {
        guard total > 0 else { return }
        core.engine.schedule(
            Slots.device(.incident), after: .day * stream.exponential(mean: 1 / total), class: EventClass.lifeCycle)
    }

    /// Applies one incident; its cause and victim are drawn even if the phone is off.
    package mutating func timer(_ core: inout PhoneCore) {
        let draw = stream.uniform() * total
        let target = stream.uniform()
        schedule(&core)
        guard !core.power.isDead else { return }
        core.catchUp()
        var left = draw
        let cause = rates.firstIndex { rate in
            left -= rate
            return left < 0
        }
        apply(cause ?? rates.count - 1, target, &core)
    }

    /// Applies the cause with this index in `IncidentRates.all`.
    private func apply(_ cause: Int, _ target: Double, _ core: inout PhoneCore) {
        switch cause {
        case 0: jettison(target, &core)
        case 1: core.signal(.vnodeLimit(caller: core.front.app))
        case 2: core.signal(.fileCacheThrashing)
        case 3:
            core.setFreezer(on: false)
            core.setFreezer(on: true)
        case 4: core.signal(.zoneMap)
        case 5: core.signal(.compressorThrashing)
        default: core.signal(.pageoutStarvation)
        }
    }

    /// Ends the daemon at a relative position in the list of daemons, if it runs.
    private func jettison(_ target: Double, _ core: inout PhoneCore) {
        guard !core.daemons.isEmpty else { return }
        let index = min(core.daemons.count - 1, Int(target * Double(core.daemons.count)))
        core.jettison(AppID(core.apps.count + index))
    }
}
