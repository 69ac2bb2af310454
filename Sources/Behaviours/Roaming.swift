// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Quantities
import RandomStreams
import Workload

extension DeviceTimer {
    /// A phone on Wi-Fi may change to a nearer access point of its network.
    @inlinable public static var roam: DeviceTimer { DeviceTimer(25) }
}

/// Changes between the access points of one network while the user walks in a building.
///
/// Changes occur at random while the phone is on Wi-Fi away from home. Their rate depends on the user but not on the
/// policy. Each change costs as much as joining a network, and transfers continue. No published figure states how often
/// phones roam.
package struct Roaming {
    /// Mean seconds between two changes; 0 for a user without changes.
    private let gap: Double
    private var stream: RandomStream

    package init(_ core: borrowing PhoneCore) {
        let rate = core.specification.persona.wifi.roamsPerHour
        gap = rate > 0 ? 3600 / rate : 0
        stream = core.stream("device", "roaming")
    }

    /// Schedules the next change.
    package mutating func schedule(_ core: inout PhoneCore) {
        guard gap > 0 else { return }
        let next = core.now + .seconds(stream.exponential(mean: gap))
        guard next < core.end else { return }
        core.engine.schedule(Slots.device(.roam), at: next, class: EventClass.work)
    }

    /// Changes to another access point, unless the user is at home.
    package mutating func timer(_ core: inout PhoneCore) {
        schedule(&core)
        if core.stay().location != .home { core.power.roam(at: core.now) }
    }
}
