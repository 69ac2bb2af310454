// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// A charger: the power that it takes from the wall, and the share that arrives in the phone.
public struct Charger: Sendable, Equatable {
    /// Name in tables and files.
    public var name: String
    /// Largest power taken from the wall.
    public var power: Power
    /// Cable or coil.
    public var link: ChargerLink
    /// Share of the power that reaches cell and running phone; nil for the phone's efficiency for this link.
    public var efficiency: Double?
    /// Power taken from the wall after the first minutes; nil if the power does not fall.
    public var sustainedPower: Power?
    /// Length of those first minutes.
    public var boost: SimDuration
    /// Temperature of the phone above which the charger gives less; nil for a charger without such a limit.
    ///
    /// In a recording, a pad kept the cell of an iPhone 13 Pro Max within a kelvin of 37 °C for up to an hour.
    /// The pad's power was 7 to 9 W (M. Miller 2026, github.com/markm39/mcm-battery-2026).
    public var heldTemperature: Temperature?

    /// Creates a charger that gives the same power for any length of time.
    public init(
        name: String = "charger", power: Power, link: ChargerLink = .wired, efficiency: Double? = nil,
        sustainedPower: Power? = nil, boost: SimDuration = .zero
    ) {
        self.name = name
        self.power = power
        self.link = link
        self.efficiency = efficiency
        self.sustainedPower = sustainedPower
        self.boost = boost
    }
}

extension Charger {
    /// The keys in files of all values except `power`, with their allowed ranges.
    public static let keys: [FileKey<Charger>] = [
        .choice(\.link, "link", "link"),
        .quantity(\.efficiency, "efficiency", .fraction, 0.01...1),
        .amount(\.sustainedPower, "sustained_power", .power, 0...1000),
        .time(\.boost, "boost", 0...86400),
        .amount(\.heldTemperature, "held_temperature", .temperature, 0...60),
    ]
}

extension PowerSystem {
    /// Connects a charger of a rated power.
    public mutating func plugIn(_ rated: Power, link: ChargerLink = .wired, at now: SimTime) {
        plugIn(Charger(power: rated, link: link), at: now)
    }

    /// Connects a charger.
    public mutating func plugIn(_ charger: Charger, at now: SimTime) {
        advance(to: now)
        let own = parameters.charger
        let isWired = charger.link == .wired
        battery.efficiency = charger.efficiency ?? (isWired ? own.wiredEfficiency : own.wirelessEfficiency)
        let heat = isWired ? own.wiredHeat : own.wirelessHeat
        battery.conversionHeat = heat / (1 - heat)
        battery.connectedHeat = own.connectedPower.watts
        battery.supply = Self.quantised(charger.power * battery.efficiency)
        battery.isPlugged = true
        battery.revision &+= 1
        chargerDeadline = .distantFuture
        sustainedSupply = nil
        if let sustained = charger.sustainedPower {
            sustainedSupply = Self.quantised(sustained * battery.efficiency)
            chargerDeadline = now + charger.boost
        }
        isWireless = !isWired
        let supply = battery.supply
        heldCharge = charger.heldTemperature.map { HeldCharge(celsius: $0.celsius, fullSupply: supply) }
        holdTemperature()
        findEasyLoad()
    }

    /// Disconnects the charger.
    public mutating func unplug(at now: SimTime) {
        advance(to: now)
        battery.supply = 0
        battery.connectedHeat = 0
        battery.isPlugged = false
        battery.revision &+= 1
        chargerDeadline = .distantFuture
        heldCharge = nil
    }

    /// Lowers the power of a charger whose first minutes are over.
    mutating func chargerDeadline(at now: SimTime) {
        guard chargerDeadline <= now else { return }
        chargerDeadline = .distantFuture
        if let sustainedSupply {
            battery.supply = sustainedSupply
            heldCharge?.fullSupply = sustainedSupply
        }
        battery.revision &+= 1
    }

    /// Largest power that the cell gives now without its voltage falling below the cut-off.
    ///
    /// The method is `mutating` so that the call does not copy the whole system.
    public mutating func peakPower(at now: SimTime) -> Power {
        let point = battery.curves.point(at: battery.charge)
        return .watts(max(0, battery.cutoff * (point.open - battery.cutoff) / (battery.resistance * point.factor)))
    }
}
