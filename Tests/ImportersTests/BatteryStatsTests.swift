// SPDX-License-Identifier: GPL-3.0-or-later
import Files
import Testing

@testable import Importers

/// Three worked examples with currents of the Pixel 7 (github.com/LineageOS/android_device_google_pantah, panther).
@Suite struct BatteryStatsTests {
    static func arithmetic() -> BatteryStatsArithmetic {
        func item(_ name: String, _ values: Double...) -> PowerProfile.Item {
            PowerProfile.Item(name: name, values: values, line: 1)
        }
        return BatteryStatsArithmetic(
            PowerProfile(
                items: [
                    item("battery.capacity", 4356), item("cpu.suspend", 13.3), item("cpu.idle", 35.6),
                    item("cpu.active", 8.2), item("cpu.cluster_power.cluster0", 0),
                    item("cpu.core_speeds.cluster0", 1_098_000, 1_197_000),
                    item("cpu.core_power.cluster0", 19.61, 22.82),
                    item("screen.on", 98), item("screen.full", 470),
                ]))
    }

    @Test func `half an hour of screen in the middle bin is 166.5 mAh`() {
        var arithmetic = Self.arithmetic()
        #expect(abs(arithmetic.screen(secondsByBrightness: [0, 0, 1800, 0, 0]) - 166.5) < 1e-9)
        // The dimmest bin has a tenth of full brightness.
        #expect(abs(arithmetic.screen(secondsByBrightness: [3600, 0, 0, 0, 0]) - (98 + 47)) < 1e-9)
    }

    @Test func `a minute of a small core is 0.517 mAh to its app and 1.332 mAh to the phone`() {
        var arithmetic = Self.arithmetic()
        let share = arithmetic.processor(activeSeconds: 60, clusterSeconds: [60], clockSeconds: [[0, 60]])
        #expect(abs(share - 0.517) < 5e-4)
        let current = arithmetic.running(cluster: 0, clock: 1)
        #expect(abs(current - 79.92) < 1e-9)
        #expect(abs(BatteryStatsArithmetic.charge(current, seconds: 60) - 1.332) < 5e-4)
    }

    @Test func `eight hours asleep are 106.4 mAh`() {
        var arithmetic = Self.arithmetic()
        let charge = arithmetic.idle(batterySeconds: 8 * 3600, awakeSeconds: 0)
        #expect(abs(charge - 106.4) < 1e-9)
        #expect(abs(charge / 4356 - 0.0244) < 5e-5)
        #expect(abs(arithmetic.idle(batterySeconds: 3600, awakeSeconds: 3600) - (13.3 + 35.6)) < 1e-9)
    }
}

/// Real profiles, which are not shipped: `FLOTSAM_POWER_PROFILES` names a folder of them; without it nothing runs.
@Suite(.enabled(if: folder("FLOTSAM_POWER_PROFILES") != nil, "FLOTSAM_POWER_PROFILES names no folder: none is shipped"))
struct RealProfileTests {
    @Test func `every real profile becomes a device and nothing of it is lost`() throws {
        let path = try #require(folder("FLOTSAM_POWER_PROFILES"))
        var count = 0
        for file in directoryEntries(path) where file.hasSuffix(".xml") {
            let device = try importPowerProfile(path: "\(path)/\(file)", PowerProfileOptions(name: "real"))
            let profile = try PowerProfileReader.read(path: "\(path)/\(file)")
            for line in device.unused {
                let name = line.split(separator: " ")[0]
                #expect(device.yaml.contains("#   \(name):"), "\(file): \(name)")
            }
            #expect(device.yaml.contains("processor:\n") && device.unused.count < profile.items.count / 2, "\(file)")
            count += 1
        }
        #expect(count >= 12)
    }
}
