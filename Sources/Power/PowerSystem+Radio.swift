// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

extension PowerSystem {
    /// Begins a transfer for an app; concurrent transfers are served one after the other at the full rate.
    ///
    /// - Parameters:
    ///   - rateFactor: Share of the interface's usual rate that the network gives, above 0.
    ///   - listening: Shortest time from now on for which the receiver stays awake, because more data keeps coming.
    /// - Returns: When the last byte has passed; `distantFuture` while the interface is off or the phone is dead.
    public mutating func beginTransfer(
        _ interface: Interface, down: ByteCount, up: ByteCount, rateFactor: Double = 1,
        listening: SimDuration = .zero, app: AppID, cause: Cause, at now: SimTime
    ) -> SimTime {
        advance(to: now)
        let before = (radios[interface].power, radios[interface].idlePower)
        let promotions = radios[interface].promotions
        let transfer = radios[interface].figures.transfer(
            down: down, up: up, rateFactor: rateFactor * radios[interface].rateFactor,
            sendFactor: radios[interface].sendFactor, app: app, cause: cause)
        let end = radios[interface].begin(
            transfer, down: down, up: up, listening: listening, at: now, into: ledger)
        battery.load += radios[interface].power - before.0
        battery.idleLoad += radios[interface].idlePower - before.1
        if radios[interface].promotions > promotions { bookPromotion(interface, app: app, cause: cause, at: now) }
        return end
    }

    /// Books the additional energy of a promotion.
    private mutating func bookPromotion(_ interface: Interface, app: AppID, cause: Cause, at now: SimTime) {
        let extra = radios[interface].figures.promotionExtraEnergy
        guard extra > 0 else { return }
        radios[interface].switching += extra
        addEnergy(interface.component, .joules(extra), app: app, cause: cause, at: now)
    }

    /// When the interface's state machine must be called next; `distantFuture` when idle or off.
    public mutating func radioDeadline(_ interface: Interface) -> SimTime { radios[interface].deadline }

    /// Number of radios.
    public var radioCount: Int { radios.count }

    /// Whether a radio's deadline may have changed since this was set to false.
    public var radiosMayHaveMoved: Bool {
        mutating get { radios.mayHaveChanged }
        set { radios.mayHaveChanged = newValue }
    }

    /// The deadline of a radio if it moved since the last call or since the timer fired; nil otherwise.
    public mutating func movedDeadline(of interface: Interface) -> SimTime? {
        let deadline = radios[interface].deadline
        guard radios[interface].armed != deadline else { return nil }
        radios[interface].armed = deadline
        return deadline
    }

    /// Advances the interface's state machine at its deadline.
    public mutating func radioTimerFired(_ interface: Interface, at now: SimTime) {
        advance(to: now)
        radios[interface].armed = .distantFuture
        let before = (radios[interface].power, radios[interface].idlePower)
        radios[interface].timerFired(at: now, into: ledger)
        battery.load += radios[interface].power - before.0
        battery.idleLoad += radios[interface].idlePower - before.1
    }

    /// Whether a transfer on the interface would need no promotion now.
    public func radioIsUp(_ interface: Interface) -> Bool { radios.isUp(interface) }

    /// Whether a transfer on the network in use would need no promotion now.
    ///
    /// The getter is mutating so that a read does not copy the whole system.
    public var radioIsUp: Bool {
        mutating get {
            guard let interface = Interface(network) else { return false }
            return radios.isUp(interface)
        }
    }

    /// The interface of the network in use, if any.
    public var interface: Interface? { Interface(network) }

    /// Changes the network in use.
    ///
    /// A change from Wi-Fi ends the open transfers of the Wi-Fi radio, which then looks for networks. The mobile radio
    /// stays registered during Wi-Fi and finishes its transfers. A radio that comes on books its join energy.
    public mutating func setNetwork(_ network: Network, at now: SimTime) {
        if network == self.network { return }
        self.network = network
        if isDead { return }
        followNetwork(at: now)
    }

    /// Switches on the radios that the network in use needs; the others look for networks.
    mutating func followNetwork(at now: SimTime) {
        advance(to: now)
        let before = (radios.power, radios.idlePower)
        var joined: UInt64 = 0
        for index in 0..<radios.count {
            if radios[index].interface.isOn(with: network) {
                if radios[index].switchOn(at: now, into: ledger) { joined |= 1 << index }
            } else {
                radios[index].switchOff(searching: true, at: now, into: ledger)
            }
        }
        battery.load += radios.power - before.0
        battery.idleLoad += radios.idlePower - before.1
        for index in 0..<radios.count where joined & (1 << index) != 0 {
            let energy = radios[index].figures.joinEnergy
            guard energy > 0 else { continue }
            radios[index].joining += energy
            addEnergy(radios[index].component, .joules(energy), app: .system, cause: .idle, at: now)
        }
    }

    /// Moves Wi-Fi to another access point of its network, if it is on one; transfers go on.
    public mutating func roam(at now: SimTime) {
        guard !isDead, interface == .wifi else { return }
        let energy = radios[.wifi].figures.joinEnergy
        advance(to: now)
        radios[.wifi].joining += energy
        addEnergy(.wifi, .joules(energy), app: .system, cause: .idle, at: now)
    }

    /// Sets the signal of an interface, overriding its figures; transfers that have begun keep their rate.
    public mutating func setSignal(_ level: SignalLevel, of interface: Interface, at now: SimTime) {
        advance(to: now)
        let before = (radios[interface].power, radios[interface].idlePower)
        radios[interface].setSignal(level, at: now, into: ledger)
        battery.load += radios[interface].power - before.0
        battery.idleLoad += radios[interface].idlePower - before.1
    }

    /// Power of a radio that waits at its present signal.
    public func standbyPower(of interface: Interface) -> Power { .watts(radios[interface].standbyPower) }

    /// Sets whether the mobile radio uses its older technology in every state of the display.
    ///
    /// This has no effect without `PowerParameters.cellularFallback`.
    public mutating func setSparesRadio(_ isOn: Bool, at now: SimTime) {
        sparesRadio = isOn
        chooseTechnology(at: now)
    }

    /// Sets whether the network in reach has the newer technology of the mobile radio, or only the older technology.
    public mutating func setNewerInReach(_ isInReach: Bool, at now: SimTime) {
        newerIsInReach = isInReach
        chooseTechnology(at: now)
    }

    /// Switches the mobile radio to or from its fallback technology, if the network, a setting or the display requires
    /// it.
    mutating func chooseTechnology(at now: SimTime) {
        guard hasFallback else { return }
        let fallsBack = !newerIsInReach || sparesRadio || parameters.smartData && !displayIsOn
        guard fallsBack != radios[.cellular].fallsBack else { return }
        advance(to: now)
        let before = (radios[.cellular].power, radios[.cellular].idlePower)
        radios[.cellular].setFallsBack(fallsBack, at: now, into: ledger)
        battery.load += radios[.cellular].power - before.0
        battery.idleLoad += radios[.cellular].idlePower - before.1
    }

    /// Bytes moved over an interface, both directions, counted when a transfer begins.
    public func bytes(_ interface: Interface) -> ByteCount { radios[interface].received + radios[interface].sent }

    /// Number of promotions of an interface from idle.
    public func promotions(_ interface: Interface) -> Int { radios[interface].promotions }
}
