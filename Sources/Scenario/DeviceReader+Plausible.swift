// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Power
import Processes
import Quantities

/// Warns of values that are valid but implausible, mostly because of a wrong unit. The values are used nevertheless.
///
/// The ranges are assumptions and several times wider than published values. In power profiles, radios receive at 0.28
/// to 1.3 W, displays use 0.1 to 3.6 W, and sleeping phones use 5 to 60 mW. Radios in `models/radios` send at up to 4.4
/// W. Packs of phones and tablets have 1 to 11 Ah, and may have two cells in series.
extension DeviceReader {
    private static let dataPowers = 0.06...15.0
    private static let idlePowers = 0...1.0
    private static let cellVoltages = 2.0...9.0
    private static let capacities = 0.3...30.0
    private static let resistances = 0.002...2.0
    private static let displayPowers = 0.02...12.0
    private static let suspendPowers = 0...1.0
    private static let awakePowers = 0...5.0
    private static let memorySizes = 0.125...64.0

    /// Checks the power of the display at full brightness.
    func warn(_ display: DisplayParameters, _ map: MapReader) {
        let full = display.basePower.watts + display.brightnessPower.watts
        warn(map, "brightness_power", "a display at full brightness takes", full, .power, Self.displayPowers)
    }

    /// Checks the power of the phone when it is asleep and awake.
    func warn(_ platform: PlatformParameters, _ map: MapReader) {
        let (asleep, awake) = (platform.suspendPower.watts, platform.awakePower.watts)
        warn(map, "suspend_power", "a phone asleep takes", asleep, .power, Self.suspendPowers)
        warn(map, "awake_power", "a phone awake takes", awake, .power, Self.awakePowers)
    }

    /// Checks the size of the memory.
    func warn(_ memory: MemoryParameters, _ map: MapReader) {
        let bytes = Double(memory.ram.bytes)
        warn(map, "ram", "a phone has", bytes, .bytes, Self.memorySizes, scale: 1_073_741_824)
    }

    /// Checks the power of a radio with data at its usual rates and without data.
    ///
    /// Zero is allowed.
    func warn(_ radio: RadioParameters, _ map: MapReader) {
        let receiving =
            radio.receivePower.watts
            + radio.receivePowerPerMegabit.watts * radio.receiveRate.bitsPerSecond / 1e6
        let sending = radio.sendPower.watts + radio.sendPowerPerMegabit.watts * radio.sendRate.bitsPerSecond / 1e6
        warn(map, "receive_power", "receiving at the usual rate takes", receiving, .power, Self.dataPowers)
        warn(map, "send_power", "sending at the usual rate takes", sending, .power, Self.dataPowers)
        warn(map, "idle_power", "a radio without traffic takes", radio.idlePower.watts, .power, Self.idlePowers)
    }

    /// Checks the pack and the curves of its cell.
    func warn(_ battery: BatteryParameters, _ map: MapReader) {
        let hours = battery.capacity.ampereHours
        warn(map, "capacity", "a pack holds", hours * 3600, .charge, Self.capacities, scale: 3600)
        warn(map, "resistance", "a pack's resistance is", battery.resistance.ohms, .resistance, Self.resistances)
        for voltage in [battery.voltages.first, battery.voltages.last].compactMap({ $0 }) {
            warn(map, "cell", "a cell's voltage is", voltage.volts, .voltage, Self.cellVoltages)
        }
    }

    private func warn(
        _ map: MapReader, _ key: String, _ what: String, _ value: Double, _ dimension: Dimension,
        _ range: ClosedRange<Double>, scale: Double = 1
    ) {
        guard value != 0, !range.contains(value / scale) else { return }
        func text(_ value: Double) -> String { UnitText.format(value, as: dimension) }
        (map.cursor(key) ?? map.cursor).warn(
            "\(what) \(text(value)); in real phones, the value is between \(text(range.lowerBound * scale)) and "
                + text(range.upperBound * scale), hint: "check its unit; the value is used as written")
    }
}
