// SPDX-License-Identifier: GPL-3.0-or-later
// Power accounts for every joule: ledger, loads, radios, display, battery, charger.
// In: changes of state, each with its instant (a load starts, a transfer begins, a charger is connected).
// Out: instants at which it must be called (radios, battery), the level, the ledger. It has no event queue.
// Energy is booked only when something changes, never by ticking; each call costs the same however many apps there are.
// Read first: this file, then `PowerSystem+Loads.swift`, `Battery.swift`, `Radio.swift`; constants in
// `…Parameters.swift`.

import Quantities
import Vocabulary

/// The energy side of one phone: the power of each app and part, the state of the battery, and the energy accounts.
///
/// Every call that changes something takes the present instant; instants must not go backwards. After a batch of calls
/// the owner reads `nextBatteryEvent()` and `radioDeadline(_:)`. It calls back at those instants with
/// `batteryEventReached(at:)` and `radioTimerFired(_:at:)`.
public struct PowerSystem: ~Copyable {
    /// The constants of this phone.
    public let parameters: PowerParameters
    var ledger: Ledger
    var loads: LoadPool
    var battery: Battery
    var thermostat: Thermostat
    /// Largest load whose heat cannot change the thermal state of a cool phone; see `findEasyLoad()`.
    var easyLoad: Double
    /// Value of `easyLoad` for a phone on its charger while the cell takes no energy.
    var easyHeldLoad: Double
    /// Whether the cell's temperature has changed enough to calculate its resistance again.
    var hasOtherTemperature: Bool
    /// When the thermostat must be checked next.
    var thermalDue: SimTime
    /// When the charger's first minutes are over, and the power that it gives then.
    var chargerDeadline: SimTime
    /// When the battery must be checked next, as last calculated.
    var answer: SimTime
    /// When the phone last died.
    var diedAt: SimTime
    /// When a phone that was switched off is on again; the distant future for other phones.
    var restartsAt: SimTime
    /// Joules that were booked but that the cell has not given yet.
    var owed: Double
    var sustainedSupply: Double?
    /// State of a charger that limits the phone's temperature.
    var heldCharge: HeldCharge?
    /// Whether the mobile radio falls back in every state of the display, as in Low Power Mode.
    var sparesRadio: Bool
    /// Whether the network in reach has the newer of the mobile radio's two technologies.
    var newerIsInReach: Bool
    /// Whether the charger of the last `plugIn` has no cable.
    public internal(set) var isWireless: Bool
    let hasHeat: Bool
    /// Whether the mobile radio has an older technology to fall back to.
    let hasFallback: Bool
    var radios: RadioBank
    let frontFigures: [ActivityFigures]
    let backgroundFigures: [ActivityFigures]
    var floor: LoadHandle
    var display: LoadHandle
    var awake: LoadHandle
    var awakeHolders: Int
    /// The processor under its policy and its cap.
    public internal(set) var processor: ProcessorPlan
    /// The network in use.
    public internal(set) var network: Network
    /// Factor that multiplies the power of the display from its next setting on, for instance for a lower frame rate.
    public var displayFactor: Double
    /// Whether the display is on.
    public internal(set) var displayIsOn: Bool
    /// Number of times that the platform left suspend.
    public internal(set) var wakeups: Int
    /// Whether the phone is off: it has shut down for lack of charge, or it restarts.
    public internal(set) var isDead: Bool

    /// Creates a suspended phone at midnight, without a network and with its battery at a shown level.
    ///
    /// - Parameters:
    ///   - apps: Number of apps in the run; identifiers go from 0 up to but not including it.
    ///   - initialLevel: Level from 0 to 1, at least the level at which the phone dies.
    ///   - ambient: Temperature of the air and, at first, of the phone.
    ///   - watched: The app whose energy is also kept by component.
    public init(
        _ parameters: PowerParameters, apps: Int, initialLevel: Double = 1, ambient: Temperature = .celsius(25),
        watched: AppID? = nil
    ) {
        easyLoad = 0.0
        easyHeldLoad = 0.0
        hasOtherTemperature = false
        thermalDue = SimTime.distantFuture
        chargerDeadline = SimTime.distantFuture
        answer = SimTime.zero
        diedAt = SimTime(nanoseconds: .min / 2)
        restartsAt = SimTime.distantFuture
        owed = 0.0
        isWireless = false
        sparesRadio = false
        newerIsInReach = true
        floor = LoadHandle.none
        display = LoadHandle.none
        awake = LoadHandle.none
        awakeHolders = 0
        network = Network.none
        displayFactor = 1.0
        displayIsOn = false
        wakeups = 0
        isDead = false
        self.parameters = parameters
        processor = ProcessorPlan(parameters.processor, awake: parameters.platform.awakePower)
        let table = parameters.activities
        let parts = parameters.peripherals
        frontFigures = ActivityClass.allCases.map { ActivityFigures(table[$0], parts, inBackground: false) }
        backgroundFigures = ActivityClass.allCases.map { ActivityFigures(table[$0], parts, inBackground: true) }
        ledger = Ledger(apps: apps, memoryPart: parameters.processor.memoryPart, watched: watched)
        loads = LoadPool(capacity: 64)
        battery = Battery(
            parameters.battery, charger: parameters.charger, celsius: ambient.celsius, level: initialLevel)
        thermostat = Thermostat(parameters.heat ?? HeatParameters(), air: ambient.celsius)
        hasHeat = parameters.heat != nil
        if hasHeat { thermalDue = thermostat.deadline }
        hasFallback = parameters.cellularFallback != nil
        radios = RadioBank(
            parameters.radios, cellularFallback: parameters.cellularFallback, tails: parameters.tailAttribution)
        floor = loads.insert(
            power: Self.quantised(parameters.platform.suspendPower), component: .platform, app: .system, cause: .idle,
            at: .zero)
        battery.load = loads.power(of: floor)
        battery.idleLoad = battery.load
        chooseTechnology(at: .zero)
        limitCharging()
        findEasyLoad()
    }

    /// Copies a phone at any instant.
    ///
    /// Loads keep their handles, and both phones reach the same energies.
    public init(copying other: borrowing PowerSystem) {
        parameters = other.parameters
        ledger = Ledger(copying: other.ledger)
        loads = LoadPool(copying: other.loads)
        battery = other.battery
        thermostat = other.thermostat
        easyLoad = other.easyLoad
        easyHeldLoad = other.easyHeldLoad
        hasOtherTemperature = other.hasOtherTemperature
        thermalDue = other.thermalDue
        chargerDeadline = other.chargerDeadline
        answer = other.answer
        diedAt = other.diedAt
        restartsAt = other.restartsAt
        owed = other.owed
        sustainedSupply = other.sustainedSupply
        heldCharge = other.heldCharge
        isWireless = other.isWireless
        sparesRadio = other.sparesRadio
        newerIsInReach = other.newerIsInReach
        hasHeat = other.hasHeat
        hasFallback = other.hasFallback
        radios = RadioBank(copying: other.radios)
        frontFigures = other.frontFigures
        backgroundFigures = other.backgroundFigures
        floor = other.floor
        display = other.display
        awake = other.awake
        awakeHolders = other.awakeHolders
        processor = other.processor
        network = other.network
        displayFactor = other.displayFactor
        displayIsOn = other.displayIsOn
        wakeups = other.wakeups
        isDead = other.isDead
    }

    /// Rounds a power below 2 kW to a multiple of 2⁻⁴⁰ W (0.9 pW), so that sums and differences of loads are exact.
    @inline(__always)
    static func quantised(_ power: Power) -> Double { power.rawValue + 0x1.8p12 - 0x1.8p12 }

    /// Total power that all components draw now.
    public var totalPower: Power { .watts(battery.load) }

    /// Books everything up to an instant, so that the ledger and the energies are exact for that instant.
    public mutating func flush(at now: SimTime) {
        advance(to: now)
        loads.bookAll(at: now, into: ledger)
        for index in 0..<radios.count { radios[index].book(at: now, into: ledger) }
    }
}
