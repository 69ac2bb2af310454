// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Power
import Quantities

extension DeviceReader {
    /// How the phone warms: `heat: off`, or a map of what differs from the defaults.
    func readHeat(_ root: MapReader, into power: inout PowerParameters) {
        guard let cursor = root.cursor("heat") else { return }
        if cursor.node.scalar != nil {
            let word = ValueReader<String>.word(of: ["on", "off"], what: "word for heat")
            if word.read(cursor) == "off" { power.heat = nil }
            return
        }
        let map = MapReader(cursor, expected: "off or a map")
        var heat = HeatParameters()
        let capacity = ValueReader<Double>.quantity(.heatCapacity, 0.01...1e6)
        let resistance = ValueReader<Double>.quantity(.thermalResistance, 0.001...1e4)
        map.set(&heat.boardCapacity, "board_capacity", capacity)
        map.set(&heat.bodyCapacity, "body_capacity", capacity)
        map.set(&heat.boardResistance, "board_resistance", resistance)
        map.set(&heat.airResistance, "air_resistance", resistance)
        map.set(&heat.bodyShare, "body_share", .share)
        readStates(map, into: &heat)
        map.finish()
        for problem in heat.problems { map.cursor.fail(problem) }
        power.heat = heat
    }

    private func readStates(_ map: MapReader, into heat: inout HeatParameters) {
        let temperature = ValueReader<Temperature>.amount(.temperature, -60...150)
        map.set(&heat.fairAbove, "fair_above", temperature)
        map.set(&heat.seriousAbove, "serious_above", temperature)
        map.set(&heat.criticalAbove, "critical_above", temperature)
        map.set(&heat.hysteresis, "hysteresis", .number(0...50, example: "2"))
        map.set(&heat.dwell, "dwell", .duration(0...86400))
        let speed = ValueReader<Double>.quantity(.fraction, 0.05...1)
        map.set(&heat.seriousPerformance, "serious_performance", speed)
        map.set(&heat.criticalPerformance, "critical_performance", speed)
        map.set(&heat.seriousCharging, "serious_charging", .share)
        map.set(&heat.criticalCharging, "critical_charging", .share)
        map.set(&heat.seriousBrightness, "serious_brightness", .share)
        map.set(&heat.criticalBrightness, "critical_brightness", .share)
        map.set(&heat.slowChargingBelow, "slow_charging_below", temperature)
        map.set(&heat.coldCharging, "cold_charging", .share)
        map.set(&heat.noChargingBelow, "no_charging_below", temperature)
    }
}
