// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import LifeCycle
import Processes
import Quantities

/// Clocks and watchdogs of the life cycle, `os.life_cycle`.
extension SystemReader {
    static func readLifeCycle(_ parent: MapReader, into rules: inout LifeCycleRules) {
        guard let map = parent.map("life_cycle") else { return }
        map.set(&rules, LifeCycleRules.keys)
        map.finish()
    }
}
