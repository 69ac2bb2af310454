// SPDX-License-Identifier: GPL-3.0-or-later
import Cells

/// The cell under constant conditions, as plain numbers so that integration works in registers.
///
/// V = U(z) − I R(z); with power P at the terminals I = (U − √(U² − 4 R P)) / 2R, dz/dt = −I / Q (docs/energy.md).
struct Cell: BitwiseCopyable {
    let curves: CellView
    /// Coulombs from empty to full.
    let capacity: Double
    /// Ohms in the middle of the table, at the cell's temperature.
    let resistance: Double
    /// Power drawn by the phone minus power of the adapter; negative if power is left for the cell.
    let net: Double
    /// Charging current of one capacity per hour, reduced by heat or cold, in amperes.
    let rate: Double
    /// State of charge beyond which charging stops.
    let ceiling: Double
    let isPlugged: Bool

    /// Currents and powers of the cell at a state of charge.
    struct Flow {
        /// Current in amperes, positive when discharging.
        var current: Double
        /// Power at the terminals, positive when discharging.
        var power: Double
        var loss: Double
        /// Voltage at the terminals.
        var volts: Double
    }

    @inline(__always)
    func flow(at state: Double) -> Flow { flow(at: state, of: curves.point(at: state)) }

    /// Flow of the cell at a state of charge, from the values of its curves there.
    @inline(__always)
    func flow(at state: Double, of point: CellView.Point) -> Flow {
        let ohms = resistance * point.factor
        if net < 0, isPlugged {
            if state >= ceiling { return Flow(current: 0, power: 0, loss: 0, volts: point.open) }
            let limit = -point.rate * rate
            let most = limit * (point.open - limit * ohms)
            if net < most { return flow(limit, most, point.open, ohms) }
        }
        return flow(ConstantPower.current(power: net, open: point.open, ohms: ohms), net, point.open, ohms)
    }

    @inline(__always)
    private func flow(_ current: Double, _ power: Double, _ open: Double, _ ohms: Double) -> Flow {
        Flow(current: current, power: power, loss: current * current * ohms, volts: open - current * ohms)
    }

    /// Makes one Runge-Kutta step; returns the state of charge after it and the energy lost in it.
    @inline(__always)
    func step(from state: Double, seconds: Double) -> (state: Double, lost: Double) {
        let scale = seconds / capacity
        let a = flow(at: state)
        let b = flow(at: state - a.current * scale / 2)
        let c = flow(at: state - b.current * scale / 2)
        let d = flow(at: state - c.current * scale)
        return (
            state - scale * (a.current + 2 * b.current + 2 * c.current + d.current) / 6,
            seconds * (a.loss + 2 * b.loss + 2 * c.loss + d.loss) / 6
        )
    }
}
