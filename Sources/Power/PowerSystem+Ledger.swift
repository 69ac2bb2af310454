// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// Values of the ledger and of the battery's meters, exact for the instant of the last `flush(at:)`.
extension PowerSystem {
    /// Energy booked to a component for a cause.
    public func energy(of component: Component, cause: Cause) -> Energy { .joules(ledger.joules(component, cause)) }

    /// Energy booked to a component.
    public func energy(of component: Component) -> Energy {
        Cause.allCases.reduce(.zero) { $0 + energy(of: component, cause: $1) }
    }

    /// Energy booked for a cause.
    public func energy(for cause: Cause) -> Energy {
        Component.allCases.reduce(.zero) { $0 + energy(of: $1, cause: cause) }
    }

    /// Energy booked to an app, or to the system, on one side of its account.
    public func energy(of app: AppID, _ scope: Scope) -> Energy { .joules(ledger.joules(app, scope)) }

    /// Energy booked to an app, or to the system.
    public func energy(of app: AppID) -> Energy {
        .joules(ledger.joules(app, .foreground) + ledger.joules(app, .background) + ledger.joules(app, .idle))
    }

    /// How many apps have books.
    public var apps: Int { ledger.apps }

    /// Energy booked to an app outside of the foreground.
    public func backgroundEnergy(of app: AppID) -> Energy {
        .joules(ledger.joules(app, .background) + ledger.joules(app, .idle))
    }

    /// Energy booked to the watched app for a component, on one side of its account.
    public func watchedEnergy(of component: Component, _ scope: Scope) -> Energy {
        .joules(ledger.watchedJoules(component, scope))
    }

    /// Energy of radio tails that followed traffic of the app on screen.
    public var foregroundTailEnergy: Energy {
        var joules = 0.0
        for index in 0..<radios.count { joules += radios[index].foregroundTail }
        return .joules(joules)
    }

    /// All energy booked.
    public var ledgerEnergy: Energy { .joules(ledger.total) }

    /// All energy used up to an instant, including energy that is booked only at the next change of load or `flush`.
    ///
    /// - Parameter now: An instant not before the last change.
    public func usedEnergy(at now: SimTime) -> Energy {
        .joules(battery.delivered + battery.supplied + owed + battery.load * (now - battery.time).seconds)
    }

    /// Energy that the cell gave at its terminals.
    public var terminalEnergy: Energy { .joules(battery.delivered) }

    /// Part of the terminal energy given while the display was off.
    public var terminalEnergyScreenOff: Energy { .joules(battery.deliveredScreenOff) }

    /// Part of `terminalEnergyScreenOff` that was not used for the floor, paging and standby.
    public var terminalEnergyScreenOffWork: Energy { .joules(battery.deliveredScreenOffWork) }

    /// Seconds for which the cell gave power while the display was off.
    public var secondsScreenOff: Double { battery.secondsScreenOff }

    /// Energy put into the cell at its terminals.
    public var chargedEnergy: Energy { .joules(battery.stored) }

    /// Energy that went from the adapter directly to the running phone.
    public var adapterEnergy: Energy { .joules(battery.supplied) }

    /// Energy taken from the wall, losses of the charger included.
    public var wallEnergy: Energy { .joules(battery.wall) }

    /// Energy lost inside the cell.
    public var cellLoss: Energy { .joules(battery.lost) }

    /// Energy in the cell above empty, by the integral of its open-circuit voltage.
    public var storedEnergy: Energy { .joules(battery.curves.integral(to: battery.charge) * battery.capacity) }
}
