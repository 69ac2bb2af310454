import Quantities
import Vocabulary

extension PowerSystem {
    /// Begins a transfer for an app; concurrent transfers are served one after the other at the full rate.
    ///
    /// - Parameters:
    ///   - rateFactor: What the network gives of the interface's usual rate, above 0.
    /// - Returns: When its last byte will have passed; `distantFuture` while the interface is off or the phone dead.
    public mutating func beginTransfer(
        _ interface: Interface, down: ByteCount, up: ByteCount, rateFactor: Double = 1, app: AppID, cause: Cause,
        at now: SimTime
    ) -> SimTime {
        advance(to: now)
        let before = power(of: interface)
        let promotions = self.promotions(interface)
        let end: SimTime
        switch interface {
        case .wifi:
            let transfer = wifi.figures.transfer(down: down, up: up, rateFactor: rateFactor, app: app, cause: cause)
            end = wifi.begin(transfer, down: down, up: up, at: now, into: ledger)
        case .cellular:
            let transfer = cellular.figures.transfer(
                down: down, up: up, rateFactor: rateFactor, app: app, cause: cause)
            end = cellular.begin(transfer, down: down, up: up, at: now, into: ledger)
        }
        battery.load += power(of: interface) - before
        if self.promotions(interface) > promotions { bookPromotion(interface, app: app, cause: cause, at: now) }
        return end
    }

    /// Books what a promotion costs beyond its time in that state.
    private mutating func bookPromotion(_ interface: Interface, app: AppID, cause: Cause, at now: SimTime) {
        let isWiFi = interface == .wifi
        let extra = isWiFi ? wifi.figures.promotionExtraEnergy : cellular.figures.promotionExtraEnergy
        if extra > 0 { addEnergy(isWiFi ? .wifi : .cellular, .joules(extra), app: app, cause: cause, at: now) }
    }

    /// When the interface's state machine wants to be called; `distantFuture` when idle or off.
    public mutating func radioDeadline(_ interface: Interface) -> SimTime {
        interface == .wifi ? wifi.deadline : cellular.deadline
    }

    /// Moves the interface's state machine on at its deadline.
    public mutating func radioTimerFired(_ interface: Interface, at now: SimTime) {
        advance(to: now)
        let before = power(of: interface)
        switch interface {
        case .wifi: wifi.timerFired(at: now, into: ledger)
        case .cellular: cellular.timerFired(at: now, into: ledger)
        }
        battery.load += power(of: interface) - before
    }

    /// Whether a transfer on the interface would need no promotion now.
    public func radioIsUp(_ interface: Interface) -> Bool { interface == .wifi ? wifi.isUp : cellular.isUp }

    /// Whether a transfer on the network in use would need no promotion now.
    ///
    /// Mutating, like the two deadlines, so that the whole system is not copied to be asked.
    public var radioIsUp: Bool {
        mutating get {
            switch network {
            case .none: false
            case .wifi: wifi.isUp
            case .cellular: cellular.isUp
            }
        }
    }

    /// The interface of the network in use, if any.
    public var interface: Interface? {
        switch network {
        case .none: nil
        case .wifi: .wifi
        case .cellular: .cellular
        }
    }

    /// Changes the network in use.
    ///
    /// Wi-Fi ends when it is left, with the transfers it still had, and looks for networks again; the mobile network stays registered beside Wi-Fi
    /// and finishes its transfers. Joining Wi-Fi costs its join energy.
    public mutating func setNetwork(_ network: Network, at now: SimTime) {
        if network == self.network { return }
        self.network = network
        if isDead { return }
        advance(to: now)
        let before = wifi.power + cellular.power
        switch network {
        case .none:
            wifi.switchOff(searching: true, at: now, into: ledger)
            cellular.switchOff(searching: true, at: now, into: ledger)
        case .cellular:
            wifi.switchOff(searching: true, at: now, into: ledger)
            cellular.switchOn(at: now, into: ledger)
        case .wifi:
            wifi.switchOn(at: now, into: ledger)
            cellular.switchOn(at: now, into: ledger)
        }
        battery.load += wifi.power + cellular.power - before
        if network == .wifi, wifi.figures.joinEnergy > 0 {
            addEnergy(.wifi, .joules(wifi.figures.joinEnergy), app: .system, cause: .idle, at: now)
        }
    }

    /// Bytes moved over an interface, both directions, counted when a transfer begins.
    public func bytes(_ interface: Interface) -> ByteCount {
        interface == .wifi ? wifi.received + wifi.sent : cellular.received + cellular.sent
    }

    /// How often an interface was promoted from idle.
    public func promotions(_ interface: Interface) -> Int {
        interface == .wifi ? wifi.promotions : cellular.promotions
    }

    private func power(of interface: Interface) -> Double {
        interface == .wifi ? wifi.power : cellular.power
    }
}
