// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts Android's `power_profile.xml` to a device model. A base model provides the rest of the phone.
// In: the file, a name, a base, and the voltage that the currents refer to. Out: YAML, unused items, missing items.
// No files are written. Every line contains the name of its item, and every choice is recorded as an assumption.

import Diagnostics
import Quantities
import Vocabulary

/// A device model that was created from a foreign file.
public struct ImportedDevice: Sendable {
    /// The model file.
    public let yaml: String
    /// Items of the foreign file that the model does not use, with their line numbers.
    public let unused: [String]
    /// Paths of values in the model that the file lacks and the base model provides.
    public let missing: [String]
    /// Implausible values, with the values that replace them.
    public let warnings: Diagnostics
}

/// Options for the conversion of a power profile.
public struct PowerProfileOptions: Sendable {
    /// Name of the device.
    public var name: String
    /// Device that provides all values that a power profile lacks: memory, system, tails of the radios, habits.
    public var base = "iphone-13"
    /// Memory of the phone; nil for the memory of the base.
    public var ram: ByteCount?
    /// Voltage that converts currents to powers if the profile contains no voltage.
    ///
    /// Assumption: the nominal voltage of the cell of a present phone. Android specifies only "nominal battery
    /// voltage".
    public var voltage = Voltage.volts(3.85)
    /// One line on the source of the file, for the head of the model.
    public var origin: String?

    /// Creates options for a device with this name.
    public init(name: String) { self.name = name }
}

/// Converts an Android power profile to a device model.
///
/// - Throws: All problems of the file with line numbers. A file with problems is not imported.
public func importPowerProfile(path: String, _ options: PowerProfileOptions) throws(Diagnostics) -> ImportedDevice {
    guard isKebabCase(options.name) else {
        throw Diagnostics(
            "a device cannot be called \"\(options.name)\"",
            hint: "use lower-case letters, digits and hyphens, as in pixel-7")
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
