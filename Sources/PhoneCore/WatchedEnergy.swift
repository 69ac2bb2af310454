// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities

/// Energy of one app by component: on screen (including the radio tails after its traffic) and in the background.
public struct WatchedEnergy: Sendable, Equatable {
    /// Energy on screen, by component, in joules.
    public private(set) var foreground: [Double]
    /// Energy in the background, by component, in joules.
    public private(set) var background: [Double]
    /// Energy of the whole phone over the same time, in joules.
    public private(set) var phone = 0.0

    /// Creates an energy of zero.
    init() {
        foreground = Array(repeating: 0, count: Component.allCases.count)
        background = foreground
    }

    /// Reads the accounts at an instant, after a flush of the power system.
    init(_ power: borrowing PowerSystem) {
        self.init()
        for component in Component.allCases {
            let index = Int(component.rawValue)
            foreground[index] = power.watchedEnergy(of: component, .foreground).joules
            background[index] =
                power.watchedEnergy(of: component, .background).joules
                + power.watchedEnergy(of: component, .idle).joules
        }
        phone = power.ledgerEnergy.joules
    }

    /// The difference from the energy at an earlier instant.
    func since(_ before: WatchedEnergy) -> WatchedEnergy {
        var energy = self
        for index in energy.foreground.indices {
            energy.foreground[index] -= before.foreground[index]
            energy.background[index] -= before.background[index]
        }
        energy.phone -= before.phone
        return energy
    }
}
