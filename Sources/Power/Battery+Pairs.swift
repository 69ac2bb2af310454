// SPDX-License-Identifier: GPL-3.0-or-later
import Cells
import Numerics
import Platform
import Quantities

/// The parts of a battery's resistance whose voltage lags behind the current (pairs), with their time constants.
struct LateResistance: BitwiseCopyable {
    var shares = (0.0, 0.0)
    /// Time constants, in seconds.
    var times = (1.0, 1.0)

    init(_ pairs: [BatteryParameters.Pair]) {
        guard pairs.count <= 2 else { fatalError("a battery cannot have more than two pairs") }
        if pairs.count > 0 { (shares.0, times.0) = (pairs[0].share, pairs[0].time.seconds) }
        if pairs.count > 1 { (shares.1, times.1) = (pairs[1].share, pairs[1].time.seconds) }
        guard shares.0 + shares.1 < 1 && times.0 > 0 && times.1 > 0 else {
            fatalError("the shares of the pairs must add up to less than 1, and their times must be positive")
        }
    }

    /// Share of the resistance whose voltage follows the current without delay.
    var series: Double { 1 - shares.0 - shares.1 }
}

extension Cell {
    /// Flow of the cell while its pairs hold a voltage; all power lost to resistance counts as loss at once.
    func flow(at state: Double, holding volts: Double, _ late: LateResistance) -> Flow {
        let point = curves.point(at: state)
        let ohms = resistance * point.factor * late.series
        let driving = point.open - volts
        func flow(_ current: Double, _ power: Double) -> Flow {
            Flow(
                current: current, power: power, loss: current * (volts + current * ohms),
                volts: driving - current * ohms)
        }
        let wanted = ConstantPower.current(power: net, open: driving, ohms: ohms)
        if net >= 0 || !isPlugged { return flow(wanted, net) }
        if state >= ceiling { return flow(0, 0) }
        let limit = -point.rate * rate
        if wanted >= limit { return flow(wanted, net) }
        return flow(limit, limit * (driving - limit * ohms))
    }

    /// Changes per second of the state of charge and of the pairs' voltages, and the power lost.
    func slopes(_ values: UnsafeBufferPointer<Double>, _ late: LateResistance) -> (Double, Double, Double, Double) {
        let flow = flow(at: values[0], holding: values[1] + values[2], late)
        let volts = flow.current * resistance * curves.point(at: values[0]).factor
        return (
            -flow.current / capacity, (late.shares.0 * volts - values[1]) / late.times.0,
            (late.shares.1 * volts - values[2]) / late.times.1, flow.loss
        )
    }
}

extension Battery {
    /// Flow of the cell now.
    @inline(__always)
    var flow: Cell.Flow { hasPairs ? flowWithPairs() : cell.flow(at: charge) }

    /// Flow of the cell now, without the copy of the battery that reading `flow` makes (Swift 6.3).
    @inline(__always)
    mutating func presentFlow() -> Cell.Flow {
        if hasPairs { return cell.flow(at: charge, holding: held.0 + held.1, late) }
        return cell.flow(at: charge)
    }

    @inline(never)
    private func flowWithPairs() -> Cell.Flow { cell.flow(at: charge, holding: held.0 + held.1, late) }

    /// Advances under the load since the last change, pairs included.
    mutating func advanceWithPairs(_ seconds: Double) {
        if isPlugged {
            let fromSupply = min(load, supply) * seconds
            supplied += fromSupply
            wall += fromSupply / efficiency
        }
        let drawn = load > supply ? load - supply : 0
        delivered += drawn * seconds
        if !screenIsOn, drawn > 0 { noteScreenOff(drawn * seconds, seconds) }
        let (before, lostBefore) = (charge, lost)
        let charges = isPlugged && load < supply && charge < ceiling
        let left = follow(seconds, until: charges ? ceiling : nil)
        if charges {
            let gained = curves.integral(to: charge) - curves.integral(to: before)
            let energy = gained * capacity + (lost - lostBefore)
            stored += energy
            wall += energy / efficiency
            if left > 0 {
                fillToCeiling()
                _ = follow(left, until: nil)
            }
        }
    }

    /// Integrates the state up to a ceiling; returns the seconds that are left.
    private mutating func follow(_ seconds: Double, until ceiling: Double?) -> Double {
        if flow.current == 0 {
            held.0 *= exp(-seconds / late.times.0)
            held.1 *= exp(-seconds / late.times.1)
            return 0
        }
        do {
            var equation = try equation(largestStep: .infinity)
            let functions = ceiling.map { ceiling in [{ (values: [Double]) in ceiling - values[0] }] } ?? []
            _ = try equation.advance(to: seconds, watching: functions)
            charge = equation.state[0]
            held = (equation.state[1], equation.state[2])
            lost += equation.state[3]
            return seconds - equation.time
        } catch {
            fatalError("the equations of the battery cannot be solved: \(error)")
        }
    }

    private func equation(largestStep: Double) throws(NumericsError) -> OrdinaryDifferentialEquation {
        let (cell, late) = (cell, late)
        return try OrdinaryDifferentialEquation(
            time: 0, state: [charge, held.0, held.1, 0], absoluteTolerance: 1e-11, largestStep: largestStep
        ) { _, values, slopes in (slopes[0], slopes[1], slopes[2], slopes[3]) = cell.slopes(values, late) }
    }

    /// Lower bound, in seconds, on the time to a state of charge, from the largest current on the way.
    func earliest(target: Double) -> Double {
        let cell = cell
        let currents = [
            flow.current, cell.flow(at: target).current, cell.flow(at: target, holding: held.0 + held.1, late).current,
        ]
        let largest = currents.map(abs).reduce(0, max)
        return largest == 0 ? .infinity : abs(charge - target) * capacity / largest
    }

    /// Seconds until the voltage under load falls below the cut-off; infinite if that does not happen before `end`.
    func timeToCutoffWithPairs(before end: Double) -> Double {
        let (cell, late) = (cell, late)
        // The limit is a billionth of a volt lower, so that the voltage counts as below the cut-off at the time found.
        let margin = cutoff - 1e-9
        do {
            var equation = try equation(largestStep: 5)
            let room: ([Double]) -> Double = {
                cell.flow(at: $0[0], holding: $0[1] + $0[2], late).volts - margin
            }
            return try equation.advance(to: end, watching: [room]) == nil ? .infinity : equation.time
        } catch {
            fatalError("the equations of the battery cannot be solved: \(error)")
        }
    }
}
