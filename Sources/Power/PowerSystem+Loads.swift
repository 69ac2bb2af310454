// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension PowerSystem {
    /// Starts drawing a constant power for an app until the load is changed or stopped.
    ///
    /// - Returns: The handle of the load; `none` while the phone is dead.
    public mutating func startLoad(
        _ component: Component, _ power: Power, app: AppID, cause: Cause, at now: SimTime
    ) -> LoadHandle {
        if isDead { return .none }
        let watts = Self.quantised(power)
        advance(to: now)
        battery.load += watts
        if cause == .idle { battery.idleLoad += watts }
        return loads.insert(power: watts, component: component, app: app, cause: cause, at: now)
    }

    /// Stops a load; a load that is already gone is ignored.
    public mutating func stopLoad(_ handle: LoadHandle, at now: SimTime) {
        guard loads.isLive(handle) else { return }
        advance(to: now)
        battery.load -= loads.power(of: handle)
        if loads.isIdle(handle) { battery.idleLoad -= loads.power(of: handle) }
        loads.remove(handle, at: now, into: ledger)
    }

    /// Changes the power of a running load; a load that is gone is ignored.
    public mutating func setLoad(_ handle: LoadHandle, to power: Power, at now: SimTime) {
        guard loads.isLive(handle) else { return }
        let watts = Self.quantised(power)
        advance(to: now)
        battery.load += watts - loads.power(of: handle)
        if loads.isIdle(handle) { battery.idleLoad += watts - loads.power(of: handle) }
        loads.change(handle, to: watts, at: now, into: ledger)
    }

    /// Takes an amount of energy at one instant, such as that of a flash read or of a wake-up.
    ///
    /// The cell gives the energy at its open-circuit voltage, or the adapter gives it if connected.
    public mutating func addEnergy(
        _ component: Component, _ energy: Energy, app: AppID, cause: Cause, at now: SimTime
    ) {
        if isDead { return }
        advance(to: now)
        battery.draw(energy.rawValue, isIdle: cause == .idle)
        thermostat.absorb(energy.rawValue)
        ledger.book(energy.rawValue, component, cause, cause.scope, app)
    }

    /// Takes a small amount of energy at one instant, such as a few milliseconds of the processor.
    ///
    /// The energy must be small compared with a second of any load. It is booked at once; the cell gives the energy at
    /// the next change.
    public mutating func addSmallEnergy(
        _ component: Component, _ energy: Energy, app: AppID, cause: Cause, at now: SimTime
    ) {
        if isDead { return }
        owed += energy.rawValue
        ledger.book(energy.rawValue, component, cause, cause.scope, app)
        if owed > Self.mostOwed { advance(to: now) }
    }

    /// Largest energy, in joules, that the cell may owe: a few millionths of its stored energy.
    private static var mostOwed: Double { 0.1 }

    /// Takes the booked energy that the cell still owes from the cell.
    @inline(never)
    mutating func payOwed() {
        battery.draw(owed)
        thermostat.absorb(owed)
        owed = 0
    }

    /// Keeps the platform out of suspend.
    ///
    /// The first holder pays for the wake-up, and for the awake platform until the last holder releases it.
    public mutating func holdAwake(app: AppID, cause: Cause, at now: SimTime) {
        if isDead { return }
        awakeHolders += 1
        guard awakeHolders == 1 else { return }
        wakeups += 1
        addEnergy(.platform, parameters.platform.wakeEnergy, app: app, cause: cause, at: now)
        awake = startLoad(.platform, parameters.platform.awakePower, app: app, cause: cause, at: now)
    }

    /// Lets the platform suspend once every holder has released it; a dead phone releases it for all holders.
    public mutating func releaseAwake(at now: SimTime) {
        if isDead { return }
        guard awakeHolders > 0 else { fatalError("releaseAwake was called without holdAwake") }
        awakeHolders -= 1
        if awakeHolders == 0 { stopLoad(awake, at: now) }
    }

    /// Books the awake platform to another app from now on, for instance to an app that came to the foreground.
    public mutating func payForAwake(app: AppID, cause: Cause, at now: SimTime) {
        guard loads.isLive(awake) else { return }
        loads.hand(awake, to: app, cause: cause, at: now, into: ledger)
    }

    /// Switches the display and books it to an app; brightness and mean picture level go from 0 to 1.
    public mutating func setDisplay(
        on: Bool, brightness: Double, pictureLevel: Double = 0.6, rate: Frequency = DisplayParameters.usualRate,
        app: AppID, at now: SimTime
    ) {
        stopLoad(display, at: now)
        advance(to: now)
        displayIsOn = on && !isDead
        battery.screenIsOn = displayIsOn
        display = .none
        let alwaysOn = parameters.display.ambientPower
        if on {
            let power = parameters.display.power(brightness: brightness, pictureLevel: pictureLevel, at: rate)
            display = startLoad(.display, power * displayFactor, app: app, cause: .foreground, at: now)
        } else if alwaysOn > .zero {
            display = startLoad(.display, alwaysOn, app: .system, cause: .idle, at: now)
        }
        chooseTechnology(at: now)
    }
}
