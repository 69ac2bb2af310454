// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Quantities
import RandomStreams
import Workload

extension DeviceTimer {
    /// The user has moved to another location, where 5G may or may not be available.
    @inlinable public static var coverage: DeviceTimer { DeviceTimer(24) }
}

/// Locations with 5G, for a phone with 5G that also supports an older technology.
///
/// Home and work are drawn once; each other stay has its own draw. The draws do not depend on policy or user.
package struct Coverage {
    /// Share of the locations with 5G.
    private let share: Double
    /// Whether the technology has any effect on this phone.
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

    /// Sets the technology that is available now, and checks again when the user is at another location.
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
