// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities

/// Maps the items of a power profile to the sections of a device model.
struct PowerProfileMapping {
    var profile: PowerProfile
    let options: PowerProfileOptions
    private var sections: [String] = []
    private var assumptions: [(key: String, reason: String)] = []
    private var warnings = Diagnostics()
    private var missing: [(key: String, item: String)] = []

    init(_ profile: PowerProfile, _ options: PowerProfileOptions) {
        self.profile = profile
        self.options = options
    }

    mutating func mapPlatform() {
        var lines: [String] = []
        // Up to Android 4, `cpu.idle` is the current in power collapse, and `cpu.awake` is the addition during a wake
        // lock (PowerProfile.java).
        let isOld = profile.values("cpu.suspend") == nil && profile.values("cpu.awake") != nil
        if let floor = profile.current(isOld ? "cpu.idle" : "cpu.suspend") {
            lines.append(line("suspend_power", floor.value, from: floor.name))
        } else {
            addMissing("platform.suspend_power", "cpu.suspend")
        }
        let parts = [profile.current(isOld ? "cpu.awake" : "cpu.idle"), scalarActive()].compactMap { $0 }
        if parts.isEmpty {
            addMissing("platform.awake_power", "cpu.idle, cpu.active")
        } else {
            let sum = parts.reduce(0) { $0 + $1.value }
            lines.append(line("awake_power", sum, from: parts.map(\.name).joined(separator: " + ")))
        }
        add("platform", lines)
    }

    /// Value of `cpu.active` if it is one number.
    ///
    /// In old files, it is an array with the power of a core at each speed.
    private mutating func scalarActive() -> (name: String, value: Double)? {
        guard let values = profile.values("cpu.active"), values.count == 1 else { return nil }
        return profile.current("cpu.active")
    }

    mutating func mapDisplay() {
        var lines: [String] = []
        if let on = profile.current("screen.on", "screen.on.display0") {
            lines.append(line("base_power", on.value, from: on.name))
        } else {
            addMissing("display.base_power", "screen.on")
        }
        if let full = profile.current("screen.full", "screen.full.display0") {
            lines.append(line("brightness_power", full.value, from: full.name))
            lines.append("  brightness_exponent: 1              # Android scales linearly (ScreenPowerCalculator)")
            lines.append("  picture_share: 0 %                  # a profile contains no picture")
        } else {
            addMissing("display.brightness_power", "screen.full")
        }
        if let ambient = profile.current("ambient.on", "ambient.on.display0") {
            lines.append(line("ambient_power", ambient.value, from: ambient.name))
            assume(
                "display.ambient_power",
                "the model uses this power whenever the phone is locked, but real phones switch the display off in a "
                    + "pocket or face down; set 0 W for a display that is not always on")
        } else {
            addMissing("display.ambient_power", "ambient.on")
        }
        add("display", lines)
        if lines.contains(where: { $0.contains("brightness_power") }) {
            add("habits", ["  brightness: 15 %                    # of the highest luminance"])
            addNested("habits", "  auto_lock_share: 0 %                # Battery Saver keeps the display's timeout")
            assume(
                "habits.brightness",
                "15 % of the highest luminance, as is typical indoors; values from 5 to 40 % are possible")
        }
    }

    /// Capacity in mAh in the default profile (AOSP, `frameworks/base`, `core/res/res/xml/power_profile.xml`).
    static let defaultCapacity = 1000.0

    mutating func mapBattery() {
        if let capacity = profile.current("battery.capacity") {
            guard capacity.value != Self.defaultCapacity else {
                var problem = profile.problem(
                    "battery.capacity is 1000, as in Android's default profile, so the capacity of \(options.base) "
                        + "is used",
                    profile.item("battery.capacity")?.line ?? 1)
                problem.hint = "write the charge of the phone's full battery, in mAh"
                warn(problem)
                return addMissing("battery.capacity", "battery.capacity")
            }
            sections.append("battery:\n  capacity: \(decimal(capacity.value)) mAh  # battery.capacity")
        } else {
            addMissing("battery.capacity", "battery.capacity")
        }
    }

    // MARK: Lines

    func line(_ key: String, _ milliamperes: Double, from item: String, voltage: Voltage? = nil) -> String {
        let text = "  \(key): \(power(milliamperes, voltage: voltage))"
        return text + String(repeating: " ", count: max(38 - text.utf8.count, 1)) + "# " + item
    }

    /// Power for a current, rounded to 0.01 mW.
    func power(_ milliamperes: Double, voltage: Voltage? = nil) -> String {
        let milliwatts = milliamperes * (voltage ?? options.voltage).volts
        return "\(decimal((milliwatts * 100).rounded() / 100)) mW"
    }

    /// A number without a superfluous `.0`.
    func decimal(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    mutating func add(_ section: String, _ lines: [String]) {
        if !lines.isEmpty { sections.append("\(section):\n" + lines.joined(separator: "\n")) }
    }

    /// Adds a part to a section that has several parts.
    mutating func addNested(_ section: String, _ part: String) {
        if let index = sections.firstIndex(where: { $0.hasPrefix("\(section):\n") }) {
            sections[index] += "\n" + part
        } else {
            sections.append("\(section):\n\(part)")
        }
    }

    /// Records that the base provides a value, because the profile has no usable item for it.
    mutating func addMissing(_ key: String, _ item: String) { missing.append((key, item)) }

    /// Sections that a power profile never contains.
    private static let neverSaid = [
        "memory", "os", "daemons", "background", "habits", "heat", "charger", "storage", "memory_bus", "activities",
    ]

    mutating func warn(_ problem: Diagnostic) {
        var warning = problem
        warning.severity = .warning
        warnings.append(warning)
    }

    mutating func assume(_ key: String, _ reason: String) { assumptions.append((key, reason)) }

    mutating func finish() -> ImportedDevice {
        var text = "# \(options.name): imported from an Android power profile"
        text += " (currents in mA, at \(decimal(options.voltage.volts)) V where the profile has no voltage).\n"
        if let origin = options.origin { text += "# Origin: \(origin)\n" }
        text += "# All other values are those of \(options.base).\n"
        text += "schema: 1\nbase: \(options.base)\nname: \(options.name)\n"
        if options.ram == nil { addMissing("memory.ram", "--ram") }
        if let ram = options.ram { text += "memory:\n  ram: \(UnitText.format(Double(ram.bytes), as: .bytes))\n" }
        text += sections.joined(separator: "\n") + "\nassumptions:\n"
        let voltage = (key: "name", reason: "items without a voltage use \(decimal(options.voltage.volts)) V")
        for assumption in [voltage] + assumptions {
            text += "  - {key: \(assumption.key), reason: \"\(assumption.reason)\"}\n"
        }
        text += "# From \(options.base), because the profile lacks the item in brackets:\n"
        for one in missing { text += "#   \(one.key) (\(one.item))\n" }
        text += "# From \(options.base), because no profile contains them: \(Self.neverSaid.joined(separator: ", "))\n"
        let kept = profile.unusedItems
        if !kept.isEmpty {
            text += "# Values of the profile that Flotsam does not use (in mA unless the name has another unit):\n"
        }
        for item in kept { text += "#   \(item.name): \(item.values.map(decimal).joined(separator: " "))\n" }
        return ImportedDevice(yaml: text, unused: profile.unused, missing: missing.map(\.key), warnings: warnings)
    }
}
