// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Power
import Quantities
import Testing
import Vocabulary

/// The account of the cell closes to a billionth of the energy that moved, whatever is done to it.
@Suite struct ClosedBooksTests {
    /// What a day does to a phone.
    struct Usage: CustomTestStringConvertible {
        var name: String
        var level = 0.05
        var celsius = 25.0
        /// The longest time between two changes.
        var step = 60.0
        /// The largest load in watts and the largest draw at one instant in joules.
        var load = 3.0
        var draw = 0.0
        /// How many of a thousand changes are restarts, and how many connect or remove a charger.
        var restarts = 0
        var flaps = 0

        var testDescription: String { name }
    }

    private static let usages = [
        Usage(name: "large draws from a nearly empty cell", draw: 10),
        Usage(name: "steady loads from a nearly empty cell"),
        Usage(name: "many restarts", level: 0.3, draw: 2, restarts: 50),
        Usage(name: "tiny steps", step: 1e-3, draw: 1e-4),
        Usage(name: "a cold cell", level: 0.6, celsius: -15, draw: 5),
        Usage(name: "a charger that comes and goes", level: 0.04, draw: 8, flaps: 200),
        Usage(name: "a full cell under a charger that comes and goes", level: 1, draw: 8, flaps: 200),
        Usage(name: "long heavy loads", level: 0.5, step: 600, load: 8, draw: 3),
    ]

    /// The part of the energy moved that the books lack.
    private static func imbalance(_ usage: Usage, seed: UInt64, _ parameters: PowerParameters) -> Double {
        var draw = Draw(state: seed &* 6151 &+ 11)
        var system = PowerSystem(
            parameters, apps: 1, initialLevel: usage.level, ambient: .celsius(usage.celsius))
        let before = system.storedEnergy.joules
        var now = SimTime.zero
        func share() -> Double { Double(draw(1_000_000)) / 1e6 }
        for _ in 0..<4000 {
            if !system.isDead {
                let cause = Cause.foreground
                let power = Power.watts(usage.load * share())
                let load = system.startLoad(.display, power, app: AppID(0), cause: cause, at: now)
                if usage.draw > 0, draw(3) == 0 {
                    system.addEnergy(.storage, .joules(usage.draw * share()), app: AppID(0), cause: cause, at: now)
                }
                if draw(1000) < usage.restarts { system.restart(after: .seconds(60), at: now) }
                follow(&system, from: &now, for: usage.step * share())
                system.stopLoad(load, at: now)
            } else {
                follow(&system, from: &now, for: max(usage.step, 60) * share())
                if !system.isPluggedIn, !system.isRestarting { system.plugIn(.watts(10), at: now) }
            }
            if draw(1000) < usage.flaps {
                if system.isPluggedIn { system.unplug(at: now) } else { system.plugIn(.watts(10), at: now) }
            }
        }
        system.flush(at: now)
        let (given, taken) = (system.terminalEnergy.joules, system.chargedEnergy.joules)
        let missing = system.storedEnergy.joules - (before + taken - given - system.cellLoss.joules)
        return abs(missing) / max(1, given + taken)
    }

    /// Goes on for so many seconds, through every event of the battery.
    private static func follow(_ system: inout PowerSystem, from now: inout SimTime, for seconds: Double) {
        let end = now + .seconds(seconds)
        while case let next = system.nextBatteryEvent(), next <= end {
            now = max(now, next)
            _ = system.batteryEventReached(at: now)
        }
        now = end
    }

    @Test(arguments: usages, [true, false])
    func `the books of the cell close to a billionth`(usage: Usage, hasHeat: Bool) {
        let parameters = hasHeat ? PowerParameters.iPhone13 : PowerParameters.iPhone13.isothermal
        for seed in 0..<3 {
            let imbalance = Self.imbalance(usage, seed: UInt64(seed), parameters)
            #expect(imbalance <= 1e-9, "seed \(seed): \(imbalance)")
        }
    }
}
