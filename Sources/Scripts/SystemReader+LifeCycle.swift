// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import LifeCycle
import Processes
import Quantities

/// Clocks and watchdogs of the life cycle, `os.life_cycle`.
extension SystemReader {
    static func readLifeCycle(_ parent: MapReader, into rules: inout LifeCycleRules) {
        guard let map = parent.map("life_cycle") else { return }
        let time = ValueReader<SimDuration>.duration()
        map.set(&rules.hasScenes, "scenes", .flag)
        map.set(&rules.backgroundGrace, "background_grace", time)
        map.set(&rules.expirationTime, "expiration_time", time)
        map.set(&rules.launchLimit, "launch_limit", time)
        map.set(&rules.updateLimit, "update_limit", time)
        map.set(&rules.processorTime, "processor_time", time)
        map.set(&rules.processorWindow, "processor_window", .duration(1...9e9))
        map.finish()
    }
}
