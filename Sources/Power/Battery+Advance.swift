import Quantities

extension Battery {
    /// Change of the state of charge below which one midpoint step is exact to 10⁻⁹.
    private static let smallStep = 3e-5
    /// Largest change of the state of charge in one Runge-Kutta step; the curve bends at its knots, which costs its cube.
    private static let largestStep = 2.5e-4
    /// How near to the ceiling charging counts as finished.
    private static let ceilingTolerance = 1e-12

    /// Brings the state of charge and the energies to an instant under the load that held since the last change.
    mutating func advance(to now: SimTime) {
        if now.nanoseconds == time.nanoseconds { return }
        precondition(now > time, "power was asked to go back in time")
        let seconds = (now - time).seconds
        time = now
        if hasPairs { return advanceWithPairs(seconds) }
        if isPlugged {
            advanceOnCharger(seconds)
            return
        }
        delivered += load * seconds
        if !screenIsOn {
            deliveredScreenOff += load * seconds
            secondsScreenOff += seconds
        }
        let cell = cell
        // What the current was a moment ago under the same load is near enough to find the middle of a small step.
        let current = known.load == load ? known.current : cell.flow(at: charge).current
        let change = current * seconds / capacity
        if change < Self.smallStep {
            let middle = cell.flow(at: charge - change / 2)
            known = (load, middle.current)
            charge -= middle.current * seconds / capacity
            lost += middle.loss * seconds
            return
        }
        let steps = (change / Self.largestStep).rounded(.up)
        var done = 0.0
        var state = charge
        while done < steps {
            let next = cell.step(from: state, seconds: seconds / steps)
            state = next.state
            lost += next.lost
            done += 1
        }
        charge = state
    }

    /// The same on a charger; what the cell took in is what it gained and what it lost, so that the account closes.
    private mutating func advanceOnCharger(_ seconds: Double) {
        let fromSupply = min(load, supply) * seconds
        supplied += fromSupply
        wall += fromSupply / efficiency
        let cell = cell
        var remaining = seconds
        while remaining > 0 {
            let now = cell.flow(at: charge)
            if now.current == 0 { return }
            var span = min(remaining, Self.largestStep * capacity / abs(now.current))
            if now.current < 0 {
                let room = ceiling - charge
                if room < Self.ceilingTolerance {
                    fillToCeiling()
                    return
                }
                span = min(span, max(room * capacity / -now.current, 1e-9))
            }
            let next = cell.step(from: charge, seconds: span)
            if now.current < 0 {
                let gained = cell.curves.integral(to: next.state) - cell.curves.integral(to: charge)
                let energy = gained * capacity + next.lost
                stored += energy
                wall += energy / efficiency
            } else {
                delivered += now.power * span
                if !screenIsOn {
                    deliveredScreenOff += now.power * span
                    secondsScreenOff += span
                }
            }
            charge = next.state
            lost += next.lost
            remaining -= span
        }
    }

    /// Closes the last billionth before the ceiling, which no current reaches in finite steps.
    mutating func fillToCeiling() {
        if charge >= ceiling { return }
        let energy = (curves.view.integral(to: ceiling) - curves.view.integral(to: charge)) * capacity
        charge = ceiling
        stored += energy
        wall += energy / efficiency
    }
}
