// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension Battery {
    /// Change of the state of charge below which one midpoint step is exact enough.
    ///
    /// The energy agrees with the integral of the curve. The charge is exact to 10⁻⁹ over a discharge and to 10⁻⁷ over
    /// a charge, because a charging current falls more steeply.
    private static let smallStep = 2e-4
    /// Largest change of the state of charge in one Runge-Kutta step.
    private static let largestStep = 2e-3
    /// Charging counts as finished within this distance from the ceiling, in state of charge.
    private static let ceilingTolerance = 1e-12

    /// Advances the state of charge and the energies to an instant under the load since the last change.
    ///
    /// - Returns: Heat produced in the phone since the last advance, in joules.
    mutating func advance(to now: SimTime, after seconds: Double) -> Double {
        time = now
        hasChanged = true
        if hasPairs || isPlugged { return advanceWithMeters(seconds) }
        let used = load * seconds
        delivered += used
        if !screenIsOn, load > 0 {
            deliveredScreenOff += used
            deliveredScreenOffWork += (load - idleLoad) * seconds
            secondsScreenOff += seconds
        }
        return used + discharge(seconds)
    }

    /// Takes the load's charge from the cell and returns the energy lost in the cell.
    ///
    /// Usually, one step at the mean voltage is enough. The midpoint of this step is estimated from the cell's state in
    /// the last step.
    @inline(__always)
    private mutating func discharge(_ seconds: Double) -> Double {
        let perVolt = last.perVolt
        let share = last.ohms * load * perVolt * perVolt
        let change = load * perVolt * (1 + share) * seconds * perCapacity
        if change >= Self.smallStep || share > Self.largeShare { return dischargeFar(seconds) }
        let middle = point(at: charge - change / 2)
        last = (1 / (middle.open + middle.bend * change * change), resistance * middle.factor)
        // Mean of R / U over the step, along which voltage and resistance both change.
        let slope = middle.slope * change * last.perVolt
        let steeper = slope * (last.ohms * slope - resistance * middle.factorSlope * change) * (1.0 / 12)
        let lossy = (last.ohms + steeper) * load * last.perVolt * last.perVolt
        // The choice uses `share`, which is already known, and so does not wait for the division.
        let growth = share > Self.smallShare ? Self.growth(lossy) : Self.smallGrowth(lossy)
        let first = load * last.perVolt * growth
        // Last small correction: the charge taken moves the midpoint and so changes its voltage.
        let moved = (change - first * seconds * perCapacity) / 2
        charge -= first * (1 - middle.slope * moved * last.perVolt) * seconds * perCapacity
        let loss = load * lossy * growth * growth * seconds
        lost += loss
        return loss
    }

    /// Largest ratio R P / U² for which the series of `smallGrowth` is exact to 10⁻¹⁰.
    private static let smallShare = 0.01
    /// Ratio R P / U² above which the step is divided; at 0.25, the cell gives its largest power.
    private static let largeShare = 0.2

    /// Factor by which the resistance raises the current P / U.
    ///
    /// With x = R P / U², the factor is (1 − √(1 − 4 x)) / 2x.
    @inline(__always)
    private static func growth(_ x: Double) -> Double { 2 / (1 + max(1 - 4 * x, 0).squareRoot()) }

    /// The factor `growth` from its power series, without a square root.
    @inline(__always)
    private static func smallGrowth(_ x: Double) -> Double {
        1 + x * (1 + x * (2 + x * (5 + x * (14 + x * (42 + x * 132)))))
    }

    @inline(never)
    private mutating func dischargeFar(_ seconds: Double) -> Double {
        let cell = cell
        let before = lost
        var remaining = seconds
        while remaining > 0 {
            let now = cell.flow(at: charge, of: point(at: charge))
            let span = stride(now.current, atMost: remaining)
            _ = step(cell, now, span)
            remaining -= span
        }
        let there = point(at: charge)
        last = (1 / there.open, resistance * there.factor)
        return lost - before
    }

    /// Advances a battery on a charger or with pairs; the heat is calculated from the energy meters.
    private mutating func advanceWithMeters(_ seconds: Double) -> Double {
        let before = (lost, supplied + stored, stored)
        if hasPairs { advanceWithPairs(seconds) } else { advanceOnCharger(seconds) }
        // While the cell takes energy, the charging efficiency already includes the circuit's own power.
        if stored == before.2 { wall += connectedHeat * seconds / efficiency }
        let converted = conversionHeat * (supplied + stored - before.1)
        return (load + connectedHeat) * seconds + (lost - before.0) + converted
    }

    /// Advances a battery on a charger.
    ///
    /// The energy taken in equals the energy gained plus the energy lost, so the account balances.
    private mutating func advanceOnCharger(_ seconds: Double) {
        let fromSupply = min(load, supply) * seconds
        supplied += fromSupply
        wall += fromSupply / efficiency
        let cell = cell
        var remaining = seconds
        while remaining > 0 {
            let now = cell.flow(at: charge, of: point(at: charge))
            if now.current == 0 { return }
            var span = stride(now.current, atMost: remaining)
            if now.current < 0 {
                let room = ceiling - charge
                if room < Self.ceilingTolerance {
                    fillToCeiling()
                    return
                }
                span = min(span, max(room * capacity / -now.current, 1e-9))
            }
            book(step(cell, now, span), span)
            remaining -= span
        }
    }

    /// Seconds to the next knot of the curves, or to the end of the longest step.
    private mutating func stride(_ current: Double, atMost seconds: Double) -> Double {
        _ = point(at: charge - (current > 0 ? Self.beyondKnot : -Self.beyondKnot))
        let room = current > 0 ? charge - piece.start : piece.end - charge
        return min(seconds, min(max(room, Self.beyondKnot), Self.largestStep) * capacity / abs(current))
    }

    /// Within this distance from a knot, in state of charge, the state counts as being at the knot.
    private static let beyondKnot = 1e-7

    /// Makes one step and returns the energy at the terminals, negative when it goes into the cell.
    ///
    /// A small charging step uses the midpoint.
    private mutating func step(_ cell: Cell, _ now: Cell.Flow, _ seconds: Double) -> Double {
        let change = now.current * seconds * perCapacity
        let before = charge
        var loss = 0.0
        if now.current < 0, -change < Self.smallStep {
            let state = charge - change / 2
            let middle = cell.flow(at: state, of: point(at: state))
            charge -= middle.current * seconds * perCapacity
            loss = middle.loss * seconds
        } else {
            (charge, loss) = cell.step(from: charge, seconds: seconds)
        }
        lost += loss
        if now.current > 0 { return now.power * seconds }
        let gained = cell.curves.integral(to: charge) - cell.curves.integral(to: before)
        return -gained * capacity - loss
    }

    /// Books energy at the terminals, negative when it goes into the cell.
    private mutating func book(_ energy: Double, _ seconds: Double) {
        if energy < 0 {
            stored -= energy
            wall -= energy / efficiency
        } else {
            delivered += energy
            if !screenIsOn { noteScreenOff(energy, seconds) }
        }
    }

    /// Fills the last billionth before the ceiling, because no current reaches the ceiling in finite steps.
    mutating func fillToCeiling() {
        if charge >= ceiling { return }
        let energy = (curves.integral(to: ceiling) - curves.integral(to: charge)) * capacity
        charge = ceiling
        stored += energy
        wall += energy / efficiency
    }
}
