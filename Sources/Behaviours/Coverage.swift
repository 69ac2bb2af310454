// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Quantities
import RandomStreams
import Workload

extension DeviceTimer {
    /// The user is elsewhere, where there may be 5G or not.
    @inlinable public static var coverage: DeviceTimer { DeviceTimer(24) }
}

/// Which places have 5G, for a phone that has it and something older to fall back to: home and work once and for all,
/// every stay elsewhere anew, whatever policies and user do.
package struct Coverage {
    /// Share of the places with 5G.
    private let share: Double
    /// Whether anything depends on it.
    private let isUsed: Bool
    private var stream: RandomStream
    private let home: Bool
    private let work: Bool

    package init(_ core: borrowing PhoneCore) {
        share = core.specification.persona.cellular.fiveG
        isUsed = share < 1 && core.device.power.cellularFallback != nil
        stream = core.stream("device", "5g")
        home = stream.uniform() < share
        work = stream.uniform() < share
    }

    /// Looks what there is now, and again when the user is elsewhere.
    package mutating func timer(_ core: inout PhoneCore) {
        guard isUsed else { return }
        let stay = core.stay()
        core.power.setNewerInReach(has5G(stay), at: core.now)
        guard stay.end < core.end else { return }
        core.engine.schedule(Slots.device(.coverage), at: stay.end, class: EventClass.work)
    }

    private mutating func has5G(_ stay: Stay) -> Bool {
        switch stay.location {
        case .home: home
        case .work: work
        case .transit, .other, .abroad: stream.uniform() < share
        }
    }
}
