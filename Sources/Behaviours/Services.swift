// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Quantities
import Vocabulary
import Workload

extension DeviceTimer {
    /// The loads of the system's services change from day to night or from night to day.
    @inlinable public static var services: DeviceTimer { DeviceTimer(13) }
}

/// The system's own work while the phone is on, as constant loads.
///
/// The loads change twice a day, and with Low Power Mode and Wi-Fi.
package struct Services {
    private static let components: InlineArray<7, Component> = [
        .processor, .location, .bluetooth, .processor, .cellular, .wifi, .bluetooth,
    ]
    private static let housekeeping = 3
    private let parameters: ServiceParameters?
    /// Whether the user is at home or at work; false until the workload gives a location.
    private var isUsual = false
    private var loads = InlineArray<7, LoadHandle>(repeating: .none)

    package init(_ core: borrowing PhoneCore) { parameters = core.device.services }

    /// Starts the loads at the start of the run and when the phone is switched on again.
    package mutating func start(_ core: inout PhoneCore) {
        guard let parameters else { return }
        let powers = powers(parameters, core)
        for index in Self.components.indices where Self.isEver(index, parameters) {
            loads[index] = core.power.startLoad(
                Self.components[index], powers[index], app: .system, cause: .idle, at: core.now)
        }
        schedule(parameters, &core)
    }

    /// Updates the loads after a change of Low Power Mode or network.
    package func follow(_ core: inout PhoneCore) {
        guard let parameters else { return }
        let powers = powers(parameters, core)
        for index in Self.components.indices { core.power.setLoad(loads[index], to: powers[index], at: core.now) }
    }

    /// Handles the user's arrival at a location.
    package mutating func arrive(at location: Workload.Location, _ core: inout PhoneCore) {
        guard location.isUsual != isUsual else { return }
        isUsual = location.isUsual
        follow(&core)
    }

    /// Changes the loads when the day begins or ends.
    package mutating func timer(_ core: inout PhoneCore) {
        guard let parameters else { return }
        schedule(parameters, &core)
        follow(&core)
    }

    private func schedule(_ parameters: ServiceParameters, _ core: inout PhoneCore) {
        guard parameters.dayBegins != parameters.dayEnds else { return }
        var hours = 1
        let hour = core.now.hour % 24
        while parameters.isDay(hour: (hour + hours) % 24) == parameters.isDay(hour: hour), hours < 24 { hours += 1 }
        let next = SimTime.zero + .hours(Double(core.now.hour + hours))
        core.engine.schedule(Slots.device(.services), at: next, class: EventClass.work)
    }

    private static func pairs(_ services: ServiceParameters) -> InlineArray<7, ServiceParameters.Pair> {
        [
            services.push, services.location, services.findMy, services.housekeeping, services.signalling,
            services.data, services.accessories,
        ]
    }

    /// Additional power of each service without Wi-Fi and away from home and work, from the one recorded phone.
    private static func away(_ services: ServiceParameters) -> InlineArray<7, Power> {
        [.zero, services.locationAway, .zero, .zero, services.signallingAway, .zero, .zero]
    }

    /// Whether a service ever draws power.
    private static func isEver(_ index: Int, _ services: ServiceParameters) -> Bool {
        let pair = pairs(services)[index]
        return pair.day > .zero || pair.night > .zero || away(services)[index] > .zero
    }

    /// Power of each service at present.
    private func powers(_ services: ServiceParameters, _ core: borrowing PhoneCore) -> InlineArray<7, Power> {
        let (isDay, pairs) = (services.isDay(hour: core.now.hour % 24), Self.pairs(services))
        var powers = InlineArray<7, Power> { isDay ? pairs[$0].day : pairs[$0].night }
        if core.conditions.lowPowerMode {
            powers[Self.housekeeping] = powers[Self.housekeeping] * services.lowPowerShare
        }
        if core.conditions.network != .wifi, !isUsual {
            let away = Self.away(services)
            for index in away.indices { powers[index] += away[index] }
        }
        return powers
    }
}
