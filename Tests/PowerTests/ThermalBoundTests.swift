// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary

@testable import Power

/// The cheap bound of the next thermal crossing, and what happens when it is reached.
@Suite struct ThermalBoundTests {
    @Test(arguments: 0..<40)
    func `the bound is never later than the crossing, and not far before it`(seed: Int) {
        var draw = Draw(state: UInt64(seed) &* 6151 &+ 11)
        var nodes = ThermalNodes(HeatParameters(), air: 22)
        var (crossings, close) = (0, 0)
        for _ in 0..<500 {
            nodes.advance(Double(draw(400)) / 4, watts: Double(draw(100)) / 10)
            let (celsius, watts) = (20 + Double(draw(300)) / 10, Double(draw(120)) / 10)
            let isRising = nodes.body < celsius
            let bound = nodes.secondsShort(of: celsius, rising: isRising, watts: watts)
            guard let crossing = nodes.seconds(to: celsius, rising: isRising, watts: watts) else { continue }
            #expect(bound <= crossing)
            crossings += 1
            if bound > crossing / 10 { close += 1 }
        }
        #expect(crossings > 100)
        #expect(close > crossings * 3 / 4)
    }

    @Test func `a temperature that twice the heat would end in is never reached`() {
        let nodes = ThermalNodes(HeatParameters(), air: 22)
        #expect(nodes.secondsShort(of: nodes.steadyBody(8), rising: true, watts: 4) == .infinity)
        #expect(nodes.secondsShort(of: nodes.steadyBody(4) - 0.01, rising: true, watts: 4) < .infinity)
        #expect(nodes.secondsShort(of: 22, rising: true, watts: 4) == 0)
    }

    @Test func `an instant that was only a bound moves nothing, and the crossing is where it was`() {
        var system = ThermalTests.phone()
        _ = ThermalTests.load(6, &system)
        var other = PowerSystem(copying: system)
        var bounds = 0
        while system.thermalState == .nominal {
            let now = system.nextBatteryEvent()
            _ = other.nextBatteryEvent()
            if system.isBatteryEventDue(at: now) {
                _ = system.batteryEventReached(at: now)
                // Told of the same instants but for those that were only bounds.
                _ = other.batteryEventReached(at: now)
                #expect(other.thermalState == system.thermalState)
            } else {
                bounds += 1
            }
        }
        #expect(bounds >= 1)
        let end = system.battery.time
        let (body, otherBody) = (system.bodyTemperature(at: end), other.bodyTemperature(at: end))
        #expect(body == otherBody && system.storedEnergy == other.storedEnergy)
        #expect(abs(body.celsius - 38.5) < 1e-6)
    }
}
