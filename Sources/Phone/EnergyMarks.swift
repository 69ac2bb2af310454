import Power
import Quantities

/// Meters behind the shares of energy that validations look at, as they stood at one instant.
struct EnergyMarks {
    var ledger = 0.0
    var terminals = 0.0
    var screenOff = 0.0
    var charged = 0.0
    var lost = 0.0
    var stored = 0.0
    var display = 0.0
    var network = 0.0
    var backgroundNetwork = 0.0
    var idle = 0.0
    var secondsScreenOff = 0.0

    init() {}

    init(_ power: borrowing PowerSystem) {
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
    func cellError(since start: EnergyMarks) -> Double {
        let moved = (terminals - start.terminals) + (charged - start.charged)
        let expected = (charged - start.charged) - (terminals - start.terminals) - (lost - start.lost)
        return abs(stored - start.stored - expected) / max(1, moved)
    }
}

extension PhoneModel {
    /// The shares and the sizes that only validations ask for.
    mutating func fillMarks(_ values: inout MetricValues, at now: SimTime) {
        let end = EnergyMarks(power)
        let start = marksAtWarmup
        values.set("display_energy_share", (end.display - start.display) / (end.ledger - start.ledger))
        values.set("screen_off_energy_share", (end.screenOff - start.screenOff) / (end.terminals - start.terminals))
        values.perDay(
            "screen_off_energy_wh_per_day", Energy.joules(end.screenOff - start.screenOff).wattHours)
        let network = end.network - start.network
        values.perDay("network_energy_wh_per_day", Energy.joules(network).wattHours)
        values.set("network_j_per_refresh", network / Double(counts.refreshes))
        values.set("background_network_share", (end.backgroundNetwork - start.backgroundNetwork) / network)
        let alive = values.days * 86_400 - counts.dead.integral(until: now)
        let floor = (end.idle - start.idle) / alive * (end.secondsScreenOff - start.secondsScreenOff)
        values.set(
            "screen_off_apps_share", (end.screenOff - start.screenOff - floor) / (end.terminals - start.terminals))
        values.set("energy_imbalance", max(ledgerError, end.cellError(since: start)))
    }
}
