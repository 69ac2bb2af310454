// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

extension PowerProfileMapping {
    /// Wi-Fi: the controller's currents; a profile's receive current is the whole, so slopes by rate are zero.
    mutating func mapWiFi() {
        let voltage = volts("wifi.controller.voltage")
        let receive = profile.current("wifi.controller.rx", "wifi.active")
        let send = profile.current("wifi.controller.tx", "wifi.active")
        let idle = profile.current("wifi.controller.idle")
        guard let receive, let send else {
            addMissing("radios.wifi")
            return
        }
        var lines = ["  base: wifi-2020s"]
        lines.append(line("receive_power", receive.value, from: receive.name, voltage: voltage))
        lines.append("  receive_power_per_megabit: 0 W")
        lines.append(line("send_power", send.value, from: send.name, voltage: voltage))
        lines.append("  send_power_per_megabit: 0 W")
        if let idle {
            let power = power(idle.value, voltage: voltage)
            lines.append("  tail: [{power: \(power), duration: 220 ms}]  # wifi.controller.idle; time as wifi-2020s")
            assume("radios.wifi.tail", "the controller idles awake for as long as the base radio's tail")
        }
        addRadio("wifi", lines)
    }

    /// The modem: asleep, receiving, and sending at the middle one of its power levels.
    mutating func mapCellular() {
        let voltage = volts("modem.controller.voltage")
        let receive = profile.current("modem.controller.rx", "radio.active")
        let levels = profile.values("modem.controller.tx").flatMap { $0.isEmpty ? nil : $0 }
        let sleep = profile.current("modem.controller.sleep")
        let paging = sleep == nil ? profile.values("radio.on").flatMap { $0.last } : nil
        guard let receive else {
            addMissing("radios.cellular")
            return
        }
        var lines = ["  base: lte-2020"]
        if let sleep {
            lines.append(line("idle_power", sleep.value, from: sleep.name, voltage: voltage))
        } else if let paging, paging > 0.1 {
            lines.append(line("idle_power", paging, from: "radio.on, best signal", voltage: voltage))
        } else {
            addMissing("radios.cellular.idle_power")
        }
        lines.append(line("receive_power", receive.value, from: receive.name, voltage: voltage))
        lines.append("  receive_power_per_megabit: 0 W")
        if let scanning = profile.current("radio.scanning") {
            lines.append(line("search_power", scanning.value, from: scanning.name, voltage: voltage))
        }
        let send = levels.map { $0[$0.count / 2] } ?? receive.value
        let from = levels.map { "modem.controller.tx, level \($0.count / 2) of 0-\($0.count - 1)" } ?? receive.name
        lines.append(line("send_power", send, from: from, voltage: voltage))
        lines.append("  send_power_per_megabit: 0 W")
        assume("radios.cellular.send_power", "the middle power level stands for the signal of the whole day")
        addRadio("cellular", lines)
    }

    /// A radio stands inside `radios:`, one level deeper than its lines.
    private mutating func addRadio(_ name: String, _ lines: [String]) {
        let inner = lines.map { "  " + $0 }.joined(separator: "\n")
        addNested("radios", "  \(name):\n\(inner)")
        for slope in ["receive", "send"] {
            assume("radios.\(name).\(slope)_power_per_megabit", "a profile's current does not depend on the rate")
        }
    }

    mutating func volts(_ item: String) -> Voltage? {
        profile.values(item)?.first.flatMap { $0 > 0 ? Voltage.millivolts($0) : nil }
    }
}
