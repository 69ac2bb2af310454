import Quantities

/// The cell: state of charge, driven by a constant-power load between changes, and by a charger.
///
/// Between two changes the load is constant, so the state is advanced only when something changes or is read.
struct Battery: ~Copyable {
    let curves: CellCurves
    let capacity: Double
    let baseResistance: Double
    let temperatureExponent: Double
    let cutoff: Double
    /// State of charge shown as 0 %.
    let emptyState: Double
    let revivalLevel: Double
    var holdLevel: Double

    /// Power of all components.
    var load = 0.0
    /// Power the adapter can give inside the phone; zero without one.
    var supply = 0.0
    var efficiency = 1.0
    var isPlugged = false
    var screenIsOn = false
    var resistance: Double
    /// State of charge from 0 to 1 of the whole voltage table.
    var charge: Double
    let late: LateResistance
    let hasPairs: Bool
    /// Volts across the pairs.
    var held = (0.0, 0.0)
    var time = SimTime.zero
    /// Level last announced, in whole per cent.
    var announced: Int

    var delivered = 0.0
    var deliveredScreenOff = 0.0
    var stored = 0.0
    var lost = 0.0
    var supplied = 0.0
    var wall = 0.0

    init(_ parameters: BatteryParameters, charger: ChargerParameters, level: Double) {
        curves = CellCurves(
            voltage: CurveTable(x: parameters.voltageStates, y: parameters.voltages.map(\.volts)),
            factor: CurveTable(x: parameters.resistanceStates, y: parameters.resistanceFactors),
            rate: CurveTable(x: charger.currentStates, y: charger.currentRates))
        capacity = parameters.capacity.coulombs * parameters.health
        baseResistance = parameters.resistance.ohms
        resistance = baseResistance
        temperatureExponent = parameters.resistanceTemperature
        late = LateResistance(parameters.pairs)
        hasPairs = !parameters.pairs.isEmpty
        // At the largest power a cell gives, its voltage is half of the open circuit's: always below this.
        let half = parameters.voltages.map(\.volts).reduce(0, max) * 0.501
        cutoff = max(parameters.cutoff.volts, half)
        emptyState = Self.state(ofVoltage: parameters.emptyVoltage.volts, on: curves.view)
        revivalLevel = parameters.revivalLevel
        holdLevel = charger.holdLevel
        charge = emptyState + min(max(level, 0), 1) * (1 - emptyState)
        announced = Int((min(max(level, 0), 1) * 100 - 1e-6).rounded(.up))
    }

    private static func state(ofVoltage volts: Double, on curves: CellView) -> Double {
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if curves.point(at: middle).open < volts { low = middle } else { high = middle }
        }
        return high
    }

    /// The cell under the present load and supply.
    @inline(__always)
    var cell: Cell {
        Cell(
            curves: curves.view, capacity: capacity, resistance: resistance, net: load - supply, ceiling: ceiling,
            isPlugged: isPlugged)
    }

    /// Level shown to the user, from 0 to 1.
    var level: Double { min(max((charge - emptyState) / (1 - emptyState), 0), 1) }

    @inline(__always)
    func state(ofLevel level: Double) -> Double { emptyState + level * (1 - emptyState) }

    /// State of charge beyond which charging stops.
    @inline(__always)
    var ceiling: Double { state(ofLevel: holdLevel) }

    /// Takes energy at one instant at the open-circuit voltage, or from the adapter if it has power to spare.
    mutating func take(_ joules: Double) {
        if isPlugged, supply > load {
            supplied += joules
            wall += joules / efficiency
            return
        }
        let curves = curves.view
        let guess = joules / (curves.point(at: charge).open * capacity)
        charge -= joules / (curves.point(at: charge - guess / 2).open * capacity)
        delivered += joules
        if !screenIsOn { deliveredScreenOff += joules }
    }
}
