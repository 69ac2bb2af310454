// SPDX-License-Identifier: GPL-3.0-or-later
import Power
import Quantities
import Scenario
import Vocabulary

extension HeatBench {
    /// Heats the phone second by second, and interpolates the skin's temperature linearly within a second.
    func measure() -> [String: Double] {
        var parameters = power
        parameters.battery.capacity = .ampereHours(1000)
        var phone = PowerSystem(parameters, apps: 1, ambient: air)
        let rest = load - phone.totalPower
        _ = phone.startLoad(.processor, rest, app: .system, cause: .foreground, at: .zero)
        // This call makes the phone update its heat.
        _ = phone.nextBatteryEvent()
        var reached = Double.nan
        var before = phone.bodyTemperature(at: .zero).celsius
        var second = 0.0
        while second < duration {
            second += 1
            let now = phone.bodyTemperature(at: .zero + .seconds(second)).celsius
            if reached.isNaN, now >= skin.celsius { reached = second - (now - skin.celsius) / (now - before) }
            before = now
        }
        return ["reach_s": reached, "end_c": before]
    }
}
