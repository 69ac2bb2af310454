// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Surroundings of the phone's body: temperature, cooling, and the mass that warms with the phone.
public struct Surrounding: Sendable, BitwiseCopyable, Equatable {
    /// Temperature that a phone without power reaches.
    public var air: Temperature
    /// Thermal resistance from the body to the air, in K/W; replaces `HeatParameters.airResistance`.
    public var resistance: Double
    /// Heat capacity of the body and of what touches it, in J/K; replaces `HeatParameters.bodyCapacity`.
    public var capacity: Double

    /// Creates a surrounding.
    public init(air: Temperature, resistance: Double, capacity: Double) {
        self.air = air
        self.resistance = resistance
        self.capacity = capacity
    }
}

extension PowerSystem {
    /// Changes the surroundings of the phone; board and body keep their temperatures.
    ///
    /// Assumption: material that touches the body from now on is as warm as the body.
    public mutating func setSurrounding(_ surrounding: Surrounding, at now: SimTime) {
        guard hasHeat, var heat = parameters.heat else { return }
        heat.airResistance = surrounding.resistance
        heat.bodyCapacity = surrounding.capacity
        advance(to: now)
        thermostat.setSurrounding(heat, air: surrounding.air.celsius, at: now)
        airChanged()
    }
}

/// State of a charger that reduces its power to keep the phone at or below a temperature.
struct HeldCharge: BitwiseCopyable {
    /// The charger keeps the phone's body at this temperature, in °C.
    let celsius: Double
    /// Watts that the charger would otherwise give, inside the phone.
    var fullSupply: Double

    /// Seconds in which the body approaches the held temperature (assumption).
    static let approach = 300.0
}

extension PowerSystem {
    /// Sets the power of a charger that holds a temperature, up to its full power.
    ///
    /// Call this at least every minute while the charger is connected; `nextBatteryEvent()` ensures that. The heat of
    /// the phone grows with the charging power, so bisection finds the power. A phone that is too warm without charging
    /// gets no charging power.
    mutating func holdTemperature() {
        guard let held = heldCharge, hasHeat, battery.isPlugged else { return }
        let before = battery.supply
        let allowed = thermostat.watts(holding: held.celsius, within: HeldCharge.approach)
        battery.supply = held.fullSupply
        if heat(battery.presentFlow()) > allowed {
            var (low, high) = (0.0, held.fullSupply)
            while high - low > Self.supplyTolerance {
                battery.supply = (low + high) / 2
                if heat(battery.presentFlow()) > allowed { high = battery.supply } else { low = battery.supply }
            }
            battery.supply = Self.quantised(.watts(low))
        }
        if battery.supply != before { battery.revision &+= 1 }
    }

    /// Tolerance of the charging power that bisection finds, in watts.
    private static let supplyTolerance = 1e-6
}
