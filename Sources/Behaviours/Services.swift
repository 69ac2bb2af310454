// SPDX-License-Identifier: GPL-3.0-or-later
import EventKernel
import PhoneCore
import Power
import Quantities
import Vocabulary

extension DeviceTimer {
    /// The day or the night of the system's services begins.
    @inlinable public static var services: DeviceTimer { DeviceTimer(13) }
}

/// The system's own work goes on as long as the phone is on: steady loads that change twice a day.
package struct Services {
    private static let components: InlineArray<6, Component> = [
        .processor, .location, .bluetooth, .processor, .cellular, .wifi,
    ]
    private static let housekeeping = 3
    private let parameters: ServiceParameters?
    private var loads = InlineArray<6, LoadHandle>(repeating: .none)

    package init(_ core: borrowing PhoneCore) { parameters = core.device.services }

    /// Begins them, at first and when a phone that was dead is on again.
    package mutating func start(_ core: inout PhoneCore) {
        guard let parameters else { return }
        let powers = Self.powers(parameters)
        for index in Self.components.indices where powers[index].day > .zero || powers[index].night > .zero {
            loads[index] = core.power.startLoad(
                Self.components[index], Self.now(powers[index], parameters, core.now), app: .system, cause: .idle,
                at: core.now)
        }
        follow(&core)
        schedule(parameters, &core)
    }

    /// Low Power Mode has begun or ended: housekeeping waits in it, as far as the device says.
    package mutating func follow(_ core: inout PhoneCore) {
        guard let parameters, parameters.lowPowerShare < 1 else { return }
        let share = core.conditions.lowPowerMode ? parameters.lowPowerShare : 1
        let power = Self.now(parameters.housekeeping, parameters, core.now) * share
        core.power.setLoad(loads[Self.housekeeping], to: power, at: core.now)
    }

    /// The day begins or ends.
    package mutating func timer(_ core: inout PhoneCore) {
        guard let parameters else { return }
        schedule(parameters, &core)
        let powers = Self.powers(parameters)
        for index in Self.components.indices {
            core.power.setLoad(loads[index], to: Self.now(powers[index], parameters, core.now), at: core.now)
        }
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

    private static func powers(_ services: ServiceParameters) -> InlineArray<6, ServiceParameters.Pair> {
        [services.push, services.location, services.findMy, services.housekeeping, services.signalling, services.data]
    }

    private static func now(_ pair: ServiceParameters.Pair, _ services: ServiceParameters, _ now: SimTime) -> Power {
        services.isDay(hour: now.hour % 24) ? pair.day : pair.night
    }
}
