// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Power
import Quantities
import Testing
import Vocabulary

@Suite struct BatteryTests {
    /// A phone that draws one constant power and nothing else.
    static func constant(_ power: Power, _ parameters: PowerParameters, level: Double = 1) -> PowerSystem {
        var parameters = parameters
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: level)
        _ = system.startLoad(.other, power, app: AppID(0), cause: .foreground, at: .zero)
        return system
    }

    @Test func `each whole per cent is announced once on the way down, then death`() {
        var system = Self.constant(.watts(1), .iPhone15)
        var seen: [Int] = []
        var died: [SimTime] = []
        run(&system, from: .zero, to: .seconds(60 * 3600)) { event, now in
            if case .level(let percent) = event { seen.append(percent) }
            if event == .died { died.append(now) }
        }
        #expect(seen == Array((1...99).reversed()))
        #expect(died.count == 1)
        #expect(system.isDead == true)
        // 12.98 Wh on the label (9to5Mac): a constant watt lasts about that many hours.
        #expect(abs(died[0].seconds / 3600 - 12.98) < 0.26)
        #expect(system.totalPower == .zero)
        #expect(system.percent == 0)
    }

    @Test(arguments: 0..<12)
    func `no whole per cent is missed or early however the load changes`(seed: Int) {
        var draw = Draw(state: UInt64(seed) &* 6151 &+ 11)
        var system = PowerSystem(PowerParameters.iPhone13.isothermal, apps: 1, initialLevel: 0.5)
        let load = system.startLoad(.processor, .watts(1), app: AppID(0), cause: .foreground, at: .zero)
        var shown = 50
        var now = SimTime.zero
        for _ in 0..<400 {
            let watts = Double([3, 30, 300, 3000][draw(4)] * (1 + draw(3))) / 1000
            system.setLoad(load, to: .watts(watts), at: now)
            system.addEnergy(.storage, .joules(Double(draw(3))), app: AppID(0), cause: .relaunch, at: now)
            switch draw(12) {
            case 0: system.plugIn(.watts(Double(5 + draw(20))), at: now)
            case 1, 2: system.unplug(at: now)
            default: break
            }
            let end = now + .milliseconds(Double(1 + draw(300_000)))
            while system.nextBatteryEvent() <= end {
                let instant = system.nextBatteryEvent()
                guard case .level(let percent) = system.batteryEventReached(at: instant) else { continue }
                #expect(abs(percent - shown) <= 1, "at \(instant)")
                let level = system.level(at: instant)
                #expect(abs(level * 100 - Double(percent)) < 0.01)
                shown = percent
            }
            if system.isDead { return }
            let level = system.level(at: end)
            #expect(abs(level * 100 - Double(shown)) < 1.01)
            now = end
        }
    }

    @Test func `local video lasts as long as Apple says`() {
        // iPhone 15: 20 h of local video, 80 h of audio (MacRumors), whole-phone power from the label's 12.98 Wh.
        for (watts, hours) in [(0.649, 20.0), (0.162, 80.0)] {
            var system = Self.constant(.watts(watts), .iPhone15)
            var died = SimTime.zero
            run(&system, from: .zero, to: .seconds(100 * 3600)) { event, now in if event == .died { died = now } }
            #expect(abs(died.seconds / 3600 - hours) < 0.02 * hours)
        }
    }

    @Test func `a dead phone revives on the charger and charges to full`() {
        var system = Self.constant(.watts(2), .iPhone15, level: 0.05)
        var events: [BatteryEvent] = []
        run(&system, from: .zero, to: .seconds(4 * 3600)) { event, _ in events.append(event) }
        #expect(system.isDead == true)
        system.plugIn(.watts(20), at: .seconds(4 * 3600))
        events = []
        run(&system, from: .seconds(4 * 3600), to: .seconds(8 * 3600)) { event, _ in events.append(event) }
        #expect(events.filter { $0 == .revived }.count == 1)
        #expect(events.filter { $0 == .full }.count == 1)
        #expect(system.isDead == false)
        #expect(system.level(at: .seconds(8 * 3600)) == 1)
        #expect(system.nextBatteryEvent() == .distantFuture)
    }

    @Test(arguments: [(20.0, 99.6, 8.0), (12, 117, 9.4), (5, 208.6, 16.7)])
    func `a charger takes as long as it was measured to`(watts: Double, minutes: Double, tolerance: Double) {
        // iPhone 14 Pro, 12.38 Wh (iClarified): 20 W 99:37, 12 W 1:57:00, 5 W 3:28:38; 50 % after 30 min on 20 W.
        var parameters = PowerParameters(battery: BatteryParameters(capacity: .milliampereHours(3200)))
        parameters.platform.suspendPower = .zero
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0)
        system.plugIn(.watts(watts), at: .zero)
        var half = SimTime.zero
        var full = SimTime.zero
        run(&system, from: .zero, to: .seconds(5 * 3600)) { event, now in
            if event == .level(percent: 50) { half = now }
            if event == .full { full = now }
        }
        #expect(abs(full.seconds / 60 - minutes) < tolerance)
        if watts == 20 { #expect(abs(half.seconds / 60 - 30) < 3) }
        let efficiency = system.chargedEnergy.joules / system.wallEnergy.joules
        #expect(abs(efficiency - 0.75) < 1e-9)
    }

    @Test func `charging holds where it is told to`() {
        var system = PowerSystem(.iPhone15, apps: 1, initialLevel: 0.5)
        system.setHoldLevel(0.8, at: .zero)
        system.plugIn(.watts(20), at: .zero)
        var held = 0
        run(&system, from: .zero, to: .seconds(6 * 3600)) { event, _ in if event == .held { held += 1 } }
        #expect(held == 1)
        #expect(abs(system.level(at: .seconds(6 * 3600)) - 0.8) < 1e-9)
    }

    @Test(arguments: [3.0, 0.5])
    func `a load beyond what the cell can carry kills at once`(cutoff: Double) {
        var parameters = PowerParameters.iPhone15
        parameters.battery.cutoff = .volts(cutoff)
        var system = Self.constant(.watts(60), parameters, level: 0.3)
        #expect(system.nextBatteryEvent() == .zero)
        #expect(system.batteryEventReached(at: .zero) == .died)
        #expect(system.isDead == true)
    }

    @Test func `cold raises the loss inside the cell`() {
        var warm = Self.constant(.watts(3), .iPhone15)
        var cold = Self.constant(.watts(3), .iPhone15)
        cold.setBatteryTemperature(.celsius(0), at: .zero)
        warm.flush(at: .seconds(3600))
        cold.flush(at: .seconds(3600))
        #expect(cold.cellLoss.joules > 2 * warm.cellLoss.joules)
        #expect(warm.terminalEnergy == cold.terminalEnergy)
    }

    @Test func `cold keeps what its share of the resistance takes from the empty voltage`() {
        var parameters = PowerParameters.iPhone15.isothermal
        // 3 V when empty, 4 V when full; a tenth of a volt is a tenth of the charge.
        parameters.battery.voltageStates = [0, 1]
        parameters.battery.voltages = [.volts(3), .volts(4)]
        parameters.battery.resistanceStates = [0, 1]
        parameters.battery.resistanceFactors = [1, 1]
        parameters.battery.capacity = .ampereHours(5)
        parameters.battery.reserveRate = 0.2
        parameters.battery.emptyVoltage = .volts(3.4)
        parameters.battery.resistance = .ohms(0.1)
        parameters.battery.resistanceTemperature = 2000
        var system = PowerSystem(parameters, apps: 1, initialLevel: 0.5)
        system.setBatteryTemperature(.celsius(0), at: .zero)
        // 1 A through 0.0848 ohms more than at 25 degC.
        let more = 0.1 * (exp(2000 * (1 / 273.15 - 1 / 298.15)) - 1)
        #expect(abs(system.level(at: .zero) - (0.7 - 0.4 - more) / (1 - 0.4 - more)) < 1e-9)
        system.setBatteryTemperature(.celsius(25), at: .zero)
        #expect(abs(system.level(at: .zero) - 0.5) < 1e-9)
    }
}
