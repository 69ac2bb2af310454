// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Power
import Quantities

/// Figures that can be read but that no phone has: a slip of a unit, mostly. They are used, with a warning.
///
/// The ranges are assumptions, several times wider than what is published: radios of power profiles receive with 0.28
/// to 1.3 W, those of `models/radios` send with up to 4.4 W, packs of phones and tablets hold 1 to 11 Ah. Two cells of
/// a pack may stand in series.
extension DeviceReader {
    private static let dataPowers = 0.06...15.0
    private static let idlePowers = 0...1.0
    private static let cellVoltages = 2.0...9.0
    private static let capacities = 0.3...30.0
    private static let resistances = 0.002...2.0

    /// Looks at a radio while data flow at its usual rates, and without traffic; zero is meant.
    func warn(_ radio: RadioParameters, _ map: MapReader) {
        let receiving =
            radio.receivePower.watts
            + radio.receivePowerPerMegabit.watts * radio.receiveRate.bitsPerSecond / 1e6
        let sending = radio.sendPower.watts + radio.sendPowerPerMegabit.watts * radio.sendRate.bitsPerSecond / 1e6
        warn(map, "receive_power", "receiving at the usual rate takes", receiving, .power, Self.dataPowers)
        warn(map, "send_power", "sending at the usual rate takes", sending, .power, Self.dataPowers)
        warn(map, "idle_power", "a radio without traffic takes", radio.idlePower.watts, .power, Self.idlePowers)
    }

    /// Looks at a pack and the curves of its cell.
    func warn(_ battery: BatteryParameters, _ map: MapReader) {
        let hours = battery.capacity.ampereHours
        warn(map, "capacity", "a pack holds", hours * 3600, .charge, Self.capacities, scale: 3600)
        warn(map, "resistance", "a pack resists with", battery.resistance.ohms, .resistance, Self.resistances)
        for voltage in [battery.voltages.first, battery.voltages.last].compactMap({ $0 }) {
            warn(map, "cell", "a cell stands at", voltage.volts, .voltage, Self.cellVoltages)
        }
    }

    private func warn(
        _ map: MapReader, _ key: String, _ what: String, _ value: Double, _ dimension: Dimension,
        _ range: ClosedRange<Double>, scale: Double = 1
    ) {
        guard value != 0, !range.contains(value / scale) else { return }
        func text(_ value: Double) -> String { UnitText.format(value, as: dimension) }
        (map.cursor(key) ?? map.cursor).warn(
            "\(what) \(text(value)); phones lie between \(text(range.lowerBound * scale)) and "
                + text(range.upperBound * scale), hint: "look at its unit; the figure is used as it stands")
    }
}
