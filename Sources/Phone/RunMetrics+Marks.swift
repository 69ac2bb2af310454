import PhoneCore
import Power
import Quantities

extension PhoneCore {
    /// The shares and the sizes that only validations ask for.
    mutating func fillMarks(_ values: inout MetricValues, at now: SimTime) {
        let end = EnergyMarks(power)
        let start = book.marksAtWarmup
        values.set("display_energy_share", (end.display - start.display) / (end.ledger - start.ledger))
        values.set("screen_off_energy_share", (end.screenOff - start.screenOff) / (end.terminals - start.terminals))
        values.perDay(
            "screen_off_energy_wh_per_day", Energy.joules(end.screenOff - start.screenOff).wattHours)
        let network = end.network - start.network
        values.perDay("network_energy_wh_per_day", Energy.joules(network).wattHours)
        values.set("network_j_per_refresh", network / Double(book.counts.refreshes))
        values.set("background_network_share", (end.backgroundNetwork - start.backgroundNetwork) / network)
        let alive = values.days * 86_400 - book.counts.dead.integral(until: now)
        let floor = (end.idle - start.idle) / alive * (end.secondsScreenOff - start.secondsScreenOff)
        values.set(
            "screen_off_apps_share", (end.screenOff - start.screenOff - floor) / (end.terminals - start.terminals))
        values.set("energy_imbalance", max(book.ledgerError, end.cellError(since: start)))
    }
}
