// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Charging of the phone: the current falls with the state of charge and is limited by the adapter's power.
public struct ChargerParameters: Sendable {
    /// States of charge of the current table, rising from 0 to 1.
    public var currentStates: [Double]
    /// Largest charging current at `currentStates`, as a multiple of the capacity per hour.
    public var currentRates: [Double]
    /// Share of a wired adapter's rated power that reaches the cell and the running phone; also the adapter's
    /// efficiency.
    public var wiredEfficiency: Double
    /// Share of a wireless charger's rated power that reaches cell and running phone; also the charger's efficiency.
    public var wirelessEfficiency: Double
    /// Share of the power entering the phone by cable that its charging circuit turns into heat (assumption).
    public var wiredHeat = 0.08
    /// Share of the power entering the phone from a wireless charger that becomes heat, coil included (assumption).
    public var wirelessHeat = 0.28
    /// Power of the charging circuit while a charger is connected, at any charging power; it becomes heat in the phone.
    ///
    /// An efficiency measured over a whole charge includes this power. This power is therefore drawn from the wall
    /// separately only while the cell takes no energy.
    public var connectedPower = Power.zero
    /// Shown level at which charging holds; 1 if the option is off.
    public var holdLevel: Double

    /// Creates the curve of an iPhone on a 20 W adapter.
    ///
    /// Source: iPhone 14 Pro on 20 W, 50 % after 30 min and 100 % after 99.6 min (iClarified). The taper between these
    /// points is fitted to them. The efficiencies are 74-76 % by cable and 49-51 % wireless (liutyi, OneZero with
    /// iFixit).
    public init() {
        currentStates = [0, 0.50, 0.52, 0.63, 0.80, 0.95, 1]
        currentRates = [1, 1, 0.75, 0.75, 0.45, 0.25, 0.15]
        wiredEfficiency = 0.75
        wirelessEfficiency = 0.50
        holdLevel = 1
    }
}

/// How a charger is connected.
public enum ChargerLink: String, Sendable, CaseIterable, BitwiseCopyable {
    case wired, wireless
}

extension ChargerParameters {
    /// The keys of these values in files, with their allowed ranges.
    public static let keys: [FileKey<ChargerParameters>] = [
        .quantity(\.wiredEfficiency, "wired_efficiency", .fraction, 0.01...1),
        .quantity(\.wirelessEfficiency, "wireless_efficiency", .fraction, 0.01...1),
        .quantity(\.wiredHeat, "wired_heat", .fraction, 0...0.9),
        .quantity(\.wirelessHeat, "wireless_heat", .fraction, 0...0.9),
        .amount(\.connectedPower, "connected_power", .power, 0...100),
        .share(\.holdLevel, "hold_level"),
    ]
}
