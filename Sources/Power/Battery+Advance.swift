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
        if isPlugged {
            advanceOnCharger(seconds)
            return
        }
        delivered += load * seconds
        if !screenIsOn { deliveredScreenOff += load * seconds }
        let first = flow(at: charge)
        let change = first.current * seconds / capacity
        if change < Self.smallStep {
            let middle = flow(at: charge - change / 2)
            charge -= middle.current * seconds / capacity
            lost += middle.loss * seconds
        } else {
            let steps = (change / Self.largestStep).rounded(.up)
            var done = 0.0
            while done < steps {
                step(seconds / steps)
                done += 1
            }
        }
    }

    /// The same on a charger; what the cell took in is what it gained and what it lost, so that the account closes.
    private mutating func advanceOnCharger(_ seconds: Double) {
        let fromSupply = min(load, supply) * seconds
        supplied += fromSupply
        wall += fromSupply / efficiency
        var remaining = seconds
        while remaining > 0 {
            let now = flow(at: charge)
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
            let lostBefore = lost
            let chargeBefore = charge
            step(span)
            if now.current < 0 {
                let gained = voltage.integral(to: charge) - voltage.integral(to: chargeBefore)
                let energy = gained * capacity + lost - lostBefore
                stored += energy
                wall += energy / efficiency
            } else {
                delivered += now.power * span
                if !screenIsOn { deliveredScreenOff += now.power * span }
            }
            remaining -= span
        }
    }

    /// Closes the last billionth before the ceiling, which no current reaches in finite steps.
    mutating func fillToCeiling() {
        if charge >= ceiling { return }
        let energy = (voltage.integral(to: ceiling) - voltage.integral(to: charge)) * capacity
        charge = ceiling
        stored += energy
        wall += energy / efficiency
    }

    /// One Runge-Kutta step of the state of charge and of the loss.
    @inline(__always)
    private mutating func step(_ seconds: Double) {
        let scale = seconds / capacity
        let a = flow(at: charge)
        let b = flow(at: charge - a.current * scale / 2)
        let c = flow(at: charge - b.current * scale / 2)
        let d = flow(at: charge - c.current * scale)
        charge -= scale * (a.current + 2 * b.current + 2 * c.current + d.current) / 6
        lost += seconds * (a.loss + 2 * b.loss + 2 * c.loss + d.loss) / 6
    }
}
