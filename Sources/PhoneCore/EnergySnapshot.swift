// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities

/// State of the ledger at an instant, for the hourly rows.
struct EnergySnapshot {
    var wall = 0.0
    var charged = 0.0
    var adapter = 0.0
    var terminals = 0.0
    var screenOff = 0.0
    var secondsScreenOff = 0.0
    var wakeups = 0
    var causes = [Double](repeating: 0, count: Cause.allCases.count)
    var components = [Double](repeating: 0, count: Component.allCases.count)

    init(_ power: borrowing PowerSystem) {
        wall = power.wallEnergy.joules
        charged = power.chargedEnergy.joules
        adapter = power.adapterEnergy.joules
        terminals = power.terminalEnergy.joules
        screenOff = power.terminalEnergyScreenOff.joules
        secondsScreenOff = power.secondsScreenOff
        wakeups = power.wakeups
        for cause in Cause.allCases { causes[Int(cause.rawValue)] = power.energy(for: cause).joules }
        for component in Component.allCases {
            components[Int(component.rawValue)] = power.energy(of: component).joules
        }
    }
}
