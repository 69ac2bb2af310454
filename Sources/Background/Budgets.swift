import Quantities

/// Two allowances spread over the day: work off the charger, and bytes over cellular.
///
/// Each refills evenly and holds at most a day's worth; the level is brought up to date when somebody looks.
struct Budgets: Sendable {
    private let energyPerDay: Double
    private let cellularPerDay: Double
    private var energy: Double
    private var cellular: Double
    private var updated = SimTime.zero

    init(_ parameters: BackgroundParameters) {
        energyPerDay = parameters.energyBudget
        cellularPerDay = Double(parameters.cellularBudget.bytes)
        energy = energyPerDay
        cellular = cellularPerDay
    }

    /// Shares of the two allowances that are left, 0 to 1.
    mutating func left(at now: SimTime) -> (energy: Double, cellular: Double) {
        refill(to: now)
        return (share(energy, of: energyPerDay), share(cellular, of: cellularPerDay))
    }

    /// Takes work and bytes off the allowances; they may go below zero, and then refill from there.
    mutating func spend(units: Double, cellularBytes: ByteCount, at now: SimTime) {
        refill(to: now)
        energy -= units
        cellular -= Double(cellularBytes.bytes)
    }

    private mutating func refill(to now: SimTime) {
        let days = (now - updated).seconds / 86400
        updated = now
        energy = min(energyPerDay, energy + days * energyPerDay)
        cellular = min(cellularPerDay, cellular + days * cellularPerDay)
    }

    private func share(_ amount: Double, of whole: Double) -> Double { whole > 0 ? max(0, amount / whole) : 0 }
}
