// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// What a radio is doing.
public enum RadioPhase: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Off, or looking for a network.
    case off
    case idle
    /// From here on a radio is up.
    case promotion, active, tail

    /// Whether a transfer now would need no promotion.
    @inline(__always)
    var isUp: Bool { rawValue >= Self.promotion.rawValue }
}

/// What a radio does at an instant, and for whom.
public struct RadioStatus: Sendable, Equatable, BitwiseCopyable {
    /// What it does.
    public var phase = RadioPhase.off
    /// What it draws.
    public var power = Power.zero
    /// Who pays; the system for a radio that nobody uses.
    public var app = AppID.system
    /// For what.
    public var cause = Cause.idle
    /// What joining networks has cost so far, each time at once.
    public var joining = Energy.zero
    /// What promotions have cost so far beyond their time, each at once: the switch from 4G to 5G.
    public var switching = Energy.zero

    /// The state's name in tables; a radio that is off and draws looks for a network.
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

/// What goes into and out of the battery at an instant.
public struct BatteryStatus: Sendable, Equatable, BitwiseCopyable {
    /// Power of all components.
    public var load = Power.zero
    /// Power into the cell at its terminals; negative when it gives.
    public var charging = Power.zero
    /// Voltage at the terminals.
    public var voltage = Voltage.volts(0)

    /// Creates the status of a battery at rest.
    public init() {}
}

// Looks that change nothing, so that asking for a table changes no number of a run.
extension PowerSystem {
    /// What a radio does now.
    public func status(of interface: Interface) -> RadioStatus { radios[interface].status }

    /// What goes into and out of the battery, as of the last change.
    public var batteryStatus: BatteryStatus { status(of: battery) }

    /// The same at an instant at or after the last change, up to which the load stays what it is.
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

    /// Energy booked to an app on one side of its account, and what it has used since then and is not booked yet.
    ///
    /// - Complexity: linear in the loads that run now.
    public func energy(of app: AppID, _ scope: Scope, at now: SimTime) -> Energy {
        var moving = 0.0
        for index in 0..<radios.count { moving += radios[index].unbooked(app, scope, at: now) }
        return .joules(ledger.joules(app, scope) + loads.unbooked(app, scope, at: now) + moving)
    }
}
