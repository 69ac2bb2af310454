// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import PhoneCore
import Power
import Quantities
import Workload

/// Reads the expanded tree of a charger.
enum ChargerReader {
    /// Reads the charger; nil if it has errors, which are reported.
    static func read(_ cursor: Cursor) -> Charger? {
        let before = cursor.report.problems.errorCount
        let map = MapReader(cursor, expected: "a map, or the name of a charger")
        readHeader(map)
        let power = map.required("power", ValueReader<Power>.amount(.power, 0.1...1000))
        var charger = Charger(name: map.cursor("name")?.node.scalar ?? "charger", power: power ?? .watts(1))
        map.set(&charger, Charger.keys)
        map.finish()
        return cursor.report.problems.errorCount == before ? charger : nil
    }
}

extension ExperimentLoader {
    /// Reads the charger that a persona names; nil when the persona names none, or when the charger is invalid.
    func readCharger(of persona: Cursor) -> Charger? {
        guard let whole = trees.whole(persona, .personas), let named = whole.at(["charging", "charger"]), !named.isNull
        else { return nil }
        let cursor = Cursor(named, path: "user.persona.charging.charger", report: report)
        guard let tree = trees.whole(cursor, .chargers) else { return nil }
        let key = tree.canonical
        if let known = chargers[key] { return known }
        let charger = ChargerReader.read(Cursor(tree, path: cursor.path, report: report))
        chargers[key] = charger
        return charger
    }
}

extension DeviceReader {
    /// Reads the owner's settings for charging.
    func readCharging(_ map: MapReader, into charging: inout ChargingSettings) {
        map.set(&charging, ChargingSettings.keys)
    }
}
