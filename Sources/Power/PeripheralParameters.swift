// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// The parts that only some apps use: graphics, memory bus, audio, video, camera, location, Bluetooth.
public struct PeripheralParameters: Sendable {
    /// Power of the graphics at full use; assumption: 2-4 W in games.
    public var graphicsPower = Power.watts(3)
    /// Energy of memory traffic, per 10⁹ bytes; assumption: LPDDR at 40-60 mW per GB/s.
    public var memoryPerGigabyte = Energy.joules(0.05)
    /// Power of codec and amplifier while there is sound; assumption.
    public var audioOutputPower = Power.milliwatts(12)
    /// Power of the loudspeaker at the volume in Miller's log, where sound takes 18 % of a video app's 1.3 W.
    ///
    /// In-sample figure from this log (Miller 2026, github.com/markm39/mcm-battery-2026); range 100 to 400 mW.
    public var speakerPower = Power.milliwatts(230)
    /// Power of decoding and playing while the phone would otherwise sleep; replaces the awake platform's power.
    ///
    /// Assumption, fitted to Apple's hours of audio playback.
    public var playbackPower = Power.milliwatts(82)
    /// Power of decoding or encoding a film; assumption below the 0.09-0.19 W of Pixel profiles (`video`), fitted to
    /// Apple's hours.
    public var videoPower = Power.milliwatts(60)
    /// Additional power of a streamed film compared with a stored film, without radio and loudspeaker.
    ///
    /// Fitted to one test and used for all phones: an iPhone 14 Pro plays for 9.2 h at 200 nits (PhoneArena, 2022). The
    /// hours that makers state, up to twice as long, are not used for the fit.
    public var streamPower = Power.milliwatts(70)
    /// Power of the camera's sensor and image processor; assumption: camera apps need 1.2-3.7 W in Android profiles
    /// (`camera.avg`), display and processor included.
    public var cameraPower = Power.milliwatts(1400)
    /// Power of the location receiver while it tracks; assumption within 22-280 mW of Android profiles (`gps.on`).
    public var locationPower = Power.milliwatts(120)
    /// Power of Bluetooth while it carries sound; assumption.
    public var bluetoothPower = Power.milliwatts(20)

    /// Energy of one use of a part by background work; several pieces of work can share a use.
    public var starts = StartEnergies()

    /// Creates the defaults named at each property.
    public init() {}
}

/// The energy of switching a part on for background work and off again; zero by default.
///
/// Radios have no value here, because their energy is in promotion and tail.
public struct StartEnergies: Sendable {
    /// The vibrator.
    public var vibrator = Energy.zero
    /// The loudspeaker, with its amplifier.
    public var speaker = Energy.zero
    /// The display.
    public var screen = Energy.zero
    /// A position fix from networks in reach.
    public var location = Energy.zero
    /// A position fix from satellites.
    public var gps = Energy.zero
    /// The accelerometer.
    public var accelerometer = Energy.zero

    /// The start energy and component of a part, by its number in `WakeHardware`; nil for a part without start energy.
    public func start(ofPart part: Int) -> (component: Component, energy: Energy)? {
        switch part {
        case 1: (.other, vibrator)
        case 2: (.audio, speaker)
        case 3: (.display, screen)
        case 4: (.location, location)
        case 5: (.location, gps)
        case 6: (.sensors, accelerometer)
        default: nil
        }
    }

    static let keys: [FileKey<PeripheralParameters>] = [
        .amount(\.starts.vibrator, "vibrator", .energy), .amount(\.starts.speaker, "speaker", .energy),
        .amount(\.starts.screen, "screen", .energy), .amount(\.starts.location, "location", .energy),
        .amount(\.starts.gps, "gps", .energy), .amount(\.starts.accelerometer, "accelerometer", .energy),
    ]
}

extension PeripheralParameters {
    /// The keys of the parts that only some apps use, in a device's file, with their allowed ranges.
    public static let keys: [FileKey<PeripheralParameters>] = [
        .map("graphics", [.amount(\.graphicsPower, "power", .power)]),
        .map("memory_bus", [.amount(\.memoryPerGigabyte, "per_gigabyte", .energy)]),
        .map(
            "audio",
            [
                .amount(\.audioOutputPower, "output_power", .power),
                .amount(\.speakerPower, "speaker_power", .power),
                .amount(\.playbackPower, "playback_power", .power),
            ]),
        .map("video", [.amount(\.videoPower, "power", .power), .amount(\.streamPower, "stream_power", .power)]),
        .map("camera", [.amount(\.cameraPower, "power", .power)]),
        .map("location", [.amount(\.locationPower, "power", .power)]),
        .map("bluetooth", [.amount(\.bluetoothPower, "power", .power)]),
        .map("part_starts", StartEnergies.keys),
    ]
}
