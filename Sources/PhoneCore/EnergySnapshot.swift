import Power
import Quantities

/// What the ledger said at an instant.
package struct EnergySnapshot {
    package var used = 0.0
    package var wall = 0.0
    package var charged = 0.0
    package var adapter = 0.0
    package var background = 0.0
    package var tail = 0.0
    package var relaunch = 0.0
    package var wakeups = 0
    package var causes = [Double](repeating: 0, count: Cause.allCases.count)
    package var components = [Double](repeating: 0, count: Component.allCases.count)

    package init() {}

    package init(_ power: borrowing PowerSystem) {
        used = power.ledgerEnergy.joules
        wall = power.wallEnergy.joules
        charged = power.chargedEnergy.joules
        adapter = power.adapterEnergy.joules
        background = [Cause.backgroundTask, .push, .connection].reduce(0) { $0 + power.energy(for: $1).joules }
        tail = power.energy(for: .tail).joules
        relaunch = power.energy(for: .relaunch).joules
        wakeups = power.wakeups
        for cause in Cause.allCases { causes[Int(cause.rawValue)] = power.energy(for: cause).joules }
        for component in Component.allCases {
            components[Int(component.rawValue)] = power.energy(of: component).joules
        }
    }
}
