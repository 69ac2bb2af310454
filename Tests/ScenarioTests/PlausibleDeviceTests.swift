// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Testing

@testable import Scenario

/// Figures that no phone has are used as they stand, and never in silence.
@Suite struct PlausibleDeviceTests {
    private func warnings(_ lines: String) throws -> [Diagnostic] {
        let yaml = "schema: 1\nbase: iphone-13\nname: odd\n" + lines
        return try ModelLibrary.located().warnings(ofDevice: yaml, name: "odd.yaml").ordered.list
    }

    @Test(arguments: [
        ("radios: {wifi: {base: wifi-2020s, receive_power: 0.29 mW, receive_power_per_megabit: 0 W}}", "receiving", 4),
        ("radios: {cellular: {base: lte-2020, send_power: 53 mW, send_power_per_megabit: 0 W}}", "sending", 4),
        ("radios: {wifi: {base: wifi-2020s, receive_power: 400 W}}", "receiving", 4),
        ("radios: {wifi: {base: wifi-2020s, idle_power: 20 W}}", "a radio without traffic", 4),
        ("battery: {capacity: 43560 mAh}", "a pack holds", 4),
        ("battery: {capacity: 50 mAh, resistance: 0.2 ohm}", "a pack holds", 4),
        ("battery: {resistance: 9 ohm}", "a pack's resistance is 9 ohm", 4),
        (
            "battery: {cell: {voltage_states: [0 %, 100 %], voltages: [0.3 V, 0.43 V], cutoff: 0.3 V, "
                + "empty_voltage: 0.3 V}}", "a cell's voltage is", 4
        ),
    ]) func `a strange figure is named at its line`(lines: String, start: String, line: Int) throws {
        let found = try warnings(lines)
        #expect(!found.isEmpty)
        for problem in found {
            #expect(problem.severity == .warning && problem.message.hasPrefix(start), "\(problem)")
            #expect(problem.location?.file == "odd.yaml" && problem.location?.line == line)
        }
    }

    @Test func `what a radio takes at its usual rate counts, and zero is meant`() throws {
        let sloped = "radios: {wifi: {base: wifi-2020s, receive_power: 1 mW, receive_power_per_megabit: 5 mW}}"
        #expect(try warnings(sloped).isEmpty)
        let off = "radios: {wifi: {base: wifi-2020s, receive_power: 0 W, receive_power_per_megabit: 0 W}}"
        #expect(try warnings(off).isEmpty)
    }

    @Test func `no shipped device is strange`() throws {
        let library = ModelLibrary.located()
        let names = library.names(.devices)
        #expect(names.count > 10)
        for name in names {
            let found = try library.warnings(ofDevice: "schema: 1\nbase: \(name)\nname: it\n", name: "it.yaml")
            #expect(found.isEmpty, "\(name): \(found)")
        }
    }
}
