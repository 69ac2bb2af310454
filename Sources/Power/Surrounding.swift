// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// What is around the phone's body: how warm it is, how well it cools, and how much of it warms with the phone.
public struct Surrounding: Sendable, BitwiseCopyable, Equatable {
    /// Temperature that a phone without power comes to.
    public var air: Temperature
    /// From the body to the air, in K/W; it stands in for `HeatParameters.airResistance`.
    public var resistance: Double
    /// Heat capacity of the body and of what touches it, in J/K; it stands in for `HeatParameters.bodyCapacity`.
    public var capacity: Double

    /// Creates a surrounding.
    public init(air: Temperature, resistance: Double, capacity: Double) {
        self.air = air
        self.resistance = resistance
        self.capacity = capacity
    }
}

extension PowerSystem {
    /// The phone lies elsewhere from now on; board and body keep their temperatures.
    ///
    /// Assumption: what touches the body from now on is as warm as the body.
    public mutating func setSurrounding(_ surrounding: Surrounding, at now: SimTime) {
        guard hasHeat, var heat = parameters.heat else { return }
        heat.airResistance = surrounding.resistance
        heat.bodyCapacity = surrounding.capacity
        advance(to: now)
        thermostat.setSurrounding(heat, air: surrounding.air.celsius, at: now)
        airChanged()
    }
}

/// A charger that gives less so that the phone becomes no warmer than a temperature.
struct HeldCharge: BitwiseCopyable {
    /// The body's temperature that it holds, in °C.
    let celsius: Double
    /// What it would bring otherwise, inside the phone, in watts.
    var fullSupply: Double

    /// How fast the body comes to the temperature that is held; assumption.
    static let approach = 300.0
}

extension PowerSystem {
    /// Lets a charger that holds a temperature bring what takes the body there, and no more than it has.
    ///
    /// To be called at least every minute while it is connected, as `nextBatteryEvent()` sees to. The heat of the
    /// phone grows with what comes in, so the answer is found by halving; a phone that is too warm without any gets
    /// none.
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

    /// How exactly that is found, in watts.
    private static let supplyTolerance = 1e-6
}
