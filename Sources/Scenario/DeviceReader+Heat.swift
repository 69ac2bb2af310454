// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Power
import Quantities

extension DeviceReader {
    /// Reads the heating of the phone: `heat: off`, or a map with the differences from the defaults.
    func readHeat(_ root: MapReader, into power: inout PowerParameters) {
        guard let cursor = root.cursor("heat") else { return }
        if cursor.node.scalar != nil {
            let word = ValueReader<String>.word(of: ["on", "off"], what: "word for heat")
            if word.read(cursor) == "off" { power.heat = nil }
            return
        }
        let map = MapReader(cursor, expected: "off or a map")
        var heat = HeatParameters()
        map.set(&heat, HeatParameters.keys)
        map.finish()
        for problem in heat.problems { map.cursor.fail(problem) }
        power.heat = heat
    }
}
