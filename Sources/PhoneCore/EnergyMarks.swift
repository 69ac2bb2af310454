import Power
import Quantities

/// Meters behind the shares of energy that validations look at, as they stood at one instant.
package struct EnergyMarks {
    package var ledger = 0.0
    package var terminals = 0.0
    package var screenOff = 0.0
    package var charged = 0.0
    package var lost = 0.0
    package var stored = 0.0
    package var display = 0.0
    package var network = 0.0
    package var backgroundNetwork = 0.0
    package var idle = 0.0
    package var secondsScreenOff = 0.0

    package init() {}

    package init(_ power: borrowing PowerSystem) {
        ledger = power.ledgerEnergy.joules
        terminals = power.terminalEnergy.joules
        screenOff = power.terminalEnergyScreenOff.joules
        charged = power.chargedEnergy.joules
        lost = power.cellLoss.joules
        stored = power.storedEnergy.joules
        display = power.energy(of: .display).joules
        for radio in [Component.wifi, .cellular] {
            for cause in Cause.allCases where cause != .idle {
                let joules = power.energy(of: radio, cause: cause).joules
                network += joules
                if cause.scope == .background { backgroundNetwork += joules }
            }
        }
        idle = power.energy(for: .idle).joules
        secondsScreenOff = power.secondsScreenOff
        backgroundNetwork -= power.foregroundTailEnergy.joules
    }

    /// How far what the cell lost is from what was taken out, put in and turned into heat, over what moved.
    package func cellError(since start: EnergyMarks) -> Double {
        let moved = (terminals - start.terminals) + (charged - start.charged)
        let expected = (charged - start.charged) - (terminals - start.terminals) - (lost - start.lost)
        return abs(stored - start.stored - expected) / max(1, moved)
    }
}
