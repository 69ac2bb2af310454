import Quantities

/// The cell: state of charge, driven by a constant-power load between changes, and by a charger.
///
/// V = U(z) − I R(z); with power P at the terminals I = (U − √(U² − 4 R P)) / 2R, dz/dt = −I / Q (energy sheet, 5.3).
/// Between two changes the load is constant, so the state is advanced only when something changes or is read.
struct Battery: ~Copyable {
    let voltage: CellTable
    let resistanceFactor: CellTable
    let chargeRate: CellTable
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
        let volts = parameters.voltages.map(\.volts)
        voltage = CellTable(
            x: parameters.voltageStates, y: volts, slopes: steffenSlopes(x: parameters.voltageStates, y: volts))
        resistanceFactor = CellTable(x: parameters.resistanceStates, y: parameters.resistanceFactors, slopes: nil)
        chargeRate = CellTable(x: charger.currentStates, y: charger.currentRates, slopes: nil)
        capacity = parameters.capacity.coulombs * parameters.health
        baseResistance = parameters.resistance.ohms
        resistance = baseResistance
        temperatureExponent = parameters.resistanceTemperature
        cutoff = parameters.cutoff.volts
        emptyState = Self.state(ofVoltage: parameters.emptyVoltage.volts, in: voltage)
        revivalLevel = parameters.revivalLevel
        holdLevel = charger.holdLevel
        charge = emptyState + min(max(level, 0), 1) * (1 - emptyState)
        announced = Int((min(max(level, 0), 1) * 100 - 1e-6).rounded(.up))
    }

    private static func state(ofVoltage volts: Double, in table: borrowing CellTable) -> Double {
        var low = 0.0
        var high = 1.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if table.value(at: middle) < volts { low = middle } else { high = middle }
        }
        return high
    }

    /// Level shown to the user, from 0 to 1.
    var level: Double { min(max((charge - emptyState) / (1 - emptyState), 0), 1) }

    @inline(__always)
    func state(ofLevel level: Double) -> Double { emptyState + level * (1 - emptyState) }

    /// State of charge beyond which charging stops.
    @inline(__always)
    var ceiling: Double { state(ofLevel: holdLevel) }

    /// What the cell does at a state of charge under the present load and supply.
    struct Flow {
        /// Positive when discharging.
        var current: Double
        /// Power at the terminals, positive when discharging.
        var power: Double
        var loss: Double
    }

    @inline(__always)
    func flow(at state: Double) -> Flow {
        let open = voltage.value(at: state)
        let ohms = resistance * resistanceFactor.value(at: state)
        let net = load - supply
        if net >= 0 || !isPlugged {
            let current = Self.current(power: net, open: open, ohms: ohms)
            return Flow(current: current, power: net, loss: current * current * ohms)
        }
        if state >= ceiling { return Flow(current: 0, power: 0, loss: 0) }
        let limit = -chargeRate.value(at: state) * capacity / 3600
        let wanted = Self.current(power: net, open: open, ohms: ohms)
        if wanted >= limit { return Flow(current: wanted, power: net, loss: wanted * wanted * ohms) }
        return Flow(current: limit, power: limit * (open - limit * ohms), loss: limit * limit * ohms)
    }

    /// Current of a constant power, in the form of the root that loses no digits; the largest one when it cannot be met.
    @inline(__always)
    static func current(power: Double, open: Double, ohms: Double) -> Double {
        let discriminant = open * open - 4 * ohms * power
        if discriminant <= 0 { return open / (2 * ohms) }
        return 2 * power / (open + discriminant.squareRoot())
    }

    /// Takes energy at one instant at the open-circuit voltage, or from the adapter if it has power to spare.
    mutating func take(_ joules: Double) {
        if isPlugged, supply > load {
            supplied += joules
            wall += joules / efficiency
            return
        }
        let open = voltage.value(at: charge)
        let guess = joules / (open * capacity)
        let middle = voltage.value(at: charge - guess / 2)
        charge -= joules / (middle * capacity)
        delivered += joules
        if !screenIsOn { deliveredScreenOff += joules }
    }
}
