// SPDX-License-Identifier: GPL-3.0-or-later
import Platform
import Quantities

/// The cell's state of charge, under a load of constant power between changes and under a charger.
///
/// Between two changes the load is constant, so the state is advanced only when something changes or is read.
///
/// A copy shares the curves, which never change.
struct Battery {
    private let owner: CellCurves
    let curves: CellView
    let capacity: Double
    /// One over the capacity.
    let perCapacity: Double
    /// Ohms at 25 °C, age included.
    let baseResistance: Double
    let temperatureExponent: Double
    let cutoff: Double
    /// State of charge shown as 0 %.
    private(set) var emptyState: Double
    /// Volts that the cell keeps above the empty voltage, per ohm of resistance above that of a new cell at 25 °C.
    private let reserve: Double
    private let emptyVoltage: Double
    /// Ohms of a new cell at 25 °C.
    private let ratedResistance: Double
    let revivalLevel: Double
    /// Largest factor on the resistance over the state of charge.
    let largestFactor: Double
    var holdLevel: Double

    /// Power of all components.
    var load = 0.0 {
        didSet { hasChanged = true }
    }
    /// Part of the load that is booked to no app: floor and standby.
    var idleLoad = 0.0
    /// Power that the adapter can give inside the phone; zero without an adapter.
    var supply = 0.0
    var efficiency = 1.0
    var isPlugged = false
    var screenIsOn = false
    var resistance: Double
    /// Temperature of the cell in °C, as last used for its resistance.
    private(set) var celsius = 25.0
    /// Share of the charging power that the temperature permits.
    var chargeFactor = 1.0
    /// Watts of heat in the phone per watt that a charger brings to cell and phone.
    var conversionHeat = 0.0
    /// Watts of heat in the phone while a charger is connected, in addition to the heat of conversion.
    var connectedHeat = 0.0
    /// State of charge from 0 to 1 of the whole voltage table.
    var charge: Double
    let late: LateResistance
    let hasPairs: Bool
    /// The piece of the curves that contains the last state of charge, with the start and end of the piece.
    private(set) var piece: (at: UnsafeMutablePointer<CellCurves.Piece>, start: Double, end: Double)
    /// One over the open-circuit voltage, and the resistance, at the last state of charge.
    var last = (perVolt: 0.25, ohms: 1.0)
    /// Number of changes of charger, limits, temperature or events, which move the next event.
    var revision: UInt32 = 0 {
        didSet { hasChanged = true }
    }
    /// Whether time, load, charge or `revision` have changed since the next event was last requested.
    var hasChanged = true
    /// Time before which no threshold can be reached, with the load for which this time was last calculated.
    var expectation = Expectation()
    /// Volts across the pairs.
    var held = (0.0, 0.0)
    var time = SimTime.zero
    /// Level last announced, in whole per cent.
    var announced: Int

    var delivered = 0.0
    var deliveredScreenOff = 0.0
    /// Part of the energy with the display off that went to loads other than idle loads.
    var deliveredScreenOffWork = 0.0
    /// Seconds for which the cell gave power with the display off.
    var secondsScreenOff = 0.0
    var stored = 0.0
    var lost = 0.0
    var supplied = 0.0
    var wall = 0.0

    init(_ parameters: BatteryParameters, charger: ChargerParameters, celsius: Double, level: Double) {
        owner = CellCurves(
            voltage: CurveTable(x: parameters.voltageStates, y: parameters.voltages.map(\.volts)),
            factor: CurveTable(x: parameters.resistanceStates, y: parameters.resistanceFactors),
            rate: CurveTable(x: charger.currentStates, y: charger.currentRates))
        curves = owner.view
        largestFactor = parameters.resistanceFactors.reduce(1, max)
        capacity = parameters.capacity.coulombs * parameters.health
        perCapacity = 1 / capacity
        ratedResistance = parameters.resistance.ohms
        baseResistance = ratedResistance * parameters.resistanceGrowth
        resistance = baseResistance
        temperatureExponent = parameters.resistanceTemperature
        late = LateResistance(parameters.pairs)
        hasPairs = !parameters.pairs.isEmpty
        // At its largest power, a cell has half of its open-circuit voltage, which is always below this value.
        let half = parameters.voltages.map(\.volts).reduce(0, max) * 0.501
        cutoff = max(parameters.cutoff.volts, half)
        emptyVoltage = parameters.emptyVoltage.volts
        reserve = parameters.reserveRate * parameters.capacity.ampereHours
        emptyState = 0
        piece = (curves.piece(at: 0), 0, 0)
        revivalLevel = parameters.revivalLevel
        holdLevel = charger.holdLevel
        charge = 0
        announced = Int((min(max(level, 0), 1) * 100 - 1e-6).rounded(.up))
        setTemperature(celsius)
        charge = emptyState + min(max(level, 0), 1) * (1 - emptyState)
        last = (1 / point(at: charge).open, resistance * point(at: charge).factor)
    }

    /// Sets the temperature of the cell, which changes its resistance and its unusable charge.
    ///
    /// The cell is empty when a mean current pulls it down to the empty voltage (the "unusable charge" of Qualcomm's
    /// `qpnp-bms` driver). Only the voltage drop that cold and age add to that of a new cell at 25 °C counts.
    mutating func setTemperature(_ celsius: Double) {
        self.celsius = celsius
        revision &+= 1
        resistance = baseResistance * exp(temperatureExponent * (1 / (celsius + 273.15) - 1 / 298.15))
        emptyState = min(emptyState(worseBy: max(0, resistance - ratedResistance) * reserve), Self.largestEmptyState)
    }

    /// The state of charge at which a cell with an extra voltage reserve is empty.
    ///
    /// The reserve is `more` volts times the curve's resistance factor. Newton's method finds the state, with bisection
    /// where a step leaves the bracket.
    private func emptyState(worseBy more: Double) -> Double {
        var (low, high, state) = (0.0, 1.0, emptyState)
        while high - low > Self.emptyTolerance {
            let point = curves.point(at: state)
            let excess = point.open - more * point.factor - emptyVoltage
            if excess < 0 { low = state } else { high = state }
            var next = state - excess / (point.slope - more * point.factorSlope)
            if !(low...high).contains(next) { next = (low + high) / 2 }
            let moved = abs(next - state)
            state = next
            if moved <= Self.emptyTolerance { break }
        }
        return state
    }

    /// Tolerance of the empty state, in state of charge.
    private static let emptyTolerance = 1e-13

    /// Largest empty state, so that even the coldest full cell is shown as full.
    private static let largestEmptyState = 0.95

    /// The cell under the present load and supply.
    @inline(__always)
    var cell: Cell {
        Cell(
            curves: curves, capacity: capacity, resistance: resistance, net: net,
            rate: capacity / 3600 * chargeFactor, ceiling: ceiling, isPlugged: isPlugged)
    }

    /// Values of the curves at a state of charge near the last one.
    @inline(__always)
    mutating func point(at state: Double) -> CellView.Point {
        let x = min(max(state, 0), 1)
        if x < piece.start || x >= piece.end { turn(to: x) }
        return CellView.point(of: piece.at, at: x)
    }

    @inline(never)
    private mutating func turn(to x: Double) {
        let found = curves.piece(at: x)
        piece = (found, found.pointee.start, curves.end(of: found))
    }

    /// Power drawn by the phone minus power of the adapter; negative if power is left for the cell.
    @inline(__always)
    private var net: Double { supply > load ? (load - supply) * chargeFactor : load - supply }

    /// Level shown to the user, from 0 to 1.
    var level: Double { min(max((charge - emptyState) / (1 - emptyState), 0), 1) }

    @inline(__always)
    func state(ofLevel level: Double) -> Double { emptyState + level * (1 - emptyState) }

    /// Adds energy that the cell gave with the display off, under a load above zero.
    mutating func noteScreenOff(_ joules: Double, _ seconds: Double) {
        deliveredScreenOff += joules
        deliveredScreenOffWork += joules * ((load - idleLoad) / load)
        secondsScreenOff += seconds
    }

    /// State of charge beyond which charging stops.
    @inline(__always)
    var ceiling: Double { state(ofLevel: holdLevel) }

    /// Draws energy at one instant at the open-circuit voltage, or from the adapter if it has spare power.
    mutating func draw(_ joules: Double, isIdle: Bool = false) {
        hasChanged = true
        if isPlugged, supply > load {
            supplied += joules
            wall += joules / efficiency
            return
        }
        let before = charge
        let guess = joules / (point(at: charge).open * capacity)
        charge -= joules / (point(at: charge - guess / 2).open * capacity)
        if guess > Self.largeDraw { closeDraw(of: joules, from: before) }
        delivered += joules
        guard !screenIsOn else { return }
        deliveredScreenOff += joules
        if !isIdle { deliveredScreenOffWork += joules }
    }

    /// Largest draw, in state of charge, for which the voltage at the midpoint is exact enough on a bent curve.
    private static let largeDraw = 1e-5
    /// Tolerance between a draw's energy and the energy of the curve, relative to the draw.
    private static let drawTolerance = 1e-10

    /// Corrects the charge of a large draw, along which the curve bends, until its energy is right.
    @inline(never)
    private mutating func closeDraw(of joules: Double, from before: Double) {
        for _ in 0..<4 {
            let missing = joules - (curves.integral(to: before) - curves.integral(to: charge)) * capacity
            if abs(missing) <= Self.drawTolerance * joules { return }
            charge -= missing / (point(at: charge).open * capacity)
        }
    }
}
