// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Phone
import Power
import Quantities

extension DeviceReader {
    /// Reads the parts that consume energy.
    func readPower(_ root: MapReader) -> PowerParameters? {
        var battery = BatteryParameters(capacity: .milliampereHours(3000))
        let hasBattery = readBattery(root, into: &battery)
        var power = PowerParameters(battery: battery)
        root.section("platform") { map in
            map.set(&power.platform, PlatformParameters.keys)
            warn(power.platform, map)
        }
        readProcessor(root, into: &power.processor)
        root.section("display") { readDisplay($0, into: &power.display) }
        root.section("storage") { map in
            map.set(&power.storage, StorageParameters.keys)
        }
        root.set(&power.peripherals, PeripheralParameters.keys)
        root.section("activities") { readActivities($0, into: &power.activities) }
        root.section("radios") { readRadios($0, into: &power) }
        readHeat(root, into: &power)
        root.section("charger") { readCharger($0, into: &power.charger) }
        return hasBattery ? power : nil
    }

    private func readDisplay(_ map: MapReader, into display: inout DisplayParameters) {
        map.set(&display, DisplayParameters.keys)
        warn(display, map)
    }

    private func readBattery(_ root: MapReader, into battery: inout BatteryParameters) -> Bool {
        guard let map = root.map("battery") else {
            if root.isMap {
                root.cursor.fail(
                    "the key \"battery\" is missing", hint: "for instance \"battery: {capacity: 3227 mAh}\"")
            }
            return false
        }
        let capacity = map.required("capacity", ValueReader<Charge>.amount(.charge, 36...360_000))
        battery = BatteryParameters(capacity: capacity ?? battery.capacity)
        if let cell = map.cursor("cell"), let whole = trees.whole(cell, .cells) {
            // The phone uses only the shape of the cell's curves. The device determines the capacity.
            let cell = MapReader(Cursor(whole, path: cell.path, report: cell.report))
            readHeader(cell)
            _ = CellReader.read(cell, into: &battery)
            cell.finish()
        }
        map.set(&battery, BatteryParameters.keys)
        battery.resistanceGrowth = BatteryParameters.usualGrowth(health: battery.health)
        map.set(&battery, BatteryParameters.agingKeys)
        readPairs(map, into: &battery)
        warn(battery, map)
        map.finish()
        return capacity != nil
    }

    /// Reads the delayed parts of the resistance, which only some studies need.
    private func readPairs(_ map: MapReader, into battery: inout BatteryParameters) {
        let shares = map.optional("pair_shares", .list(of: ValueReader<Double>.quantity(.fraction, 0.001...0.99)))
        let times = map.optional("pair_times", .list(of: ValueReader<SimDuration>.duration(0.1...1e5)))
        guard let cursor = map.cursor("pair_shares") ?? map.cursor("pair_times"), shares != nil || times != nil else {
            return
        }
        let (s, t) = (shares ?? [], times ?? [])
        if s.count != t.count || s.count > 2 {
            cursor.fail("pair_shares and pair_times must have one or two items each, found \(s.count) and \(t.count)")
        } else if s.reduce(0, +) >= 1 {
            cursor.fail("pair_shares must add up to less than 100 %, because the rest is the resistance without delay")
        } else {
            battery.pairs = zip(s, t).map { BatteryParameters.Pair(share: $0, time: $1) }
        }
    }

    private func readCharger(_ map: MapReader, into charger: inout ChargerParameters) {
        let rate = ValueReader<Double>.number(0...20, example: "1.0")
        if let table = CellReader.readTable(map, "current_states", "current_rates", rate, whole: true) {
            (charger.currentStates, charger.currentRates) = table
        }
        map.set(&charger, ChargerParameters.keys)
    }
}
