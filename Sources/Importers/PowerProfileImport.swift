// SPDX-License-Identifier: GPL-3.0-or-later
// This file: Android's `power_profile.xml` to a device model; the rest of the phone comes from a base model.
// In: the file, a name, a base, the voltage at which the currents were meant. Out: YAML, unused items, missing items.
// Nothing is written to disk and nothing is guessed silently: every line names its item, every choice is an assumption.

import Diagnostics
import Quantities
import Vocabulary

/// A device model made from a foreign file.
public struct ImportedDevice: Sendable {
    /// The model file.
    public let yaml: String
    /// Items of the foreign file that the model does not use, with their lines.
    public let unused: [String]
    /// Values that are not in the file and come from the base model, as paths of the model.
    public let missing: [String]
    /// Implausible values, and the values used instead.
    public let warnings: Diagnostics
}

/// Options for a device from a foreign profile.
public struct PowerProfileOptions: Sendable {
    /// Name of the device.
    public var name: String
    /// Device for all values that a power profile does not contain: memory, system, tails of the radios, habits.
    public var base = "iphone-13"
    /// Memory of the phone; nil for the base's memory.
    public var ram: ByteCount?
    /// Voltage for the conversion of currents into powers when the profile has none.
    ///
    /// Assumption: nominal voltage of the cell of a present phone; Android specifies only "nominal battery voltage".
    public var voltage = Voltage.volts(3.85)
    /// One line on the source of the file, for the head of the model.
    public var origin: String?

    /// Creates the options for a device with a name.
    public init(name: String) { self.name = name }
}

/// Turns an Android power profile into a device model.
///
/// - Throws: All problems of the file with line numbers; a file with problems is not imported.
public func importPowerProfile(path: String, _ options: PowerProfileOptions) throws(Diagnostics) -> ImportedDevice {
    guard isKebabCase(options.name) else {
        throw Diagnostics(
            "a device cannot be called \"\(options.name)\"", hint: "lower case, digits and hyphens, as in pixel-7")
    }
    var mapping = PowerProfileMapping(try PowerProfileReader.read(path: path), options)
    mapping.mapPlatform()
    mapping.mapProcessor()
    mapping.mapDisplay()
    mapping.mapPeripherals()
    mapping.mapWiFi()
    mapping.mapCellular()
    mapping.mapBattery()
    return mapping.finish()
}
