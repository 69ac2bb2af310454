// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Quantities
import RandomStreams
import Workload

extension DeviceTimer {
    /// An hour or a stay of the user begins, so the surroundings of the phone may change.
    @inlinable public static var surroundings: DeviceTimer { DeviceTimer(19) }
}

/// Hourly surroundings of the phone, for device models that distinguish them.
///
/// The stays come from the user's workload, or from the persona if the workload is a recording. Two draws for each hour
/// of a stay choose between pocket, table, car and sun. The draws do not depend on policy or user.
package struct Surroundings {
    private let parameters: SurroundingParameters?
    private var stream: RandomStream

    package init(_ core: borrowing PhoneCore) {
        parameters = core.device.surroundings
        stream = core.stream("device", "surroundings")
    }

    /// Sets the present surroundings, and schedules a check at the end of the hour or the stay.
    package mutating func timer(_ core: inout PhoneCore) {
        guard let parameters else { return }
        let stay = core.stay()
        core.resting = resting(stay, hour: core.now.hour % 24, parameters)
        core.followSurroundings()
        let hour = SimTime.zero + .hours(Double(core.now.hour + 1))
        guard min(stay.end, hour) < core.end else { return }
        core.engine.schedule(Slots.device(.surroundings), at: min(stay.end, hour), class: EventClass.work)
    }

    private mutating func resting(_ stay: Stay, hour: Int, _ parameters: SurroundingParameters) -> Resting {
        let (sun, draw) = (stream.uniform(), stream.uniform())
        switch stay.location {
        case .transit:
            return Resting(
                free: draw < parameters.carShare ? parameters.car : parameters.pocket, onCable: parameters.car)
        case .home where parameters.isNight(hour: hour), .abroad where parameters.isNight(hour: hour):
            return Resting(free: parameters.bedside, onCable: parameters.bed)
        case .other where (9..<18).contains(hour) && sun < parameters.sunShare:
            return Resting(free: parameters.sun, onCable: parameters.sun)
        case .home, .work, .other, .abroad:
            return Resting(
                free: draw < parameters.pocketShare ? parameters.pocket : parameters.table, onCable: parameters.cable)
        }
    }
}
