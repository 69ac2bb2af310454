// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

extension PowerProfileMapping {
    /// Maps Wi-Fi to the controller's currents.
    ///
    /// The slopes by rate are zero, because the receive current is the total current.
    mutating func mapWiFi() {
        let voltage = volts("wifi.controller.voltage")
        var lines = [
            radioLine("wifi", "idle_power", profile.current("wifi.on"), wanted: "wifi.on", voltage)
        ]
        lines += activeLines("wifi", "receive", profile.current("wifi.controller.rx", "wifi.active"), voltage)
        lines += activeLines("wifi", "send", profile.current("wifi.controller.tx", "wifi.active"), voltage)
        if let idle = profile.current("wifi.controller.idle") {
            let power = power(idle.value, voltage: voltage)
            lines.append("  tail: [{power: \(power), duration: 220 ms}]  # wifi.controller.idle; time as wifi-2020s")
            assume(
                "radios.wifi.tail", "the controller stays awake without traffic for as long as the base radio's tail")
        } else {
            addMissing("radios.wifi.tail", "wifi.controller.idle")
        }
        addRadio("wifi", base: "wifi-2020s", lines.compactMap { $0 })
    }

    /// Maps the modem: sleep, receiving, and sending at the middle power level.
    mutating func mapCellular() {
        let technology = chosenTechnology()
        // The nested section contains no voltage.
        let voltage = technology == nil ? volts("modem.controller.voltage") : nil
        var lines = [idleLine(technology == nil ? "modem.controller.sleep" : "modem.sleep", voltage)]
        if let technology {
            lines += activeLines("cellular", "receive", profile.current("modem.\(technology).receive"), voltage)
            lines += activeLines("cellular", "send", sending("modem.\(technology).transmit"), voltage)
        } else {
            let receive = profile.current("modem.controller.rx", "radio.active")
            lines += activeLines("cellular", "receive", receive, voltage)
            let send = sending("modem.controller.tx") ?? profile.current("radio.active")
            lines += activeLines("cellular", "send", send, voltage)
        }
        let scanning = profile.current("radio.scanning")
        lines.append(radioLine("cellular", "search_power", scanning, wanted: "radio.scanning", voltage))
        explainIdle(technology == nil ? "modem.controller.idle" : "modem.idle")
        addRadio("cellular", base: "lte-2020", lines.compactMap { $0 })
        // The base phone has 5G, so its cellular radio must be replaced.
        if lines.allSatisfy({ $0 == nil }) { addNested("radios", "  cellular: lte-2020") }
        addNested("radios", "  fallback: null                      # a profile describes one mobile radio")
    }

    /// The technology to use: LTE or else DEFAULT in a nested section; nil without such a section.
    ///
    /// The model has one mobile radio, so values for other technologies remain unused items.
    private mutating func chosenTechnology() -> String? {
        for technology in ["LTE", "DEFAULT"] {
            for part in ["receive", "transmit"] where profile.current("modem.\(technology).\(part)") != nil {
                return technology
            }
        }
        return nil
    }

    /// The middle power level of sending, or the nearest level with a value.
    private mutating func sending(_ item: String) -> (name: String, value: Double)? {
        guard let levels = profile.values(item), !levels.isEmpty else { return nil }
        let middle = levels.count / 2
        let nearest = levels.indices.filter { levels[$0] > 0.1 }.min { abs($0 - middle) < abs($1 - middle) }
        guard let nearest else { return nil }
        assume("radios.cellular.send_power", "the middle power level is used for the signal of the whole day")
        return ("\(item), level \(nearest) of 0-\(levels.count - 1)", levels[nearest])
    }

    private mutating func idleLine(_ sleep: String, _ voltage: Voltage?) -> String? {
        if let sleep = profile.current(sleep) {
            return line("idle_power", sleep.value, from: sleep.name, voltage: voltage)
        }
        if let paging = profile.values("radio.on")?.last, paging > 0.1 {
            return line("idle_power", paging, from: "radio.on, best signal", voltage: voltage)
        }
        addMissing("radios.cellular.idle_power", sleep)
        return nil
    }

    /// Records why the modem's idle current is not used.
    ///
    /// Unlike the idle current of a Wi-Fi controller, the modem's idle current is not the current of a tail.
    private mutating func explainIdle(_ item: String) {
        guard let idle = profile.current(item) else { return addMissing("radios.cellular.tail", item) }
        assume(
            "radios.cellular.tail",
            "the base's value, because \(item) (\(decimal(idle.value)) mA) is the current of an awake modem without "
                + "traffic, and in a tail the modem sleeps at times; vendors state from 3.5 mA (Pixel 6) to 156 mA "
                + "(Pixel 5, more than for receiving)")
    }

    /// Lines for the power of a radio that transfers data at any rate.
    ///
    /// If the profile lacks a value, the base provides it.
    private mutating func activeLines(
        _ radio: String, _ side: String, _ item: (name: String, value: Double)?, _ voltage: Voltage?
    ) -> [String?] {
        let wanted = radio == "wifi" ? "wifi.controller" : "modem.controller"
        let power = radioLine(
            radio, "\(side)_power", item, wanted: "\(wanted).\(side == "send" ? "tx" : "rx")", voltage)
        guard let power else { return [] }
        assume("radios.\(radio).\(side)_power_per_megabit", "in a profile, the current does not depend on the rate")
        return [power, "  \(side)_power_per_megabit: 0 W"]
    }

    private mutating func radioLine(
        _ radio: String, _ key: String, _ item: (name: String, value: Double)?, wanted: String, _ voltage: Voltage?
    ) -> String? {
        if let item { return line(key, item.value, from: item.name, voltage: voltage) }
        addMissing("radios.\(radio).\(key)", wanted)
        return nil
    }

    /// Adds a radio to `radios:`, indented one level more than its lines.
    private mutating func addRadio(_ name: String, base: String, _ lines: [String]) {
        if lines.isEmpty { return }
        let inner = (["  base: \(base)"] + lines).map { "  " + $0 }.joined(separator: "\n")
        addNested("radios", "  \(name):\n\(inner)")
    }

    /// Plausible voltages of a rail that a phone's cell feeds, in volts.
    ///
    /// Assumption: the range is from a discharged lithium-ion cell to a rail that is raised to 5 V, with a margin of a
    /// tenth. Of 237 profiles of 32 makers, 26 are outside this range, 24 of them between 0 and 1,000 mV. Their radios
    /// would draw 0 to 53 mW.
    private static let rails = 2.5...5.5

    /// Voltage of a rail, which Android profiles contain in millivolts; nil when it is missing or implausible.
    mutating func volts(_ name: String) -> Voltage? {
        guard let item = profile.item(name), let value = item.values.first, value > 0.1 else { return nil }
        if Self.rails.contains(value / 1000) { return .millivolts(value) }
        let text = decimal(value)
        var problem: Diagnostic
        if Self.rails.contains(value) {
            problem = profile.problem(
                "\(name) is \(text), which is read as volts, although the format uses millivolts", item.line)
            problem.hint = "write \(decimal((value * 1000).rounded())) instead of \(text)"
        } else {
            problem = profile.problem(
                "\(name) is \(text) mV, which no rail of a phone has, so \(decimal(options.voltage.volts)) V is used",
                item.line)
            problem.hint = "write the voltage of the measured currents (2500 to 5500 mV), or leave the item out"
        }
        warn(problem)
        return Self.rails.contains(value) ? .volts(value) : nil
    }
}
