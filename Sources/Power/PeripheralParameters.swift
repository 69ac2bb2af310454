// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The parts that only some apps use: graphics, memory bus, audio, video, camera, location, Bluetooth.
public struct PeripheralParameters: Sendable {
    /// Graphics at full use; assumption: 2-4 W in games.
    public var graphicsPower = Power.watts(3)
    /// Memory traffic, per 10⁹ bytes; assumption: LPDDR at 40-60 mW per GB/s.
    public var memoryPerGigabyte = Energy.joules(0.05)
    /// Codec and amplifier while there is sound; assumption.
    public var audioOutputPower = Power.milliwatts(12)
    /// What decoding and playing needs while the phone would otherwise sleep, instead of the awake platform;
    /// assumption, fitted to Apple's hours of audio playback.
    public var playbackPower = Power.milliwatts(82)
    /// Decoding or encoding a film; assumption below the 0.09-0.19 W of Pixel profiles (`video`), fitted to Apple's
    /// hours.
    public var videoPower = Power.milliwatts(60)
    /// What a film from the network needs beyond one from memory and the radio; assumption, fitted to Apple's hours.
    public var streamPower = Power.milliwatts(80)
    /// Sensor and image processor of the camera; assumption: camera apps need 1.2-3.7 W in Android profiles
    /// (`camera.avg`), display and processor included.
    public var cameraPower = Power.milliwatts(1400)
    /// Location receiver while it tracks; assumption within 22-280 mW of Android profiles (`gps.on`).
    public var locationPower = Power.milliwatts(120)
    /// Bluetooth while it carries sound; assumption.
    public var bluetoothPower = Power.milliwatts(20)

    /// Creates the defaults named at each property.
    public init() {}
}

extension PeripheralParameters {
    /// The maps of a device about the parts that only some apps use, with what is allowed.
    public static let keys: [FileKey<PeripheralParameters>] = [
        .map("graphics", [.amount(\.graphicsPower, "power", .power)]),
        .map("memory_bus", [.amount(\.memoryPerGigabyte, "per_gigabyte", .energy)]),
        .map(
            "audio",
            [
                .amount(\.audioOutputPower, "output_power", .power),
                .amount(\.playbackPower, "playback_power", .power),
            ]),
        .map("video", [.amount(\.videoPower, "power", .power), .amount(\.streamPower, "stream_power", .power)]),
        .map("camera", [.amount(\.cameraPower, "power", .power)]),
        .map("location", [.amount(\.locationPower, "power", .power)]),
        .map("bluetooth", [.amount(\.bluetoothPower, "power", .power)]),
    ]
}
