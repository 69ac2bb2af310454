// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Phase of a radio.
public enum RadioPhase: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Off, or looking for a network.
    case off
    case idle
    /// Phases in which the radio is up.
    case promotion, active, tail

    /// Whether a transfer now would need no promotion.
    @inline(__always)
    var isUp: Bool { rawValue >= Self.promotion.rawValue }
}

/// Phase, power and payer of a radio at an instant.
public struct RadioStatus: Sendable, Equatable, BitwiseCopyable {
    /// Phase of the radio.
    public var phase = RadioPhase.off
    /// Power that the radio draws.
    public var power = Power.zero
    /// The app to which the power is booked; the system for a radio that no app uses.
    public var app = AppID.system
    /// The cause to which the power is booked.
    public var cause = Cause.idle
    /// Energy of joining networks so far; the energy of each join is booked at once.
    public var joining = Energy.zero
    /// Additional energy of promotions so far, for the switch from 4G to 5G; each is booked at once.
    public var switching = Energy.zero

    /// The state's name in tables; a radio that is off but draws power looks for a network.
    public var name: String {
        switch phase {
        case .off: power > .zero ? "search" : "off"
        case .idle: "idle"
        case .promotion: "promotion"
        case .active: "active"
        case .tail: "tail"
        }
    }

    /// Creates the status of a radio that is off.
    public init() {}
}

/// Powers into and out of the battery at an instant.
public struct BatteryStatus: Sendable, Equatable, BitwiseCopyable {
    /// Power of all components.
    public var load = Power.zero
    /// Power into the cell at its terminals; negative while the cell discharges.
    public var charging = Power.zero
    /// Voltage at the terminals.
    public var voltage = Voltage.volts(0)

    /// Creates the status of a battery at rest.
    public init() {}
}

// These reads change nothing, so output tables do not affect the results of a run.
extension PowerSystem {
    /// The present status of a radio.
    public func status(of interface: Interface) -> RadioStatus { radios[interface].status }

    /// Powers of the battery as of the last change.
    public var batteryStatus: BatteryStatus { status(of: battery) }

    /// Powers of the battery at an instant not before the last change; the load must be constant until then.
    public func batteryStatus(at now: SimTime) -> BatteryStatus {
        guard now > battery.time else { return batteryStatus }
        var later = battery
        _ = later.advance(to: now, after: (now - battery.time).seconds)
        return status(of: later)
    }

    private func status(of battery: Battery) -> BatteryStatus {
        let flow = battery.flow
        var status = BatteryStatus()
        status.load = .watts(battery.load)
        status.charging = .watts(-flow.power)
        status.voltage = .volts(flow.volts)
        return status
    }

    /// Energy booked to an app on one side of its account, plus energy used since then and not yet booked.
    ///
    /// - Complexity: linear in the loads that run now.
    public func energy(of app: AppID, _ scope: Scope, at now: SimTime) -> Energy {
        var moving = 0.0
        for index in 0..<radios.count { moving += radios[index].unbooked(app, scope, at: now) }
        return .joules(ledger.joules(app, scope) + loads.unbooked(app, scope, at: now) + moving)
    }
}
